//! Memory maps of finished files: the only place of this module that needs `unsafe`.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

/// A file as a slice of bytes, read by the system when it is touched.
#[derive(Debug)]
pub struct Map(Mmap);

impl Map {
    /// Maps a whole file for reading.
    ///
    /// # Contract
    /// The file must stay as it is while it is mapped. This module keeps its side: sector files are
    /// written under another name, renamed when complete and never changed afterwards. Somebody else who
    /// cuts a file short while it is read makes the system stop the program (SIGBUS); somebody who
    /// overwrites it makes checksums fail.
    ///
    /// # Errors
    /// When the file cannot be opened or mapped.
    pub fn open(path: &Path) -> io::Result<Map> {
        let file = File::open(path)?;
        // SAFETY: the map is read-only and private to this process's view, and the contract above keeps
        // the file unchanged. Readers copy bytes out and check them; none relies on two reads agreeing.
        unsafe { Mmap::map(&file) }.map(Map)
    }
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
