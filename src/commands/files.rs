//! Files that commands write beside databases.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::failure::Failure;

/// The folder a file is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Writes a file that is complete under its name or not there, and replaces what was there before. Makes the
/// folder it belongs in.
pub fn write_whole(path: &Path, text: &str) -> Result<(), Failure> {
    let cannot =
        |error: io::Error| Failure::fault(format!("cannot write {}: {error}", path.display()));
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
