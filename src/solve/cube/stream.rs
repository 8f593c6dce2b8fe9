//! Stores and hints that go past the cache.
//!
//! Buckets are written once and read much later, so their lines should not push the planes out of the
//! cache, nor be read before they are overwritten. On other processors the plain twins do the same.

/// Copies one cache line to `place`, past the cache where the processor can.
///
/// Another thread sees it after [`fence`].
///
/// # Panics
/// When `place` is not a cache line long.
#[inline(always)]
pub fn store(place: &mut [u32], line: &[u32; 16]) {
    assert_eq!(place.len(), line.len());
    #[cfg(target_arch = "x86_64")]
    if place.as_ptr().addr().is_multiple_of(64) {
        // SAFETY: both sides are 64 valid bytes, `place` is aligned, and SSE2 is part of x86-64.
        unsafe {
            use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
            let from: *const __m128i = line.as_ptr().cast();
            let to: *mut __m128i = place.as_mut_ptr().cast();
            for part in 0..4 {
                _mm_stream_si128(to.add(part), _mm_loadu_si128(from.add(part)));
            }
        }
        return;
    }
    place.copy_from_slice(line);
}

/// Orders all [`store`]s of this thread before what it does next.
pub fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

/// Asks for the cache line of a value that will be read soon.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint that reads nothing, and SSE is part of x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_stored_line_is_the_line() {
        let line = std::array::from_fn(|i| i as u32 * 77);
        let mut places = vec![0; 64];
        for start in 0..40 {
            places.fill(0);
            super::store(&mut places[start..start + 16], &line);
            super::fence();
            assert_eq!(places[start..start + 16], line);
            assert_eq!(places.iter().sum::<u32>(), line.iter().sum::<u32>());
        }
    }
}
