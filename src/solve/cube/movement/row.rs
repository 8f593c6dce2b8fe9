//! One ply in one row: the pass over all its cells.

use super::bands::{Band, OfRow};
use super::half::Half;
use super::mills::FixedMills;
use super::{SPARSE, Seek, Solver, Step, Worker};
use crate::cpu::Cpu;
use crate::game::{Blocked, FullBoard};
use crate::solve::cube::block::{Block, EMPTY, Flag, Sizes, and, and_not, any, or, xor};
use crate::solve::cube::kernels::{Ends, capture_back, fly_back, slide_back};
use crate::solve::cube::messages::Kind;

/// One ply in one row.
pub(super) struct RowWork<'a> {
    pub(super) solver: &'a Solver<'a>,
    pub(super) half: &'a Half,
    pub(super) row: usize,
    pub(super) step: Step<'a>,
    pub(super) seek: Seek,
    /// Wins and losses of the varied side to move.
    pub(super) decided: [&'a mut [Block]; 2],
    /// What turns of the varied side end in: the plane opposite to the one sought.
    pub(super) quiet: &'a [Block],
    pub(super) capture: &'a [Block],
    pub(super) double: Option<&'a [Block]>,
    /// Where some placement wins by now, and where all lose; `None` if the varied side has no man in hand.
    pub(super) placed: Option<[&'a [Block]; 2]>,
    /// The cells that changed, where they are few.
    pub(super) changes: Option<OfRow<'a>>,
    pub(super) row_bits: u32,
    pub(super) playing: &'a Sizes,
    pub(super) deciding: &'a Sizes,
    pub(super) beaten: &'a Sizes,
    /// The fixed side has a mill, and the first mill wins.
    pub(super) beaten_by_mill: bool,
    pub(super) mills: FixedMills,
    /// Two mills of the fixed set closed at once, in games in which that takes two men.
    pub(super) pairs: Option<FixedMills>,
    pub(super) worker: &'a mut Worker,
}

impl<'a> RowWork<'a> {
    #[inline(always)]
    pub(super) fn new(
        solver: &'a Solver<'a>,
        band: &'a mut Band,
        worker: &'a mut Worker,
        row: usize,
        row_bits: u32,
        step: Step<'a>,
    ) -> Self {
        let seek = step.seek;
        let blocks = row << (row_bits - 9)..(row + 1) << (row_bits - 9);
        // Wins come from the opponent's losses, losses from the opponent's wins.
        let ends = 1 - seek as usize;
        let changes = (!band.now.many)
            .then(|| band.now.of_row(row, row_bits))
            .filter(|changes| changes.len() * SPARSE < 1 << row_bits);
        let half = &solver.halves[band.half];
        let fixed = worker.shape.fixed.count_ones();
        let placed = band.placed.as_ref();
        let variant = solver.variant;
        // Where nobody is taken there is no plane of captures, and no turn to look it up.
        let capture = band.ends.get(1).unwrap_or(&band.ends[0]);
        RowWork {
            solver,
            half,
            row,
            step,
            seek,
            decided: [
                &mut band.win[blocks.clone()],
                &mut band.loss[blocks.clone()],
            ],
            quiet: &band.ends[0][ends][blocks.clone()],
            capture: &capture[ends][blocks.clone()],
            double: band.ends.get(2).map(|double| &double[ends][blocks.clone()]),
            placed: placed.map(|[win, loss]| [&win[blocks.clone()], &loss[blocks.clone()]]),
            changes,
            row_bits,
            playing: half.playing(fixed),
            deciding: match step.deciding {
                Some(classes) => &classes[half.class(fixed)],
                None => half.playing(fixed),
            },
            beaten: half.beaten(fixed),
            beaten_by_mill: !variant.rules.takes_men()
                && variant.board.men_in_mills(worker.shape.fixed) != 0,
            mills: FixedMills::new(variant, &worker.shape),
            pairs: (variant.rules.most_captures() > 1)
                .then(|| FixedMills::pairs(variant, &worker.shape))
                .filter(|pairs| pairs.any),
            worker,
        }
    }

    #[inline(always)]
    pub(super) fn solve<C: Cpu>(&mut self) -> u64 {
        self.clear_lists();
        let dense = match self.changes {
            Some(changes) => {
                self.follow(changes);
                false
            }
            None => self.pass(),
        };
        self.send_all::<C>();
        let found = self.worker.indices.len();
        if found > 0
            && let Some(journal) = &mut self.worker.journal
        {
            let bitmap = dense.then(|| &self.worker.scratch.fresh[..self.decided[0].len()]);
            journal.row(self.row, &self.worker.indices, bitmap);
        }
        found as u64
    }

    #[inline(always)]
    pub(super) fn clear_lists(&mut self) {
        self.worker.indices.clear();
        self.worker.captures.clear();
        self.worker.doubles.clear();
    }

    #[inline(always)]
    pub(super) fn send_all<C: Cpu>(&mut self) {
        self.send::<C>(Kind::Quiet);
        self.send::<C>(Kind::Capture);
        if self.pairs.is_some() {
            self.send::<C>(Kind::Double);
        }
    }

    /// Passes over all cells. Returns whether anything is new; then `fresh` is the bitmap of it.
    #[inline(always)]
    fn pass(&mut self) -> bool {
        if self.beaten_by_mill {
            return self.step.ply == 0 && self.lose_all();
        }
        let blocks = self.decided[0].len();
        let shape = &self.worker.shape;
        let scratch = &mut self.worker.scratch;
        let moves = &mut scratch.moves[..blocks];
        let flip = if self.seek == Seek::Wins { 0 } else { u64::MAX };
        let mut ends = Ends {
            quiet: self.quiet,
            capture: self.capture,
            double: self.double,
            flip,
        };
        if self.step.blocked {
            scratch.before[..blocks].fill(EMPTY);
            let nothing = &scratch.before[..blocks];
            ends = Ends {
                quiet: nothing,
                capture: nothing,
                double: None,
                flip,
            };
        }
        slide_back::<Flag>(shape, ends, &mut scratch.lifted[..blocks], moves);
        if let Some(men) = self.half.varied_flies {
            fly_back(shape, men, ends, moves);
        }
        if let Some(placed) = self.placed {
            // A win by placing, or a placement that does not lose, counts like a slide.
            let placed = placed[self.seek as usize];
            for (moves, &placed) in moves.iter_mut().zip(placed) {
                *moves = or(*moves, xor(placed, [flip; 8]));
            }
        }
        if self.solver.variant.rules.blocked == Blocked::Passes {
            self.add_passes(flip);
        }
        let scratch = &mut self.worker.scratch;
        let moves = &scratch.moves[..blocks];
        let [wins, losses] = &mut self.decided;
        let mut all = EMPTY;
        for (number, fresh) in scratch.fresh[..blocks].iter_mut().enumerate() {
            let open = and_not(self.deciding.mask(number), or(wins[number], losses[number]));
            *fresh = match self.seek {
                Seek::Wins => and(open, moves[number]),
                Seek::Losses => and_not(open, moves[number]),
            };
            all = or(all, *fresh);
        }
        let rules = &self.solver.variant.rules;
        // Who has a man in hand is blocked on a full board only.
        let may_be_blocked = rules.blocked == Blocked::Draws && self.half.varied_hand == 0;
        if self.seek == Seek::Losses && may_be_blocked {
            all = self.keep_blocked_open();
        }
        // A full board is the blocked case that has a rule of its own.
        match (self.seek, rules.full_board, rules.blocked) {
            (Seek::Wins, ..) => {}
            (Seek::Losses, FullBoard::Draws, _) => self.set_full_board(false),
            (Seek::Losses, _, Blocked::Draws | Blocked::Passes) if self.step.ply == 0 => {
                self.set_full_board(true);
                all = [u64::MAX; 8];
            }
            _ => {}
        }
        if any(all) {
            self.list_fresh();
        }
        if any(all) || self.step.beaten {
            self.pass_captures();
        }
        any(all)
    }

    /// Who moves after a mill that wins has lost at once, wherever his own men stand.
    fn lose_all(&mut self) -> bool {
        let blocks = self.decided[0].len();
        let fresh = self.worker.scratch.fresh[..blocks].iter_mut().enumerate();
        fresh.for_each(|(number, fresh)| *fresh = self.deciding.mask(number));
        self.list_fresh();
        self.pass_captures();
        true
    }

    /// Whether a board without an empty point is among the new losses: no man can move on it.
    #[inline(always)]
    fn set_full_board(&mut self, lost: bool) {
        let last = (1u64 << self.worker.shape.count) - 1;
        let word = &mut self.worker.scratch.fresh.as_flattened_mut()[last as usize / 64];
        let bit = 1 << (last % 64);
        let playing = self.deciding.mask((last >> 9) as usize)[(last / 64 % 8) as usize] & bit != 0;
        *word = *word & !bit | if lost && playing { bit } else { 0 };
    }

    /// Those who cannot move have not lost. Returns which blocks have losses left.
    #[inline(always)]
    fn keep_blocked_open(&mut self) -> Block {
        self.find_movable();
        let blocks = self.decided[0].len();
        let scratch = &mut self.worker.scratch;
        let mut all = EMPTY;
        for (fresh, &movable) in scratch.fresh[..blocks].iter_mut().zip(&scratch.reached) {
            *fresh = and(*fresh, movable);
            all = or(all, *fresh);
        }
        all
    }

    /// Adds the ends of passing to those of moving: who cannot move leaves the men where they are.
    #[inline(always)]
    fn add_passes(&mut self, flip: u64) {
        self.find_movable();
        let scratch = &mut self.worker.scratch;
        let cells = scratch
            .moves
            .iter_mut()
            .zip(&scratch.reached)
            .zip(self.quiet);
        for ((moves, &movable), &passed) in cells {
            *moves = or(*moves, and_not(xor(passed, [flip; 8]), movable));
        }
        // Nobody passes on a full board: the game is over.
        let last = (1usize << self.worker.shape.count) - 1;
        let (word, bit) = (last / 64, 1 << (last % 64));
        let word = &mut scratch.moves.as_flattened_mut()[word];
        *word = *word & !bit | flip & bit;
    }

    /// Fills `reached` with the cells of those who can move.
    #[inline(always)]
    fn find_movable(&mut self) {
        let blocks = self.decided[0].len();
        let shape = &self.worker.shape;
        let scratch = &mut self.worker.scratch;
        let movable = &mut scratch.reached[..blocks];
        scratch.before[..blocks].fill(EMPTY);
        let nothing = &scratch.before[..blocks];
        let anywhere = Ends {
            quiet: nothing,
            capture: nothing,
            double: None,
            flip: u64::MAX,
        };
        slide_back::<Flag>(shape, anywhere, &mut scratch.lifted[..blocks], movable);
        if let Some(men) = self.half.varied_flies {
            fly_back(shape, men, anywhere, movable);
        }
    }

    #[inline(always)]
    fn list_fresh(&mut self) {
        let blocks = &self.worker.scratch.fresh[..self.decided[0].len()];
        list_bits(blocks, &mut self.worker.indices);
    }

    /// Enters the fresh bits in the planes and finds the captures they decide.
    ///
    /// Seen from the fixed side, which has just closed a mill: it takes a man of the varied side, and
    /// the varied side with one man less wins or loses.
    #[inline(always)]
    pub(super) fn pass_captures(&mut self) {
        let blocks = self.decided[0].len();
        let fresh = &mut self.worker.scratch.fresh[..blocks];
        let wins = &mut self.decided[0];
        if self.step.beaten {
            for (number, fresh) in fresh.iter_mut().enumerate() {
                *fresh = or(*fresh, self.beaten.mask(number));
            }
        }
        if self.seek == Seek::Wins {
            for (win, &fresh) in wins.iter_mut().zip(fresh.iter()) {
                *win = or(*win, fresh);
            }
        }
        if self.mills.any {
            self.list_captures(false);
        }
        if self.pairs.is_some() {
            self.list_captures(true);
        }
        if self.seek == Seek::Losses {
            let fresh = &self.worker.scratch.fresh[..blocks];
            for (loss, &fresh) in self.decided[1].iter_mut().zip(fresh) {
                *loss = or(*loss, fresh);
            }
        }
    }

    /// Lists the positions whose best capture, or best two, the fresh bits decide.
    ///
    /// Wins: some capture has just become a win of the varied side, and none is not. Losses: some capture
    /// has just become a loss of the varied side, the first.
    #[inline(always)]
    fn list_captures(&mut self, two: bool) {
        let blocks = self.decided[0].len();
        let Worker {
            shape,
            scratch,
            captures,
            doubles,
            ..
        } = &mut *self.worker;
        let fresh = &scratch.fresh[..blocks];
        let reached = &mut scratch.reached[..blocks];
        let before = &mut scratch.before[..blocks];
        let once = &mut scratch.once[..blocks];
        let mut take = |source: &[Block], flip: u64, out: &mut [Block]| {
            if two {
                capture_back::<Flag>(shape, source, flip, once);
                capture_back::<Flag>(shape, once, 0, out);
            } else {
                capture_back::<Flag>(shape, source, flip, out);
            }
        };
        take(fresh, 0, reached);
        match self.seek {
            Seek::Wins => take(self.decided[0], u64::MAX, before),
            Seek::Losses => take(self.decided[1], 0, before),
        }
        let mills = match &self.pairs {
            Some(pairs) if two => pairs,
            _ => &self.mills,
        };
        for (number, (reached, &before)) in reached.iter_mut().zip(before.iter()).enumerate() {
            let new = and_not(and(*reached, self.playing.mask(number)), before);
            *reached = and_not(new, mills.out_of_reach(number));
        }
        list_bits(reached, if two { doubles } else { captures });
    }

    /// Sends the places of new positions, or of decided captures, to the rows of the varied side.
    #[inline(always)]
    fn send<C: Cpu>(&mut self, kind: Kind) {
        let Worker {
            outbox,
            shape,
            images,
            indices,
            captures,
            doubles,
            ..
        } = &mut *self.worker;
        let list = match kind {
            Kind::Quiet => &*indices,
            Kind::Capture => &*captures,
            Kind::Double => &*doubles,
        };
        let (transpose, start) = self.solver.transposed(self.half);
        transpose.places::<C>(images, shape.free, list, |address| {
            outbox.push(kind, start + address)
        });
    }
}

/// Appends the places of all bits of a row to a list.
///
/// Eight places are written for every word without a look at how many there are: a branch for each
/// would be guessed wrong too often.
#[inline(always)]
pub(super) fn list_bits(blocks: &[Block], list: &mut Vec<u32>) {
    let words = blocks.as_flattened();
    let mut end = list.len();
    let total: usize = words.iter().map(|word| word.count_ones() as usize).sum();
    list.resize(end + total + 64, 0);
    for (number, block) in blocks.iter().enumerate() {
        if !any(*block) {
            continue;
        }
        for (word, &bits) in block.iter().enumerate() {
            let first = (number * 512 + word * 64) as u32;
            let count = bits.count_ones() as usize;
            let places = &mut list[end..end + 64];
            let mut bits = bits;
            let mut write = |places: &mut [u32]| {
                for place in places {
                    *place = first + bits.trailing_zeros();
                    bits &= bits.wrapping_sub(1);
                }
            };
            write(&mut places[..8]);
            if count > 8 {
                write(&mut places[8..16]);
                if count > 16 {
                    write(&mut places[16..]);
                }
            }
            end += count;
        }
    }
    list.truncate(end);
}
