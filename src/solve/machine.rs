//! The machine a run is made on, which its figures have to be seen against.

use serde::{Deserialize, Serialize};
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// The machine, as figures are quoted with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Model of the processor.
    pub processor: String,
    /// Cores this process may use.
    pub cores: usize,
    /// Memory in bytes.
    pub memory_bytes: u64,
    /// Operating system and its version.
    pub system: String,
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
