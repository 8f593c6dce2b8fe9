//! Why a request gets no answer: a status for HTTP, and the fault in JSON.
//!
//! | status | what is wrong |
//! |---|---|
//! | 400 | the request, a position text or turns are not well formed, or a turn is not legal |
//! | 404 | no such path or game, or a well-formed text that is no position of the game |
//! | 405 | another method is needed |
//! | 408, 413 | sending the request took too long; it is too large |
//! | 500 | a file of the database is damaged |
//! | 503 | the sector of the position is missing, or there was no time to answer |

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::answer::{Fault, FaultKind};
use crate::database::DatabaseError;
use crate::game::Sector;
use crate::notation::{FieldFault, ImpossiblePosition, PositionError, RecordError, TurnError};
use crate::probe::ProbeError;

/// A request that gets no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status.
    pub status: StatusCode,
    /// What is wrong.
    pub fault: Fault,
}

/// What stands in place of an answer.
#[derive(Serialize)]
pub struct ErrorBody<'a> {
    /// What is wrong.
    pub error: &'a Fault,
}

impl Refusal {
    fn new(status: StatusCode, kind: FaultKind, message: impl ToString) -> Refusal {
        let fault = Fault::new(kind, message);
        Refusal { status, fault }
    }

    /// The request cannot be read.
    pub fn malformed(message: impl ToString) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, FaultKind::Request, message)
    }

    /// There is nothing at this path.
    pub fn no_path(path: &str) -> Refusal {
        let message = format!("there is nothing at {path}; /api says what can be asked");
        Refusal::new(StatusCode::NOT_FOUND, FaultKind::Path, message)
    }

    /// There is something at this path, but not for this method.
    pub fn method(method: &str, path: &str) -> Refusal {
        let message = format!("{path} does not answer {method}; /api says what it answers");
        Refusal::new(StatusCode::METHOD_NOT_ALLOWED, FaultKind::Method, message)
    }

    /// No such game is served.
    pub fn no_variant<'a>(id: &str, served: impl Iterator<Item = &'a str>) -> Refusal {
        let served: Vec<&str> = served.collect();
        let message = format!("'{id}' is not served here; there is {}", served.join(", "));
        Refusal::new(StatusCode::NOT_FOUND, FaultKind::Variant, message)
    }

    /// The request is larger than allowed.
    pub fn too_large(message: impl ToString) -> Refusal {
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, FaultKind::Limit, message)
    }

    /// The request did not arrive in time.
    pub fn too_slow() -> Refusal {
        let message = "the body of the request did not arrive in time";
        Refusal::new(StatusCode::REQUEST_TIMEOUT, FaultKind::Time, message)
    }

    /// The answer was not found in time.
    pub fn no_time() -> Refusal {
        let message = "the answer takes too long just now; ask for less, or later";
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, FaultKind::Time, message)
    }

    /// The database lacks the sector of the position.
    pub fn missing(sector: Sector) -> Refusal {
        let message = format!("the database lacks sector {sector}, in which the position is");
        let mut refusal =
            Refusal::new(StatusCode::SERVICE_UNAVAILABLE, FaultKind::Missing, message);
        refusal.fault.missing = Some(sector.to_string());
        refusal
    }

    /// The program has a fault of its own.
    pub fn program() -> Refusal {
        let message = "the program failed to answer, which is its own fault";
        Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            FaultKind::Program,
            message,
        )
    }

    /// The fault as JSON.
    pub fn body(&self) -> Vec<u8> {
        let body = ErrorBody { error: &self.fault };
        serde_json::to_vec(&body).unwrap_or_default()
    }
}

impl From<PositionError> for Refusal {
    fn from(error: PositionError) -> Refusal {
        let status = match error {
            PositionError::Fields { .. }
            | PositionError::Field {
                fault: FieldFault::Text,
                ..
            } => StatusCode::BAD_REQUEST,
            PositionError::Field {
                fault: FieldFault::Game,
                ..
            }
            | PositionError::Impossible { .. } => StatusCode::NOT_FOUND,
        };
        let fault = error.into();
        Refusal { status, fault }
    }
}

impl From<ImpossiblePosition> for Refusal {
    fn from(error: ImpossiblePosition) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, FaultKind::Position, error)
    }
}

impl From<TurnError> for Refusal {
    fn from(error: TurnError) -> Refusal {
        let (status, fault) = (StatusCode::BAD_REQUEST, error.into());
        Refusal { status, fault }
    }
}

impl Refusal {
    /// A text that is no game; the character is counted from the start of the text.
    pub fn record(text: &str, error: &RecordError) -> Refusal {
        let before = text.split_inclusive('\n').take(error.line - 1);
        let before: usize = before.map(|line| line.chars().count()).sum();
        let mut refusal = Refusal::new(StatusCode::BAD_REQUEST, FaultKind::Moves, error);
        refusal.fault.character = Some(before + error.character);
        refusal
    }
}

impl From<ProbeError> for Refusal {
    fn from(error: ProbeError) -> Refusal {
        match error {
            ProbeError::Database(DatabaseError::NoSector { sector, .. }) => {
                let message = format!("the game has no sector {sector}");
                Refusal::new(StatusCode::NOT_FOUND, FaultKind::Position, message)
            }
            ProbeError::NotAPosition(_) => {
                Refusal::new(StatusCode::NOT_FOUND, FaultKind::Position, error)
            }
            _ => {
                let fault = error.into();
                let status = StatusCode::INTERNAL_SERVER_ERROR;
                Refusal { status, fault }
            }
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let headers = [
            (
                header::CONTENT_TYPE,
                HeaderValue::from_static("application/json"),
            ),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ];
        (self.status, headers, self.body()).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn want_of_time_and_faults_of_the_program_are_told_apart() {
        let late = Refusal::no_time();
        assert_eq!(late.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(late.fault.kind, FaultKind::Time);
        let broken = Refusal::program();
        assert_eq!(broken.status, StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(broken.fault.kind, FaultKind::Program);
    }
}
