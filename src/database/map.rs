//! How the bytes of finished files are reached: the only place of this module that needs `unsafe`.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use memmap2::Mmap;

/// How a database reads its files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Io {
    /// Through memory maps: the quickest.
    #[default]
    Map,
    /// By reading (`pread`) what is needed when it is needed, for file systems on which maps are slow or
    /// files may shrink while they are read. No file stays open.
    Read,
}

/// A finished file, read in pieces.
#[derive(Debug)]
pub enum Source {
    Map(Map),
    Read { path: PathBuf, len: u64 },
}

impl Source {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be opened or mapped.
    pub fn open(path: &Path, io: Io) -> io::Result<Source> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        match io {
            Io::Map => Map::new(&file).map(Source::Map),
            Io::Read => {
                let path = path.to_owned();
                Ok(Source::Read {
                    path,
                    len: metadata.len(),
                })
            }
        }
    }

    /// Length of the file when it was opened.
    pub fn len(&self) -> u64 {
        match self {
            Source::Map(map) => map.0.len() as u64,
            Source::Read { len, .. } => *len,
        }
    }

    /// Some bytes of the file.
    ///
    /// # Errors
    /// When the file ends before them or cannot be read.
    pub fn bytes(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        if range.start > range.end || range.end > self.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        match self {
            Source::Map(map) => Ok(Cow::Borrowed(
                &map.0[range.start as usize..range.end as usize],
            )),
            Source::Read { path, .. } => {
                let mut bytes = vec![0; (range.end - range.start) as usize];
                read_exact_at(&File::open(path)?, &mut bytes, range.start)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }

    /// Gives the memory of a map back to the system; it comes again when it is touched.
    pub fn release(&self) {
        if let Source::Map(map) = self {
            map.release();
        }
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(not(unix))]
fn read_exact_at(mut file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    use std::io::{Read, Seek};
    file.seek(io::SeekFrom::Start(offset))?;
    file.read_exact(bytes)
}

/// A file as a slice of bytes, read by the system when it is touched.
#[derive(Debug)]
pub struct Map(Mmap);

impl Map {
    /// Maps a whole file for reading.
    ///
    /// # Contract
    /// The file must stay as it is while it is mapped. This module keeps its side: files are written under
    /// another name, renamed when complete and never changed afterwards. Somebody else who cuts a file
    /// short while it is read makes the system stop the program (SIGBUS); somebody who overwrites it makes
    /// checksums fail. [`Io::Read`] is for files that may shrink.
    fn new(file: &File) -> io::Result<Map> {
        // SAFETY: the map is read-only and private to this process's view, and the contract above keeps
        // the file unchanged. Readers copy bytes out and check them; none relies on two reads agreeing.
        unsafe { Mmap::map(file) }.map(Map)
    }

    #[cfg(unix)]
    fn release(&self) {
        // SAFETY: the map is of a file and read-only, so pages that are given up come back with the same
        // bytes when they are touched again; slices handed out stay valid.
        // That the system may decline is no loss: the memory just stays in use.
        let _ = unsafe { self.0.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
    }

    #[cfg(not(unix))]
    fn release(&self) {}
}
