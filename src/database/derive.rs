//! Which sectors need not be stored, because one turn of look-ahead tells their values.
//!
//! A position is worth what the best of its turns is worth, so a sector can be left out if every sector
//! that its turns lead to is stored. Which are best left out is a question about a graph: its nodes are the
//! sectors, its edges join sectors one turn apart, and no two sectors left out may be joined.
//!
//! ```text
//! 9-8 --- 8-9      a slide in 9-8 leads to 8-9, and back: one of the two can go.
//!  |               8-9 has more to say (who has fewer men wins, draws and loses, who has more
//! 7-9 ...          mostly wins), so 8-9 is left out and found by looking at 9-8.
//! ```
//!
//! Sectors from which a turn leads back into themselves, such as 8-8, are always stored.

use std::collections::{BTreeMap, BTreeSet};

use crate::game::{Sector, Variant};

use super::manifest::SectorRecord;

/// Bits the results of a sector would take if nothing but their frequencies were known.
fn weight(record: &SectorRecord) -> f64 {
    let statistics = &record.statistics;
    let positions = statistics.positions() as f64;
    let bits = |count: u64| match count {
        0 => 0.0,
        _ => -(count as f64) * (count as f64 / positions).log2(),
    };
    [statistics.win, statistics.draw, statistics.loss]
        .map(bits)
        .into_iter()
        .sum()
}

/// Chooses the sectors to leave out of a database of these sectors: greedily the heaviest first, then as
/// long as putting one sector in place of those it excludes gains anything.
pub fn choose(variant: &Variant, records: &[SectorRecord]) -> BTreeSet<Sector> {
    let graph = Graph::new(variant, records);
    let mut order: Vec<Sector> = graph.weights.keys().copied().collect();
    order.sort_by(|a, b| graph.weights[b].total_cmp(&graph.weights[a]).then(a.cmp(b)));
    let mut chosen = BTreeSet::new();
    graph.add_what_fits(&order, &mut chosen);
    while let Some(better) = order.iter().find(|&&sector| graph.gains(sector, &chosen)) {
        chosen.retain(|other| !graph.joined[better].contains(other));
        chosen.insert(*better);
        graph.add_what_fits(&order, &mut chosen);
    }
    chosen
}

/// The sectors that could be left out, and which exclude each other.
struct Graph {
    weights: BTreeMap<Sector, f64>,
    joined: BTreeMap<Sector, BTreeSet<Sector>>,
}

impl Graph {
    fn new(variant: &Variant, records: &[SectorRecord]) -> Graph {
        let present: BTreeSet<Sector> = records.iter().map(|record| record.sector).collect();
        let mut joined: BTreeMap<Sector, BTreeSet<Sector>> = BTreeMap::new();
        let mut weights = BTreeMap::new();
        for record in records {
            let next = variant.sectors_after(record.sector);
            let possible = next
                .iter()
                .all(|next| present.contains(next) && *next != record.sector);
            if possible && weight(record) > 0.0 {
                weights.insert(record.sector, weight(record));
            }
            for next in next {
                joined.entry(record.sector).or_default().insert(next);
                joined.entry(next).or_default().insert(record.sector);
            }
        }
        for &sector in weights.keys() {
            joined.entry(sector).or_default();
        }
        Graph { weights, joined }
    }

    fn add_what_fits(&self, order: &[Sector], chosen: &mut BTreeSet<Sector>) {
        for sector in order {
            if self.joined[sector].is_disjoint(chosen) {
                chosen.insert(*sector);
            }
        }
    }

    /// Whether a sector outweighs all those it would put back.
    fn gains(&self, sector: Sector, chosen: &BTreeSet<Sector>) -> bool {
        let excluded = self.joined[&sector].intersection(chosen);
        let lost: f64 = excluded.map(|other| self.weights[other]).sum();
        // The margin keeps rounding from going round in circles.
        !chosen.contains(&sector) && self.weights[&sector] > lost * (1.0 + 1e-9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Statistics;
    use crate::index::Fixed;

    fn records(variant: &Variant) -> Vec<SectorRecord> {
        let record = |(i, sector): (usize, Sector)| SectorRecord {
            sector,
            cells: 100,
            fixed: Fixed::of(sector),
            derived: false,
            files: Vec::new(),
            statistics: Statistics {
                win: 10 + i as u64 * 7 % 23,
                draw: 20,
                loss: 5 + i as u64 * 5 % 17,
                ..Statistics::default()
            },
        };
        variant
            .sectors()
            .into_iter()
            .enumerate()
            .map(record)
            .collect()
    }

    #[test]
    fn no_sector_left_out_leads_to_another_and_none_more_could_be() {
        for id in ["three", "six", "nine"] {
            let variant = Variant::builtin(id).unwrap();
            let records = records(&variant);
            let chosen = choose(&variant, &records);
            assert!(
                chosen.len() > records.len() / 3,
                "{id}: {} of {}",
                chosen.len(),
                records.len()
            );
            let conflicts = |sector: Sector| {
                let next = variant.sectors_after(sector);
                next.contains(&sector)
                    || next.iter().any(|next| chosen.contains(next))
                    || chosen
                        .iter()
                        .any(|other| variant.sectors_after(*other).contains(&sector))
            };
            for record in &records {
                assert_ne!(
                    chosen.contains(&record.sector),
                    conflicts(record.sector),
                    "{id} {}",
                    record.sector
                );
            }
        }
    }

    #[test]
    fn sectors_whose_turns_lead_out_of_the_set_are_stored() {
        let six = Variant::builtin("six").unwrap();
        let some: Vec<SectorRecord> = records(&six)
            .into_iter()
            .filter(|record| record.sector.in_hand() == 0 && record.sector.mover == 4)
            .collect();
        assert!(choose(&six, &some).is_empty());
    }
}
