//! Malom's numbering and bytes once more, slowly and from the description of the files alone: by geometry, lists of
//! all sets, and the plain generator of turns.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use millbase::database::{Cells, Contents, Database, DatabaseWriter};
use millbase::game::{PointSet, Position, Sector, Variant, points};
use millbase::probe::Prober;
use millbase::random::Random;
use millbase::value::{Outcome, Score, Value};
use tempfile::TempDir;

/// The 24 points in Malom's order: rings from the outer to the inner, each clockwise from the west.
const LABELS: [&str; 24] = [
    "a4", "a7", "d7", "g7", "g4", "g1", "d1", "a1", "b4", "b6", "d6", "f6", "f4", "f2", "d2", "b2",
    "c4", "c5", "d5", "e5", "e4", "e3", "d3", "c3",
];

/// A point by its coordinates, the middle of the board being (0, 0).
fn coordinates(point: usize) -> (i32, i32) {
    let label = LABELS[point].as_bytes();
    (i32::from(label[0]) - 100, i32::from(label[1]) - 52)
}

fn point_at(x: i32, y: i32) -> usize {
    let at = |&p: &usize| coordinates(p) == (x, y);
    (0..24).find(at).expect("a point of the board")
}

/// Where operation `op` takes a point.
fn goes_to(op: usize, point: usize) -> usize {
    let (mut x, mut y) = coordinates(point);
    if (7..15).contains(&op) {
        // The outer and the inner ring change places.
        let ring = x.abs().max(y.abs());
        (x, y) = (x / ring * (4 - ring), y / ring * (4 - ring));
    }
    let (x, y) = match op % 8 {
        0 => (y, -x),  // a quarter turn clockwise
        1 => (-x, -y), // half a turn
        2 => (-y, x),  // three quarters
        3 => (-x, y),  // left and right
        4 => (x, -y),  // top and bottom
        5 => (-y, -x), // along the diagonal from a7 to g1
        6 => (y, x),   // along the diagonal from a1 to g7
        _ => (x, y),
    };
    point_at(x, y)
}

/// All sets of so many men, in increasing order.
fn all_sets(men: u32) -> Vec<PointSet> {
    let sets = 0..1 << 24u32;
    sets.filter(|set: &PointSet| set.count_ones() == men)
        .collect()
}

/// Malom's numbering, by lists.
pub struct Slow {
    images: Vec<Vec<usize>>,
    /// By number of men: the seeds, and each set with the number of its seed.
    sets: BTreeMap<u32, (Vec<PointSet>, HashMap<PointSet, usize>)>,
}

impl Slow {
    pub fn new() -> Slow {
        let images = (0..16).map(|op| (0..24).map(|p| goes_to(op, p)).collect());
        Slow {
            images: images.collect(),
            sets: BTreeMap::new(),
        }
    }

    pub fn image(&self, op: usize, set: PointSet) -> PointSet {
        points(set).fold(0, |image, p| image | 1 << self.images[op][p])
    }

    /// The orbits of so many men, in the order in which their first sets come.
    pub fn orbits(&mut self, men: u32) -> &(Vec<PointSet>, HashMap<PointSet, usize>) {
        if !self.sets.contains_key(&men) {
            let (mut seeds, mut orbits) = (Vec::new(), HashMap::new());
            for set in all_sets(men) {
                if !orbits.contains_key(&set) {
                    let images = (0..16).map(|op| (self.image(op, set), seeds.len()));
                    orbits.extend(images);
                    seeds.push(set);
                }
            }
            self.sets.insert(men, (seeds, orbits));
        }
        &self.sets[&men]
    }

