//! Why a command failed, and whose fault it is.
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | done |
//! | 1 | the machine's or the program's fault: disk, memory, a damaged database |
//! | 2 | the user's mistake: unknown variant, impossible position, another process in the folder |
//! | 3 | a check found differences |
//! | 130, 143 | [interrupted](super::interrupt) by SIGINT, by SIGTERM |

use std::fmt;
use std::io;
use std::path::Path;

use millbase::database::DatabaseError;
use millbase::game::VariantError;
use millbase::malom::MalomError;
use millbase::notation::{PositionError, TurnError};
use millbase::probe::ProbeError;
use millbase::solve::{MovementSourceError, SolveError};
use millbase::verify::VerifyError;
use millbase::verify::compare::CompareError;
use millbase::verify::consistency::ConsistencyError;
use millbase::verify::reference::ReferenceError;

/// A failed command: one sentence for the user and an exit code.
#[derive(Debug)]
pub struct Failure {
    message: String,
    exit_code: u8,
    broken_pipe: bool,
}

/// The machine's or the program's fault.
const OURS: u8 = 1;
/// The user's mistake.
const THEIRS: u8 = 2;

impl Failure {
    /// A mistake of the user.
    pub fn mistake(message: impl Into<String>) -> Failure {
        Failure {
            message: message.into(),
            exit_code: THEIRS,
            broken_pipe: false,
        }
    }

    /// A fault of the machine or the program.
    pub fn fault(message: impl Into<String>) -> Failure {
        Failure {
            message: message.into(),
            exit_code: OURS,
            broken_pipe: false,
        }
    }

    /// The same with more to say at the end of the sentence.
    pub fn with(mut self, more: &str) -> Failure {
        self.message += more;
        self
    }

    /// Output could not be written.
    pub fn output(error: io::Error) -> Failure {
        Failure {
            broken_pipe: error.kind() == io::ErrorKind::BrokenPipe,
            ..Failure::fault(format!("cannot write the answer: {error}"))
        }
    }

    /// The code to leave with.
    pub fn exit_code(&self) -> u8 {
        self.exit_code
    }

    /// Whether nobody wants the rest of the output, which is no failure.
    pub fn is_broken_pipe(&self) -> bool {
        self.broken_pipe
    }

    fn new(error: &(dyn std::error::Error + 'static), mistake: bool) -> Failure {
        let mut message = error.to_string();
        if lacks_space(error) {
            message += "; make room and give the same command again";
        }
        if mistake {
            Failure::mistake(message)
        } else {
            Failure::fault(message)
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<DatabaseError> for Failure {
    fn from(error: DatabaseError) -> Failure {
        Failure::new(&error, is_mistake(&error))
    }
}

/// Whether a full disk, or a limit on what may be written, is behind an error.
fn lacks_space(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut next = Some(error);
    let mut causes = std::iter::from_fn(|| {
        let error = next?;
        next = error.source();
        Some(error)
    });
    causes.any(|cause| {
        let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        matches!(
            kind,
            Some(
                io::ErrorKind::StorageFull
                    | io::ErrorKind::QuotaExceeded
                    | io::ErrorKind::FileTooLarge
            )
        )
    })
}

/// Whether another folder, or another question, would have helped.
fn is_mistake(error: &DatabaseError) -> bool {
    match error {
        DatabaseError::Io { path, source, .. } => !is_sector_file(path) && is_users(source.kind()),
        DatabaseError::NotADatabase { path, .. } | DatabaseError::Version { path, .. } => {
            !is_sector_file(path)
        }
        DatabaseError::Unfinished { .. }
        | DatabaseError::OtherTask { .. }
        | DatabaseError::Locked { .. }
        | DatabaseError::AlreadyThere { .. }
        | DatabaseError::Occupied { .. }
        | DatabaseError::OtherVariant { .. }
        | DatabaseError::NeedsPast { .. }
        | DatabaseError::NoSector { .. }
        | DatabaseError::CannotPack { .. }
        | DatabaseError::NeededBy { .. }
        | DatabaseError::NoCell { .. } => true,
        _ => false,
    }
}

/// Whether the system refused because of what the user asked for.
fn is_users(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::NotFound
            | io::ErrorKind::PermissionDenied
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::IsADirectory
            | io::ErrorKind::AlreadyExists
            | io::ErrorKind::ReadOnlyFilesystem
    )
}

/// Whether a path is that of a sector file. The user names the folder, so what is wrong with a part of
/// it is no mistake of his.
fn is_sector_file(path: &Path) -> bool {
    path.extension().is_some_and(|ending| {
        ["sector", "values", "distances", "partial"]
            .iter()
            .any(|ours| ending == *ours)
    })
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        let mistake = match &error {
            SolveError::Plain(_)
            | SolveError::NothingToSolve { .. }
            | SolveError::OtherLimit { .. }
            | SolveError::PartWithoutPast { .. }
            | SolveError::ValuesOfConversions => true,
            SolveError::Database(error)
            | SolveError::MovementSource(MovementSourceError::Database(error)) => is_mistake(error),
            SolveError::MovementSource(MovementSourceError::Unfit { .. }) => true,
            _ => false,
        };
        Failure::new(&error, mistake)
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        let mistake = match &error {
            ProbeError::Database(error) => is_mistake(error),
            ProbeError::NotAPosition(_)
            | ProbeError::NeedsCount(_)
            | ProbeError::OtherLimit { .. }
            | ProbeError::Count(_) => true,
        };
        Failure::new(&error, mistake)
    }
}

impl From<CompareError> for Failure {
    fn from(error: CompareError) -> Failure {
        match error {
            CompareError::Database(error) => error.into(),
            CompareError::Consistency(error) => error.into(),
            CompareError::OtherMetric => Failure::new(&error, true),
        }
    }
}

impl From<ConsistencyError> for Failure {
    fn from(error: ConsistencyError) -> Failure {
        match error {
            ConsistencyError::Database(error) => error.into(),
            ConsistencyError::Unsupported { .. } => Failure::new(&error, true),
        }
    }
}

impl From<VerifyError> for Failure {
    fn from(error: VerifyError) -> Failure {
        match error {
            VerifyError::Consistency(error) => error.into(),
            VerifyError::Probe(error) => error.into(),
            VerifyError::List { .. } => Failure::new(&error, false),
            VerifyError::InTheWay { .. } => Failure::new(&error, true),
        }
    }
}

impl From<ReferenceError> for Failure {
    fn from(error: ReferenceError) -> Failure {
        match error {
            ReferenceError::Probe(error) => error.into(),
            ReferenceError::NoFigures { .. }
            | ReferenceError::OtherRules { .. }
            | ReferenceError::Conversions => Failure::new(&error, true),
        }
    }
}

impl From<MalomError> for Failure {
    fn from(error: MalomError) -> Failure {
        let mistake = match error {
            MalomError::Database(error) => return (*error).into(),
            MalomError::Consistency(error) => return (*error).into(),
            MalomError::Damaged { .. } => false,
            MalomError::Io { ref source, .. } => is_users(source.kind()),
            _ => true,
        };
        Failure::new(&error, mistake)
    }
}

impl From<VariantError> for Failure {
    fn from(error: VariantError) -> Failure {
        Failure::new(&error, true)
    }
}

impl From<PositionError> for Failure {
    fn from(error: PositionError) -> Failure {
        Failure::new(&error, true)
    }
}

impl From<TurnError> for Failure {
    fn from(error: TurnError) -> Failure {
        Failure::new(&error, true)
    }
}
