//! What an entry of a sector file says.

use thiserror::Error;

use super::sec2::Keys;
use super::{Form, sec};

/// An entry of a sector file, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Won in so many plies, to the end of the game.
    Win(u32),
    /// Lost in so many plies.
    Loss(u32),
    /// Drawn. With the [count](super::counts) that Malom's solver has left, if the file tells it.
    Draw(Option<u32>),
    /// No position of its own: this operation leads to the entry that speaks for it.
    Redirect(u8),
}

/// Operations that redirects name. The last of the 16, which changes nothing, is none of them.
pub const OPS: u8 = 15;

/// Why an entry says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Flaw {
    /// There is no such operation.
    #[error("it redirects by operation {0}, and there are only those from 0 to 14")]
    Operation(i64),
    /// The list of exceptions at the end of the file lacks it.
    #[error("it refers to the list of exceptions, which does not have it")]
    NoException,
    /// A decided position has a negative distance.
    #[error("it is decided in {0} plies")]
    Distance(i32),
}

/// How entries are written in the file of one sector.
#[derive(Clone, Copy, Debug)]
pub enum Coding {
    /// The form with values of sectors.
    Sec2(Keys),
    /// The form without.
    Sec,
}

impl Coding {
    /// The form that is written so.
    pub fn form(&self) -> Form {
        match self {
            Coding::Sec2(_) => Form::Sec2,
            Coding::Sec => Form::Sec,
        }
    }

    /// Bytes of an entry.
    pub fn entry_bytes(&self) -> usize {
        entry_bytes(self.form())
    }

    /// What a file begins with.
    pub fn header(&self) -> Vec<u8> {
        match self {
            Coding::Sec2(keys) => keys.header().to_vec(),
            Coding::Sec => Vec::new(),
        }
    }

    /// Writes an entry; what does not fit there is to be put into the list of exceptions.
    pub fn encode(&self, entry: Entry, bytes: &mut [u8]) -> Option<i32> {
        match self {
            Coding::Sec2(keys) => keys.encode(entry, bytes),
            Coding::Sec => sec::encode(entry, bytes),
        }
    }

    /// Reads an entry; `exception` finds it in the list of exceptions.
    pub fn decode(
        &self,
        bytes: &[u8],
        exception: impl FnOnce() -> Option<i32>,
    ) -> Result<Entry, Flaw> {
        match self {
            Coding::Sec2(keys) => keys.decode(bytes, exception),
            Coding::Sec => sec::decode(bytes, exception),
        }
    }
}

/// Bytes of an entry.
pub fn entry_bytes(form: Form) -> usize {
    match form {
        Form::Sec2 => 3,
        Form::Sec => 1,
    }
}

/// Bytes of what a file begins with.
pub fn header_bytes(form: Form) -> usize {
    match form {
        Form::Sec2 => super::sec2::HEADER,
        Form::Sec => 0,
    }
}