    /// The entry of a board, looked at so that the mover's men are their seed; by the highest operation that
    /// makes them so. With the men as they are then.
    pub fn entry(&mut self, mover: PointSet, opponent: PointSet) -> (u64, PointSet, PointSet) {
        let (seeds, orbits) = self.orbits(mover.count_ones());
        let row = orbits[&mover];
        let seed = seeds[row];
        let leads = |&op: &usize| self.image(op, mover) == seed;
        let op = (0..16).rev().find(leads).expect("an operation");
        let opponent = self.image(op, opponent);
        let places = 24 - u64::from(mover.count_ones());
        let row_len = choose(places, opponent.count_ones().into());
        (row as u64 * row_len + rank(seed, opponent), seed, opponent)
    }

    /// The operation of the redirect that belongs to an entry.
    pub fn redirect(&self, seed: PointSet, opponent: PointSet) -> Option<usize> {
        let keeping = (0..16).filter(|&op| self.image(op, seed) == seed);
        let images: Vec<_> = keeping.map(|op| (self.image(op, opponent), op)).collect();
        let (least, op) = *images.iter().min().expect("the one that moves nothing");
        (least < opponent).then_some(op)
    }

    /// How many positions are this one, seen from some side.
    pub fn orbit(&self, mover: PointSet, opponent: PointSet) -> u32 {
        let images = (0..16).map(|op| (self.image(op, mover), self.image(op, opponent)));
        images.collect::<BTreeSet<_>>().len() as u32
    }

    /// The count that belongs to a drawn position.
    pub fn count(&self, prober: &Prober, position: &Position) -> u32 {
        let variant = prober.database().variant();
        let own = self.orbit(position.mover, position.opponent);
        let of_turn = |turn| {
            let next = variant.play(position, &turn);
            let drawn = value(prober, &next) == Value::Draw;
            let orbit = self.orbit(next.mover, next.opponent);
            if drawn { 16 * own / orbit } else { 0 }
        };
        let sixteenths: u32 = variant.turns(position).into_iter().map(of_turn).sum();
        assert_eq!(sixteenths % 16, 0);
        sixteenths / 16
    }

    /// Every entry of a sector: what it is by the database.
    pub fn sector(&mut self, prober: &Prober, sector: Sector) -> Vec<SlowEntry> {
        let seeds = self.orbits(sector.mover.into()).0.clone();
        let opponents = all_sets(sector.opponent.into());
        let mut entries = Vec::new();
        for seed in seeds {
            // Sets of points that are free increase as those of their places do.
            let free = opponents.iter().copied().filter(|set| set & seed == 0);
            for opponent in free {
                entries.push(match self.redirect(seed, opponent) {
                    Some(op) => SlowEntry::Redirect(op),
                    None => {
                        let position = sector.position((seed, opponent));
                        match value(prober, &position) {
                            Value::Draw => SlowEntry::Draw(self.count(prober, &position)),
                            decided => SlowEntry::Decided(decided),
                        }
                    }
                });
            }
        }
        entries
    }
}

/// An entry of a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlowEntry {
    Redirect(usize),
    Draw(u32),
    Decided(Value),
}

/// The file of a sector in the form `.sec2` where all values of sectors are 0.
pub fn sec2_bytes(entries: &[SlowEntry], key1_bits: u32, win: i32) -> Vec<u8> {
    let mut bytes = vec![0; 64];
    (bytes[0], bytes[4], bytes[8]) = (2, 3, key1_bits as u8);
    let least = -(1i32 << (23 - key1_bits));
    let mut exceptions = Vec::new();
    for (number, entry) in (0..).zip(entries) {
        let (key1, key2) = match *entry {
            SlowEntry::Redirect(op) => (0, -1 - op as i32),
            SlowEntry::Draw(count) => (0, count as i32),
            SlowEntry::Decided(Value::Win(plies)) => (win, i32::from(plies)),
            SlowEntry::Decided(Value::Loss(plies)) => (-win, i32::from(plies)),
            SlowEntry::Decided(Value::Draw) => unreachable!(),
        };
        let stored = if key2.abs() > -least - 1 {
            exceptions.push((number, key2));
            least
        } else {
            key2
        };
        let word = i64::from(key1).rem_euclid(1 << key1_bits)
            + (i64::from(stored).rem_euclid(1 << (24 - key1_bits)) << key1_bits);
        bytes.extend(&word.to_le_bytes()[..3]);
    }
    with_exceptions(bytes, &exceptions)
}

