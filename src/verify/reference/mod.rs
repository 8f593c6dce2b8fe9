//! Comparison with published figures.
//!
//! Others have solved nine men's morris, twelve men's and Lasker's game with programs of their own. What they
//! published is built in (`data/reference/`, where each file names its source), and a database can be held
//! against it:
//!
//! ```text
//! table                    compared   differ
//! movement sectors               49        0     counts and longest distances
//! sectors of Malom               12        0
//! positions of Malom          1,855        0     value and plies of each
//! the game                        4        0     number of positions, the start, an opening
//! ```

mod published;

use std::fmt::{self, Display};

use serde::Serialize;

use crate::database::{Contents, Database, Statistics};
use crate::game::{PointSet, Position, Sector, Side, Variant};
use crate::notation::{play_moves, write_turn};
use crate::probe::{Answer, Choice, ProbeError, Probed, Prober};
use crate::value::Outcome;
use published::{GAMES, Published, SECTORS, number, rows};

/// How one table of figures compares with a database.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// What the table is about.
    pub table: &'static str,
    /// Rows that were compared.
    pub compared: usize,
    /// Rows about sectors that the database lacks.
    pub absent: usize,
    /// Rows that differ: what, the published figure, the database's.
    pub differences: Vec<Difference>,
}

/// A figure that is not as published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The sector, position or fact.
    pub of: String,
    /// As published.
    pub published: String,
    /// As in the database.
    pub found: String,
}

impl Comparison {
    fn new(table: &'static str) -> Self {
        Comparison {
            table,
            ..Comparison::default()
        }
    }

    fn row<T: PartialEq + Display>(&mut self, of: impl Display, published: T, found: T) {
        self.compared += 1;
        if published != found {
            self.differences.push(Difference {
                of: of.to_string(),
                published: published.to_string(),
                found: found.to_string(),
            });
        }
    }
}

/// Why a database was not compared.
#[derive(Debug, thiserror::Error)]
pub enum ReferenceError {
    /// No figures are known about the game.
    #[error(
        "no published figures of '{variant}' are built in; there are some of {}",
        published::names()
    )]
    NoFigures {
        /// The variant's id.
        variant: String,
    },
    /// Figures are known about a game of this id, but with other rules.
    #[error("the published figures of '{variant}' are of other rules than this game's")]
    OtherRules {
        /// The variant's id.
        variant: String,
    },
    /// The database has other distances.
    #[error(
        "the published figures count plies to the end of the game; the database holds conversions"
    )]
    Conversions,
    /// The database cannot be read.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// Compares a database with all figures that are built in for its game.
///
/// A database of values alone is compared without distances; sectors it lacks are left out and counted.
///
/// # Errors
/// When no figures are known of its game and rules, it holds conversions, or it cannot be read.
pub fn compare(database: &Database) -> Result<Vec<Comparison>, ReferenceError> {
    let variant = database.variant();
    let Some(published) = GAMES.iter().find(|game| game.is(variant)) else {
        let id = variant.id.clone();
        return Err(match GAMES.iter().any(|game| game.id == id) {
            true => ReferenceError::OtherRules { variant: id },
            false => ReferenceError::NoFigures { variant: id },
        });
    };
    if database.contents() == Contents::Conversions {
        return Err(ReferenceError::Conversions);
    }
    let movement = published.movement.map(|table| movement(database, table));
    let others = [
        sectors(database, published),
        positions(database, published)?,
        game(database, published)?,
    ];
    Ok(movement.into_iter().chain(others).collect())
}

/// Counts and longest distances of a sector in one comparable text.
#[derive(PartialEq)]
struct Figures {
    win: u64,
    draw: u64,
    loss: u64,
    longest: Option<(u16, u16)>,
}

impl Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} won, {} drawn, {} lost",
            self.win, self.draw, self.loss
        )?;
        match self.longest {
            Some((win, loss)) => write!(f, ", at most {win} and {loss} plies"),
            None => Ok(()),
        }
    }
}

impl Figures {
    fn of(statistics: &Statistics, contents: Contents) -> Figures {
        let longest = (
            statistics.longest_win.unwrap_or(0),
            statistics.longest_loss.unwrap_or(0),
        );
        Figures {
            win: statistics.win,
            draw: statistics.draw,
            loss: statistics.loss,
            longest: (contents == Contents::Distances).then_some(longest),
        }
    }
}

fn statistics(database: &Database, sector: Sector) -> Option<&Statistics> {
    let sectors = &database.manifest().sectors;
    sectors
        .iter()
        .find(|record| record.sector == sector)
        .map(|record| &record.statistics)
}

fn compare_sector(
    comparison: &mut Comparison,
    database: &Database,
    sector: Sector,
    mut published: Figures,
) {
    match statistics(database, sector) {
        None => comparison.absent += 1,
        Some(statistics) => {
            let found = Figures::of(statistics, database.contents());
            if found.longest.is_none() {
                published.longest = None;
            }
            comparison.row(sector, published, found);
        }
    }
}

fn movement(database: &Database, table: &'static str) -> Comparison {
    let mut comparison = Comparison::new("movement sectors");
    for row in rows(table) {
        let sector = Sector {
            mover: number(row[0]),
            opponent: number(row[1]),
            mover_hand: 0,
            opponent_hand: 0,
        };
        let published = Figures {
            win: number(row[2]),
            loss: number(row[3]),
            draw: number(row[4]),
            longest: Some((number(row[5]), number(row[6]))),
        };
        compare_sector(&mut comparison, database, sector, published);
    }
    comparison
}

