//! The machine this runs on: what a run may use, and what its figures have to be seen against.

use std::path::Path;

use serde::Serialize;
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// The machine, as figures are quoted with it.
#[derive(Debug, Serialize)]
pub struct Machine {
    /// Model of the processor.
    processor: String,
    /// Cores this process may use.
    cores: usize,
    /// Memory in bytes.
    memory_bytes: u64,
    /// Operating system and its version.
    system: String,
}

impl Machine {
    /// This machine.
    pub fn here() -> Machine {
        let system = System::new_with_specifics(
            RefreshKind::nothing()
                .with_cpu(CpuRefreshKind::nothing())
                .with_memory(MemoryRefreshKind::nothing().with_ram()),
        );
        Machine {
            processor: system
                .cpus()
                .first()
                .map_or(String::new(), |cpu| cpu.brand().to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: system.total_memory(),
            system: System::long_os_version().unwrap_or_default(),
        }
    }
}

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
