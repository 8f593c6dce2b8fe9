//! Files that commands write beside databases.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::Path;

use super::failure::Failure;

/// The folder a file is in.
fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Whether a file is written where it is instead of being replaced: a device, such as `/dev/null`, a pipe, or
/// what a link leads to, such as `/dev/stdout`.
fn stays(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Makes sure that [`write_whole`] can write a file, whose folder it makes.
pub fn try_writing(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if stays(path) && path.exists() {
        // Opening a pipe would wait for its reader.
        let pipe = path.metadata()?.file_type().is_fifo();
        return match pipe {
            true => Ok(()),
            false => File::options().append(true).open(path).map(drop),
        };
    }
    let folder = folder_of(path);
    if folder.exists() && !folder.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    fs::create_dir_all(folder)?;
    tempfile::NamedTempFile::new_in(folder)
        .map(drop)
        .map_err(|error| error.kind().into())
}

/// Writes a file that is complete under its name or not there, and replaces what was there before; devices, pipes
/// and links stay what they are. Makes the folder it belongs in.
pub fn write_whole(path: &Path, text: &str) -> Result<(), Failure> {
    let cannot =
        |error: io::Error| Failure::fault(format!("cannot write {}: {error}", path.display()));
    if stays(path) {
        return fs::write(path, text).map_err(cannot);
    }
    let folder = folder_of(path);
    fs::create_dir_all(folder).map_err(cannot)?;
    // For all whom the user's mask lets read it: temporary files are their owner's alone otherwise.
    let mut file = tempfile::Builder::new()
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)
        .map_err(cannot)?;
    file.write_all(text.as_bytes()).map_err(cannot)?;
    file.persist(path).map_err(|error| cannot(error.error))?;
    Ok(())
}
