//! What the coder looks at before it reads a cell: the men on the board and the cells before it.
//!
//! A *context* is a small number computed from what is already known about a cell. Cells of one context
//! resemble each other, so that a few frequencies per context say nearly all about them.
//!
//! ```text
//! context = static part * 125 + neighbours
//!
//! static part (6 bits)   the men of the position alone
//!   bits 0-1   open mills of the side to move, at most 3
//!   bits 2-3   open mills of the opponent, at most 3
//!   bit  4     the side to move has a mill
//!   bit  5     the opponent has a mill
//! neighbours             cells of the same block that come before: a varied man one place lower
//!   losses + 5 * draws + 25 * wins, each counted up to 4
//! ```
//!
//! An *open mill* is a line with two men of a side and an empty third point that the side can bring a man
//! to: from its hand, or by jumping (three men or less on the board), or by a slide from outside the line.
//! It only predicts: what the rules of the game say about jumping and taking does not matter here.
//!
//! The static parts are computed for all cells of a block at once, one bit a cell: plane i has a 1 for
//! each cell with a varied man on place i, and a term such as "men on places 3 and 5, none on 4" is three
//! operations for 64 cells.

use crate::game::{Board, MAX_POINTS, PointSet, Sector, points};
use crate::index::Fixed;

/// Cells of a block.
pub const BLOCK_CELLS: usize = 4096;

const WORDS: usize = BLOCK_CELLS / 64;

/// Values of the neighbour part.
const NEIGHBOURHOODS: usize = 125;

/// How many contexts there are.
pub const CONTEXTS: usize = 64 * NEIGHBOURHOODS;

/// `CHOOSE[n][k]`: ways to choose k out of n, for places and men of a row.
const CHOOSE: [[u32; 32]; 32] = {
    let mut table = [[0u32; 32]; 32];
    let mut n = 0;
    while n < 32 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The neighbour part for packed counts: losses, draws and wins in four bits each.
static NEIGHBOURHOOD: [u8; 4096] = {
    const fn capped(count: usize) -> usize {
        if count > 4 { 4 } else { count }
    }
    let mut table = [0; 4096];
    let mut counts = 0;
    while counts < 4096 {
        let (loss, draw, win) = (counts & 15, counts >> 4 & 15, counts >> 8);
        table[counts] = (capped(loss) + 5 * capped(draw) + 25 * capped(win)) as u8;
        counts += 1;
    }
    table
};

/// Men of a line on two places while the third is empty and can be reached.
struct OpenTerm {
    men: [u8; 2],
    empty: u8,
    /// Places from which a man can come; `None` when any man can.
    from: Option<Vec<u8>>,
}

/// What a row has to say about the static contexts of its cells.
struct Row {
    places: usize,
    /// Places that complete a line of the fixed side, if they are empty.
    fixed_open: Vec<u8>,
    fixed_mill: bool,
    varied_open: Vec<OpenTerm>,
    varied_mills: Vec<[u8; 3]>,
}

/// A side of a sector: whether it brings men to any empty point.
#[derive(Clone, Copy)]
struct Reach {
    anywhere: bool,
}

/// Computes contexts for the cells of one sector.
pub struct ContextModel<'a> {
    board: &'a Board,
    fixed_is_mover: bool,
    fixed_reach: Reach,
    varied_reach: Reach,
    /// Varied men.
    men: usize,
}

/// Buffers for the cells of a block, reused from block to block.
pub struct Workspace {
    /// The varied men of each cell, as sets of places.
    sets: Vec<u32>,
    statics: Vec<u8>,
    planes: Vec<[u64; WORDS]>,
    /// The values of the cells so far: 0 loss, 1 draw, 2 win.
    pub values: Vec<u8>,
}

impl Workspace {
    pub fn new() -> Workspace {
        Workspace {
            sets: vec![0; BLOCK_CELLS],
            statics: vec![0; BLOCK_CELLS],
            planes: vec![[0; WORDS]; MAX_POINTS],
            values: vec![0; BLOCK_CELLS],
        }
    }
}

