//! Reading position texts of any form.

use std::borrow::Cow;

use thiserror::Error;

use super::fen::{self, PositionError};
use super::possible::{Reached, impossibility};
use super::{ReadPosition, mfen};
use crate::game::Variant;

/// A position without a text to which no game leads.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("impossible position: {reason}")]
pub struct ImpossiblePosition {
    /// Why.
    pub reason: String,
}

/// The word that stands for the empty board with all men in hand.
const START: &str = "start";

/// Reads positions of a variant. It knows which numbers of men games lead to, so a reader that is kept is
/// quicker than [`read_position`].
#[derive(Clone, Debug)]
pub struct PositionReader<'a> {
    variant: Cow<'a, Variant>,
    reached: Reached,
}

impl PositionReader<'static> {
    /// A reader that keeps its variant, to be handed from thread to thread.
    pub fn owning(variant: Variant) -> PositionReader<'static> {
        PositionReader {
            reached: Reached::of(&variant),
            variant: Cow::Owned(variant),
        }
    }
}

impl<'a> PositionReader<'a> {
    /// A reader for a variant.
    pub fn new(variant: &'a Variant) -> PositionReader<'a> {
        PositionReader {
            reached: Reached::of(variant),
            variant: Cow::Borrowed(variant),
        }
    }

    /// Reads the word `start`, a text of Sanmill with 12 to 17 fields, with or without `ids:nodes`, or one
    /// that begins with `MFEN/1.0`.
    ///
    /// # Errors
    /// The text cannot be read, contradicts itself, or describes numbers of men that no game of the
    /// variant leads to.
    pub fn read(&self, text: &str) -> Result<ReadPosition, PositionError> {
        if text.trim() == START {
            return Ok(self.variant.start().into());
        }
        let read = match mfen::is_mfen(text) {
            true => mfen::read,
            false => fen::read,
        };
        read(&self.variant, &self.reached, text)
    }

    /// Checks a position that was put together without a text. No point of it may have two men.
    ///
    /// # Errors
    /// No game of the variant leads to its numbers of men, or to what is to be taken.
    pub fn check(&self, read: &ReadPosition) -> Result<(), ImpossiblePosition> {
        match impossibility(&self.variant, &self.reached, read) {
            Some((_, reason)) => Err(ImpossiblePosition { reason }),
            None => Ok(()),
        }
    }
}

/// Reads one position text, as [`PositionReader::read`].
///
/// # Errors
/// As there.
pub fn read_position(variant: &Variant, text: &str) -> Result<ReadPosition, PositionError> {
    PositionReader::new(variant).read(text)
}
