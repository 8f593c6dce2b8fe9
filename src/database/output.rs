//! Files that appear under their name only when they are complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::error::{DatabaseError, IoContext};
use super::folder::partial_path;

/// A file under a provisional name, deleted unless it is completed.
struct PartialFile {
    partial: PathBuf,
    path: PathBuf,
    completed: bool,
}

impl PartialFile {
    fn create(path: &Path) -> Result<(PartialFile, File), DatabaseError> {
        let partial = partial_path(path);
        let file = File::create(&partial).or_io("create", &partial)?;
        let path = path.to_owned();
        let completed = false;
        Ok((
            PartialFile {
                partial,
                path,
                completed,
            },
            file,
        ))
    }

    fn complete(mut self) -> Result<(), DatabaseError> {
        fs::rename(&self.partial, &self.path).or_io("rename", &self.partial)?;
        self.completed = true;
        Ok(())
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if !self.completed {
            // The error that led here is the one to tell.
            let _ = fs::remove_file(&self.partial);
        }
    }
}

/// A file in the making: counts and digests what goes into it.
pub struct Output {
    partial: PartialFile,
    file: BufWriter<File>,
    hasher: blake3::Hasher,
    bytes: u64,
}

/// What went into a file.
pub struct Written {
    pub bytes: u64,
    /// BLAKE3 digest in hexadecimal digits.
    pub digest: String,
}

impl Output {
    /// Starts a file that will be called `path`.
    pub fn create(path: &Path) -> Result<Output, DatabaseError> {
        let (partial, file) = PartialFile::create(path)?;
        Ok(Output {
            partial,
            file: BufWriter::with_capacity(1 << 20, file),
            hasher: blake3::Hasher::new(),
            bytes: 0,
        })
    }

    /// What the file will be called.
    pub fn path(&self) -> &Path {
        &self.partial.path
    }

    /// Adds bytes to the file.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), DatabaseError> {
        self.file
            .write_all(bytes)
            .or_io("write", &self.partial.path)?;
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Gives the file its name; a durable one not before the disk has it, so that it outlives a power failure.
    pub fn finish(self, durable: bool) -> Result<Written, DatabaseError> {
        let path = &self.partial.path;
        let file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error);
        let file = file.or_io("write", path)?;
        if durable {
            file.sync_all().or_io("write", path)?;
        }
        drop(file);
        self.partial.complete()?;
        Ok(Written {
            bytes: self.bytes,
            digest: self.hasher.finalize().to_hex().to_string(),
        })
    }
}