impl<'a> ContextModel<'a> {
    pub fn new(board: &'a Board, sector: Sector) -> ContextModel<'a> {
        let fixed = Fixed::of(sector);
        let reach = |men: u8, hand: u8| Reach {
            anywhere: hand > 0 || men <= 3,
        };
        let mover = reach(sector.mover, sector.mover_hand);
        let opponent = reach(sector.opponent, sector.opponent_hand);
        let (fixed_reach, varied_reach) = fixed.order((mover, opponent));
        let (_, men) = fixed.order((sector.mover, sector.opponent));
        ContextModel {
            board,
            fixed_is_mover: fixed == Fixed::Mover,
            fixed_reach,
            varied_reach,
            men: men.into(),
        }
    }

    /// Prepares the cells `[at, at + count)` of the workspace: those from `rank` on of the row of `fixed`.
    #[inline(always)]
    pub fn prepare(
        &self,
        work: &mut Workspace,
        at: usize,
        count: usize,
        fixed: PointSet,
        rank: u64,
    ) {
        let row = self.row(fixed);
        unrank_all(&mut work.sets[at..at + count], row.places, self.men, rank);
        let sets = &work.sets[at..at + count];
        let words = count.div_ceil(64);
        spread(sets, row.places, &mut work.planes);
        self.static_parts(&row, words, &work.planes, &mut work.statics[at..at + count]);
    }

    /// Calls `visit` for each of the first `count` cells in order, with its context and the cell's value,
    /// which a decoder sets and an encoder reads.
    #[inline(always)]
    pub fn visit<E>(
        work: &mut Workspace,
        count: usize,
        mut visit: impl FnMut(usize, &mut u8) -> Result<(), E>,
    ) -> Result<(), E> {
        let Workspace {
            sets,
            statics,
            values,
            ..
        } = work;
        let (sets, statics, values) = (&sets[..count], &statics[..count], &mut values[..count]);
        for cell in 0..count {
            let set = sets[cell];
            // Men above an empty place.
            let mut falling = set & !(set << 1) & !1;
            let mut counts = 0;
            while falling != 0 {
                let place = falling.trailing_zeros();
                falling &= falling - 1;
                let below = (set & ((1 << place) - 1)).count_ones();
                let distance = CHOOSE[(place as usize - 1) & 31][below as usize & 31] as usize;
                if distance <= cell {
                    counts += 1usize << (4 * values[cell - distance]);
                }
            }
            let context = usize::from(statics[cell]) * NEIGHBOURHOODS
                + usize::from(NEIGHBOURHOOD[counts & 4095]);
            visit(context, &mut values[cell])?;
        }
        Ok(())
    }

    fn row(&self, fixed: PointSet) -> Row {
        let board = self.board;
        let free = board.all_points() & !fixed;
        let place = |point: usize| (free & ((1 << point) - 1)).count_ones() as u8;
        let mut row = Row {
            places: free.count_ones() as usize,
            fixed_open: Vec::new(),
            fixed_mill: false,
            varied_open: Vec::new(),
            varied_mills: Vec::new(),
        };
        for &line in board.lines() {
            match (line & fixed).count_ones() {
                3 => row.fixed_mill = true,
                2 => {
                    let empty = (line & !fixed).trailing_zeros() as usize;
                    let men = board.neighbours(empty) & fixed & !line;
                    if self.fixed_reach.anywhere || men != 0 {
                        row.fixed_open.push(place(empty));
                    }
                }
                0 => {
                    let mut ends = points(line).map(place);
                    let all = std::array::from_fn(|_| ends.next().unwrap_or_default());
                    row.varied_mills.push(all);
                    row.varied_open.extend(points(line).map(|empty| {
                        let mut men = points(line & !(1 << empty)).map(place);
                        let from = board.neighbours(empty) & free & !line;
                        OpenTerm {
                            men: std::array::from_fn(|_| men.next().unwrap_or_default()),
                            empty: place(empty),
                            from: (!self.varied_reach.anywhere)
                                .then(|| points(from).map(place).collect()),
                        }
                    }));
                }
                _ => {}
            }
        }
        row
    }

    #[inline(always)]
    fn static_parts(&self, row: &Row, words: usize, planes: &[[u64; WORDS]], out: &mut [u8]) {
        let mut fixed = [[0u64; WORDS]; 3];
        let mut varied = [[0u64; WORDS]; 3];
        for &empty in &row.fixed_open {
            let plane = &planes[usize::from(empty)];
            count(&mut fixed, words, |word| !plane[word]);
        }
        if row.fixed_mill {
            fixed[2] = [!0; WORDS];
        }
        for term in &row.varied_open {
            let [a, b, empty] =
                [term.men[0], term.men[1], term.empty].map(|p| &planes[usize::from(p)]);
            match term.from.as_deref() {
                None => count(&mut varied, words, |word| a[word] & b[word] & !empty[word]),
                Some([]) => {}
                Some(&[p]) => {
                    let p = &planes[usize::from(p)];
                    count(&mut varied, words, |word| {
                        a[word] & b[word] & !empty[word] & p[word]
                    });
                }
                Some(&[p, q]) => {
                    let [p, q] = [p, q].map(|p| &planes[usize::from(p)]);
                    count(&mut varied, words, |word| {
                        a[word] & b[word] & !empty[word] & (p[word] | q[word])
                    });
                }
                Some(from) => count(&mut varied, words, |word| {
                    let men = from
                        .iter()
                        .fold(0, |men, &p| men | planes[usize::from(p)][word]);
                    a[word] & b[word] & !empty[word] & men
                }),
            }
        }
        for line in &row.varied_mills {
            let [a, b, c] = line.map(|p| &planes[usize::from(p)]);
            for word in 0..words {
                varied[2][word] |= a[word] & b[word] & c[word];
            }
        }
        let (mover, opponent) = if self.fixed_is_mover {
            (&fixed, &varied)
        } else {
            (&varied, &fixed)
        };
        let bits = [
            &mover[0],
            &mover[1],
            &opponent[0],
            &opponent[1],
            &mover[2],
            &opponent[2],
        ];
        for (group, out) in out.chunks_mut(8).enumerate() {
            let (word, shift) = (group / 8, group % 8 * 8);
            let rows = bits.iter().enumerate().fold(0, |rows, (i, plane)| {
                rows | (plane[word] >> shift & 0xff) << (8 * i)
            });
            let bytes = transpose(rows).to_le_bytes();
            out.copy_from_slice(&bytes[..out.len()]);
        }
    }
}

/// Adds a term to counters that stop at 3.
#[inline(always)]
fn count(counter: &mut [[u64; WORDS]; 3], words: usize, term: impl Fn(usize) -> u64) {
    let [low, high, _] = counter;
    for word in 0..words {
        let (bit, l, h) = (term(word), low[word], high[word]);
        low[word] = (l ^ bit) | (l & h);
        high[word] = h | (l & bit);
    }
}

/// Writes the sets of consecutive ranks, from `rank` on, of `men` on `places`.
#[inline(always)]
fn unrank_all(sets: &mut [u32], places: usize, men: usize, rank: u64) {
    let all = ((1u64 << places) - 1) as PointSet;
    let mut set = u64::from(crate::index::colex_unrank(rank, men, all));
    for slot in sets {
        *slot = set as u32;
        if set != 0 {
            let lowest = set & set.wrapping_neg();
            let ripple = set + lowest;
            set = ripple | (((set ^ ripple) >> 2) >> lowest.trailing_zeros());
        }
    }
}

/// Turns sets, one a cell, into planes, one a place.
#[inline(always)]
fn spread(sets: &[u32], places: usize, planes: &mut [[u64; WORDS]]) {
    let byte_columns = places.div_ceil(8);
    for (word, group) in sets.chunks(64).enumerate() {
        for column in 0..byte_columns {
            let mut rows = [0u64; 8];
            for (eighth, cells) in group.chunks(8).enumerate() {
                let gathered = cells.iter().enumerate().fold(0, |bytes, (i, &set)| {
                    bytes | u64::from(set >> (8 * column) & 0xff) << (8 * i)
                });
                rows[eighth] = transpose(gathered);
            }
            // Byte i of rows[j] holds cells 8 j .. of plane i: transpose bytes.
            for bit in 0..8.min(places - 8 * column) {
                let bytes = rows.map(|row| (row >> (8 * bit)) as u8);
                planes[8 * column + bit][word] = u64::from_le_bytes(bytes);
            }
        }
    }
}

/// Transposes an 8 by 8 matrix of bits: bit j of byte i becomes bit i of byte j.
#[inline(always)]
fn transpose(mut matrix: u64) -> u64 {
    let swap = |matrix: u64, shift: u32, mask: u64| {
        let moved = (matrix ^ (matrix >> shift)) & mask;
        matrix ^ moved ^ (moved << shift)
    };
    matrix = swap(matrix, 7, 0x00aa_00aa_00aa_00aa);
    matrix = swap(matrix, 14, 0x0000_cccc_0000_cccc);
    swap(matrix, 28, 0x0000_0000_f0f0_f0f0)
}