fn sectors(database: &Database, published: &Published) -> Comparison {
    let mut comparison = Comparison::new("sectors of Malom");
    for row in rows(SECTORS) {
        let mut name = row[0].split('_');
        if name.next() != Some(published.malom) {
            continue;
        }
        let numbers: Vec<u8> = name.map(number).collect();
        let sector = Sector {
            mover: numbers[0],
            opponent: numbers[1],
            mover_hand: numbers[2],
            opponent_hand: numbers[3],
        };
        let published = Figures {
            win: number(row[2]),
            draw: number(row[3]),
            loss: number(row[4]),
            longest: Some((number(row[8]), number(row[9]))),
        };
        compare_sector(&mut comparison, database, sector, published);
    }
    comparison
}

/// A value as the tables write it: `win 47`, `draw`; without distances `win` for both.
fn value_text(answer: Answer, distances: bool) -> String {
    let Some(Probed { outcome, plies }) = answer.known() else {
        return "unknown".to_owned();
    };
    match plies.filter(|_| distances) {
        Some(plies) => format!("{outcome} {plies}"),
        None => outcome.to_string(),
    }
}

fn positions(database: &Database, published: &Published) -> Result<Comparison, ReferenceError> {
    let mut comparison = Comparison::new("positions of Malom");
    let prober = Prober::new(database);
    for row in rows(published.positions) {
        let position = Position {
            mover: men(database.variant(), row[0]),
            opponent: men(database.variant(), row[1]),
            mover_hand: number(row[2]),
            opponent_hand: number(row[3]),
            side: Side::White,
        };
        if !database.has(position.sector()) {
            comparison.absent += 1;
            continue;
        }
        let probed = prober.value(&position, 0)?;
        let distances = database.contents() == Contents::Distances;
        let value = match row[5] {
            "-" => row[4].to_owned(),
            _ if !distances => row[4].to_owned(),
            plies => format!("{} {plies}", row[4]),
        };
        let found = value_text(probed, distances);
        comparison.row(
            format_args!("{} / {} +{}-{}", row[0], row[1], row[2], row[3]),
            value,
            found,
        );
    }
    Ok(comparison)
}

/// The points of a list such as `a4,d7`; `-` is none.
fn men(variant: &Variant, list: &str) -> PointSet {
    let points = list
        .split(',')
        .filter_map(|label| variant.board.point(label));
    points.fold(0, |set, point| set | 1 << point)
}

fn game(database: &Database, published: &Published) -> Result<Comparison, ReferenceError> {
    let mut comparison = Comparison::new("the game");
    let (variant, prober) = (database.variant(), Prober::new(database));
    let records = &database.manifest().sectors;
    if records.len() < published.all_sectors {
        comparison.absent = 3 + usize::from(published.opening.is_some());
        return Ok(comparison);
    }
    comparison.row("sectors", published.all_sectors, records.len());
    let all: u64 = records
        .iter()
        .map(|record| record.statistics.positions())
        .sum();
    comparison.row("positions", published.all_positions, all);
    let distances = database.contents() == Contents::Distances;
    let (outcome, plies) = published.start;
    let known = Answer::Known(Probed { outcome, plies });
    let start = variant.start();
    comparison.row(
        "the start position",
        value_text(known, distances),
        value_text(prober.value(&start, 0)?, distances),
    );
    if let Some((opening, reply, plies)) = published.opening
        && let Ok(read) = play_moves(variant, &start.into(), opening)
    {
        let ranked = prober.ranked(&read.position, read.removals_due)?;
        let wins = ranked.iter().filter(|ranked| {
            let known = ranked.answer.known();
            known.is_some_and(|probed| probed.outcome == Outcome::Win)
        });
        let wins = wins.map(|ranked| {
            let Choice::Turn(turn) = ranked.choice else {
                return String::new();
            };
            let value = value_text(ranked.answer, distances);
            format!("{} {value}", write_turn(&variant.board, &turn))
        });
        let known = Answer::Known(Probed {
            outcome: Outcome::Win,
            plies: Some(plies),
        });
        comparison.row(
            format_args!("winning turns after {opening}"),
            format!("{reply} {}", value_text(known, distances)),
            wins.collect::<Vec<_>>().join(", "),
        );
    }
    Ok(comparison)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_to_the_last_row() {
        for game in &GAMES {
            let variant = Variant::builtin(game.id).unwrap();
            assert!(game.is(&variant));
            for row in game.movement.into_iter().flat_map(rows) {
                let numbers = row.iter().all(|n| n.parse::<u32>().is_ok());
                assert!(row.len() == 7 && numbers, "{row:?}");
            }
            for row in rows(game.positions) {
                for list in &row[..2] {
                    let listed = list.split(',').filter(|point| *point != "-").count();
                    let found = men(&variant, list).count_ones() as usize;
                    assert_eq!(found, listed, "{row:?}");
                }
                assert!(row[5] == "-" || row[5].parse::<u16>().is_ok(), "{row:?}");
                assert_eq!(row[5] == "-", row[4] == "draw", "{row:?}");
            }
        }
        let counts = GAMES.map(|game| rows(game.positions).count());
        assert_eq!(counts, [1_855, 425, 225]);
        for (game, sectors) in GAMES.iter().zip([12, 4, 3]) {
            let of_game = rows(SECTORS).filter(|row| row[0].split('_').next() == Some(game.malom));
            assert_eq!(of_game.count(), sectors);
        }
        for row in rows(SECTORS) {
            let numbers = row[1..].iter().all(|n| n.parse::<i64>().is_ok());
            assert!(row.len() == 10 && numbers, "{row:?}");
        }
    }
}
