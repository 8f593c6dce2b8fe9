//! Position texts as fields: errors that say where they are, numbers, and boards of one letter a point.

use super::fen::{FieldFault, PositionError};
use super::{character_of, quoted};
use crate::game::PointSet;

/// The letters of a board text.
#[derive(Clone, Copy)]
pub(super) struct Letters {
    pub white: char,
    pub black: char,
    pub empty: char,
    /// Letters that stand for something no rule here makes, and what that is.
    pub refused: &'static [(char, &'static str)],
}

impl Letters {
    /// The letter of a point.
    pub fn letter(&self, (white, black): (PointSet, PointSet), p: usize) -> char {
        match (white >> p & 1, black >> p & 1) {
            (0, 0) => self.empty,
            (0, _) => self.black,
            _ => self.white,
        }
    }

    /// The men as text, in groups of points.
    pub fn write(&self, men: (PointSet, PointSet), order: &[Vec<usize>]) -> String {
        let group = |group: &Vec<usize>| group.iter().map(|&p| self.letter(men, p)).collect();
        let groups: Vec<String> = order.iter().map(group).collect();
        groups.join("/")
    }

    fn problem(&self, letter: char) -> String {
        match self.refused.iter().find(|(refused, _)| *refused == letter) {
            Some((_, what)) => format!("`{letter}` {what}"),
            None => format!(
                "`{letter}` is none of {} (White), {} (Black), {} (empty)",
                self.white, self.black, self.empty
            ),
        }
    }
}

/// The fields of a text, with the text for saying where they are.
pub(super) struct Fields<'a> {
    text: &'a str,
    fields: Vec<&'a str>,
    names: &'static [&'static str],
}

impl<'a> Fields<'a> {
    /// Fields, which are parts of the text, and what each of them is.
    pub fn new(text: &'a str, fields: &[&'a str], names: &'static [&'static str]) -> Self {
        Fields {
            text,
            fields: fields.to_vec(),
            names,
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.fields.len()
    }

    /// Field `field`, from 1; empty if there is none.
    pub fn get(&self, field: usize) -> &'a str {
        self.fields.get(field - 1).copied().unwrap_or_default()
    }

    /// The number, from 1, of the character at which a field begins.
    fn character(&self, field: usize) -> usize {
        let token = self.fields.get(field - 1).copied().unwrap_or(self.text);
        character_of(self.text, token)
    }

    /// That no game leads there, which this field shows.
    pub fn impossible(&self, field: usize, reason: String) -> PositionError {
        PositionError::Impossible {
            field,
            character: self.character(field),
            reason,
        }
    }

    /// An error in field `field` (from 1), `skip` characters after its start.
    pub fn error(&self, field: usize, skip: usize, problem: impl Into<String>) -> PositionError {
        self.fault(FieldFault::Text, field, skip, problem.into())
    }

    /// An error in field `field`, whose number is one that the game does not have.
    pub fn foreign(&self, field: usize, problem: String) -> PositionError {
        self.fault(FieldFault::Game, field, 0, problem)
    }

    fn fault(
        &self,
        fault: FieldFault,
        field: usize,
        skip: usize,
        problem: String,
    ) -> PositionError {
        PositionError::Field {
            field,
            name: self
                .names
                .get(field - 1)
                .copied()
                .unwrap_or("an extra field"),
            character: self.character(field) + skip,
            fault,
            problem,
        }
    }

    /// A field that is one of these words, as the number of the word.
    pub fn word(&self, field: usize, words: &[&str]) -> Result<usize, PositionError> {
        let found = self.get(field);
        words.iter().position(|word| *word == found).ok_or_else(|| {
            let found = quoted(found);
            let problem = match words {
                [a, b] => format!("`{found}` is neither {a} nor {b}"),
                _ => format!("`{found}` is none of {}", words.join(", ")),
            };
            self.error(field, 0, problem)
        })
    }

    /// A field that is a number, and at least `least`.
    pub fn number(&self, field: usize, least: i64) -> Result<i64, PositionError> {
        self.number_in(field, self.get(field), least)
    }

    /// A part of a field that is a number.
    pub fn number_in(&self, field: usize, part: &str, least: i64) -> Result<i64, PositionError> {
        let skip = character_of(self.get(field), part) - 1;
        // The standard library would take a plus sign, which no program writes.
        let number = Some(part).filter(|part| !part.starts_with('+'));
        match number.unwrap_or_default().parse::<i64>() {
            Ok(number) if number >= least => Ok(number),
            Ok(number) => Err(self.error(field, skip, format!("{number} is less than {least}"))),
            Err(_) => Err(self.error(field, skip, format!("`{}` is not a number", quoted(part)))),
        }
    }

    /// A field that is a board: the men of White and of Black.
    pub fn men(
        &self,
        field: usize,
        order: &[Vec<usize>],
        letters: Letters,
    ) -> Result<(PointSet, PointSet), PositionError> {
        let groups: Vec<&str> = self.get(field).split('/').collect();
        if groups.len() != order.len() {
            let shape: Vec<_> = order.iter().map(|group| group.len().to_string()).collect();
            let problem = format!(
                "{} groups instead of {} ({})",
                groups.len(),
                order.len(),
                shape.join("/")
            );
            return Err(self.error(field, 0, problem));
        }
        let (mut white, mut black, mut at) = (0, 0, 0);
        for (i, (text, group)) in groups.iter().zip(order).enumerate() {
            let length = text.chars().count();
            if length != group.len() {
                let problem = format!("group {} has {length} points, not {}", i + 1, group.len());
                return Err(self.error(field, at, problem));
            }
            for (man, &point) in text.chars().zip(group) {
                match man {
                    _ if man == letters.white => white |= 1 << point,
                    _ if man == letters.black => black |= 1 << point,
                    _ if man == letters.empty => {}
                    other => return Err(self.error(field, at, letters.problem(other))),
                }
                at += 1;
            }
            at += 1;
        }
        Ok((white, black))
    }
}
