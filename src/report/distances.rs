//! How many positions are how far from the end of the game.

use crate::database::Histogram;

use super::Layer;

/// The distances of a phase of the game.
#[derive(Debug)]
pub struct Distances {
    /// Whether it is the movement phase, with empty hands; else that of placing.
    pub movement: bool,
    /// Won positions by plies.
    pub wins: Histogram,
    /// Lost positions by plies.
    pub losses: Histogram,
}

/// The distances of both phases, as far as the manifest has them.
pub(super) fn of(layers: &[Layer<'_>]) -> Vec<Distances> {
    let phase = |movement: bool| {
        let (mut wins, mut losses) = (Histogram::default(), Histogram::default());
        let layers = layers.iter();
        let layers = layers.filter(|layer| (layer.in_hand == 0) == movement);
        for record in layers.flat_map(Layer::sectors) {
            wins.add(&record.statistics.wins_in);
            losses.add(&record.statistics.losses_in);
        }
        Distances {
            movement,
            wins,
            losses,
        }
    };
    let phases = [true, false].map(phase).into_iter();
    let counted = |phase: &Distances| !phase.wins.is_empty() || !phase.losses.is_empty();
    phases.filter(counted).collect()
}
