//! Large zeroed memory in huge pages.
//!
//! The planes are visited in random order; with 4 KiB pages the address translation alone would double
//! the time. Pages come straight from the system, so a refusal is an error and not an abort.
//!
//! The system lends more than it has and gives a page when it is first touched. What a run is sure to use is
//! therefore asked for [in full](Pages::granted) before the work begins: what was forecast is what is taken, and a
//! machine with too little says so at once and not after an hour.

use memmap2::MmapMut;
#[cfg(target_os = "linux")]
use rayon::prelude::*;

/// The system refused memory.
#[derive(Debug, thiserror::Error)]
#[error("the system does not grant {bytes} bytes of memory: {source}")]
pub struct OutOfMemory {
    /// What was asked for.
    pub bytes: usize,
    /// What the system said.
    pub source: std::io::Error,
}

/// What one thread asks for at a time, to zero all of it: a number of huge pages.
#[cfg(target_os = "linux")]
const GRANTED_AT_ONCE: usize = 64 << 20;

/// Zeroed memory, aligned to pages.
#[derive(Debug, Default)]
pub struct Pages {
    map: Option<MmapMut>,
}

impl Pages {
    /// Asks for `bytes` bytes, all zero.
    ///
    /// # Errors
    /// When the system does not grant them.
    pub fn new(bytes: usize) -> Result<Self, OutOfMemory> {
        if bytes == 0 {
            return Ok(Pages { map: None });
        }
        let map = MmapMut::map_anon(bytes).map_err(|source| OutOfMemory { bytes, source })?;
        // Only a hint: without huge pages the result is the same, later.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Pages { map: Some(map) })
    }

    /// As [`Pages::new`], but each page is there when this returns, where the system knows how to give them early
    /// (Linux since 5.14); elsewhere they come one by one as they are touched.
    ///
    /// # Errors
    /// When the system does not grant them.
    pub fn granted(bytes: usize) -> Result<Self, OutOfMemory> {
        let pages = Pages::new(bytes)?;
        #[cfg(target_os = "linux")]
        if let Some(map) = &pages.map {
            (0..bytes)
                .into_par_iter()
                .step_by(GRANTED_AT_ONCE)
                .try_for_each(|start| {
                    let piece = GRANTED_AT_ONCE.min(bytes - start);
                    map.advise_range(memmap2::Advice::PopulateWrite, start, piece)
                        .or_else(|source| match source.kind() {
                            std::io::ErrorKind::OutOfMemory => Err(OutOfMemory { bytes, source }),
                            _ => Ok(()),
                        })
                })?;
        }
        Ok(pages)
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        self.map.as_ref().map_or(0, |map| map.len())
    }

    /// The memory as a slice of plain values.
    #[inline(always)]
    pub fn view<T: bytemuck::AnyBitPattern>(&self) -> &[T] {
        self.map
            .as_ref()
            .map_or(&[], |map| bytemuck::cast_slice(map))
    }

    /// The memory as a mutable slice of plain values.
    #[inline(always)]
    pub fn view_mut<T: bytemuck::Pod>(&mut self) -> &mut [T] {
        self.map
            .as_mut()
            .map_or(&mut [], |map| bytemuck::cast_slice_mut(map))
    }
}
