//! What a run may use of the machine.

use std::path::Path;

use sysinfo::System;

/// Bytes of memory a process can still get: of the system, or of its control group if that is less.
pub fn available_memory() -> u64 {
    let mut system = System::new();
    system.refresh_memory();
    // What the group has cached of files counts as used but is given up when memory is wanted.
    let group = system
        .cgroup_limits()
        .map(|limits| limits.total_memory.saturating_sub(limits.rss))
        .filter(|&free| free > 0);
    system.available_memory().min(group.unwrap_or(u64::MAX))
}

/// Bytes a user can still write to the file system of a folder that may not exist yet; `None` if unknown.
pub fn available_disk(folder: &Path) -> Option<u64> {
    let absolute = std::path::absolute(folder).ok()?;
    let there = absolute.ancestors().find(|path| path.exists())?;
    let space = rustix::fs::statvfs(there).ok()?;
    Some(space.f_bavail.saturating_mul(space.f_frsize))
}

/// Bytes that the files in a folder take on disk, those in its folders included; 0 if it is not there.
pub fn taken_disk(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => taken_disk(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

/// Reads a number of GiB, such as `16` or `0.5`, as bytes.
pub fn gibibytes(text: &str) -> Result<u64, String> {
    let number = text.parse::<f64>().ok();
    // 8 EiB are the most that bytes are counted for.
    let sensible = number.filter(|&number| number > 0.0 && number < (1u64 << 33) as f64);
    let bytes = sensible.map(|number| (number * (1u64 << 30) as f64) as u64);
    bytes.ok_or_else(|| format!("'{text}' is no number of GiB, such as 16 or 0.5"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gibibytes_are_positive_numbers() {
        assert_eq!(gibibytes("16"), Ok(16 << 30));
        assert_eq!(gibibytes("0.5"), Ok(1 << 29));
        for wrong in ["", "-1", "0", "many", "NaN", "inf", "1e30", "16 GiB"] {
            assert!(gibibytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn files_in_folders_count() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("inner")).unwrap();
        std::fs::write(folder.path().join("a"), "12345").unwrap();
        std::fs::write(folder.path().join("inner/b"), "123").unwrap();
        assert_eq!(taken_disk(folder.path()), 8);
        assert_eq!(taken_disk(&folder.path().join("none")), 0);
    }
}