/// The file of a sector in the form `.sec`.
pub fn sec_bytes(entries: &[SlowEntry]) -> Vec<u8> {
    let mut exceptions = Vec::new();
    let mut bytes = Vec::new();
    for (number, entry) in (0..).zip(entries) {
        let (byte, most, exception) = match *entry {
            SlowEntry::Redirect(op) => (180 + op as i32, 194, 0),
            SlowEntry::Draw(count) if count > 60 => (i32::MAX, 0, -(count as i32)),
            SlowEntry::Draw(count) => (255 - count as i32, 255, 0),
            SlowEntry::Decided(value) => {
                let plies = i32::from(value.plies().expect("decided"));
                (plies, 178, plies)
            }
        };
        if byte > most {
            exceptions.push((number, exception));
        }
        bytes.push(if byte > most { 179 } else { byte as u8 });
    }
    with_exceptions(bytes, &exceptions)
}

fn with_exceptions(mut bytes: Vec<u8>, exceptions: &[(i32, i32)]) -> Vec<u8> {
    bytes.extend((exceptions.len() as i32).to_le_bytes());
    for (entry, value) in exceptions {
        bytes.extend(entry.to_le_bytes());
        bytes.extend(value.to_le_bytes());
    }
    bytes
}

/// Ways to choose k of n.
pub fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}

/// The rank of the opponent's men among the sets on the points beside a seed.
fn rank(seed: PointSet, opponent: PointSet) -> u64 {
    let free = (0..24).filter(|p| seed >> p & 1 == 0);
    let places = free.zip(0..).filter(|(p, _)| opponent >> p & 1 == 1);
    let terms = places
        .zip(1..)
        .map(|((_, place), i)| if place < i { 0 } else { choose(place, i) });
    terms.sum()
}

/// What a database says of a position.
pub fn value(prober: &Prober, position: &Position) -> Value {
    let probed = prober.value(position, 0).unwrap().known().expect("known");
    match (probed.outcome, probed.plies) {
        (Outcome::Draw, _) => Value::Draw,
        (Outcome::Win, plies) => Value::Win(plies.expect("a distance")),
        (Outcome::Loss, plies) => Value::Loss(plies.expect("a distance")),
    }
}

/// A database with some sectors of a game, and those that their turns lead to. The values mean nothing: every second
/// position is a draw, the others are decided in any number of plies.
pub fn made_up(variant: &Variant, names: &[&str]) -> (TempDir, Database) {
    let wanted = names.iter().map(|name| name.parse::<Sector>().unwrap());
    let wanted: BTreeSet<Sector> = wanted
        .flat_map(|sector| variant.sectors_after(sector).into_iter().chain([sector]))
        .collect();
    let dir = TempDir::new().unwrap();
    let writer = DatabaseWriter::create(dir.path(), variant, Contents::Distances, 1).unwrap();
    let writer = writer.restricted_to(wanted.iter().copied());
    let mut random = Random::new(11);
    for sector in wanted {
        assert!(writer.wants(sector), "{sector} is no sector");
        let mut scores: Vec<u8> = Vec::new();
        for cell in 0..writer.index().len(sector) {
            let position = sector.position(writer.index().unrank(sector, cell));
            let least = writer.index().rank(&position);
            scores.push(match variant.ending(&position) {
                Some(Outcome::Loss) => 0,
                Some(_) => Score::DRAW.0,
                None if least < cell => scores[least as usize],
                None if random.below(2) == 0 => Score::DRAW.0,
                None => 1 + random.below(255) as u8,
            });
        }
        writer.write_sector(sector, Cells::Scores(&scores)).unwrap();
    }
    writer.finish(serde_json::json!(null)).unwrap();
    let database = Database::open(dir.path()).unwrap();
    (dir, database)
}
