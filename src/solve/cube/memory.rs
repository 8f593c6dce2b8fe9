//! Large zeroed memory in huge pages.
//!
//! The planes are visited in random order; with 4 KiB pages the address translation alone would double
//! the time. Pages come straight from the system, so a refusal is an error and not an abort.

use memmap2::MmapMut;

/// The system refused memory.
#[derive(Debug, thiserror::Error)]
#[error("the system does not grant {bytes} bytes of memory: {source}")]
pub struct OutOfMemory {
    /// What was asked for.
    pub bytes: usize,
    /// What the system said.
    pub source: std::io::Error,
}

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
