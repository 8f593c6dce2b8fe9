//! What decides between turns that are worth the same, for commands that play.

use clap::{Args, ValueEnum};
use millbase::probe::Ties;
use millbase::uci::MOST_SEED;

/// The options.
#[derive(Debug, Args)]
pub struct Choosing {
    /// What decides between turns that are worth the same
    #[arg(long, value_enum, default_value_t = TieRule::FewestDrawing)]
    ties: TieRule,
    /// Where chance decides: another number, other turns
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TieRule {
    /// That after which the opponent has the fewest turns that keep what he has, then chance
    FewestDrawing,
    /// The first in the order of points
    First,
    /// Chance
    Random,
}

impl Choosing {
    /// The rule that was asked for.
    pub fn ties(&self) -> Ties {
        match self.ties {
            TieRule::FewestDrawing => Ties::FewestDrawing,
            TieRule::First => Ties::First,
            TieRule::Random => Ties::Random,
        }
    }
}
