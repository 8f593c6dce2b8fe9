//! The index against published sizes, and as a bijection on sectors too large to walk.

use millbase::game::{Board, BoardPoint, Sector, Side, Variant};
use millbase::index::canonical::{binomial, sets_of};
use millbase::index::{CanonicalSets, Fixed, OrbitCounter, SectorIndex};
use proptest::prelude::*;

fn nine() -> (Variant, SectorIndex) {
    let nine = Variant::builtin("nine").unwrap();
    let index = SectorIndex::new(&nine.board, 9);
    (nine, index)
}

/// Sizes of the Malom standard database, which always fixes the men of the side to move. The movement
/// sectors come in pairs, so that their cells are as many when the opponent's men are fixed.
#[test]
fn nine_has_as_many_cells_as_published() {
    let (nine, index) = nine();
    let sectors = nine.sectors();
    assert_eq!(sectors.len(), 498);
    let by_mover = |sector: &Sector| {
        let rows = index.sets().count(sector.mover.into()) as u64;
        rows * binomial(24 - usize::from(sector.mover), sector.opponent.into())
    };
    assert_eq!(sectors.iter().map(by_mover).sum::<u64>(), 27_860_688_626);
    let movement = sectors.iter().filter(|sector| sector.in_hand() == 0);
    assert_eq!(movement.clone().count(), 49);
    assert_eq!(
        movement.map(|&sector| index.len(sector)).sum::<u64>(),
        9_193_626_407
    );
}

#[test]
fn counted_and_listed_cells_agree() {
    for variant in Variant::builtins() {
        let counter = OrbitCounter::new(&variant.board);
        let index = SectorIndex::new(&variant.board, variant.rules.men.into());
        let listed = |men: u8| index.sets().representatives(men.into()).len() as u64;
        // Sets of many men on the largest boards take too long to list for a test.
        let small = variant.board.point_count() <= 24;
        let sectors = variant.sectors().into_iter();
        for sector in sectors.filter(|s| small || s.mover.max(s.opponent) <= 5) {
            let (fixed, _) = Fixed::of(sector).order((sector.mover, sector.opponent));
            let cells = listed(fixed) * index.row_len(sector);
            let id = &variant.id;
            assert_eq!(counter.cells(sector), cells, "{id} {sector}");
            assert_eq!(index.len(sector), cells, "{id} {sector}");
        }
    }
}

/// Burnside's count of distinct positions is the number of least cells.
#[test]
fn counted_and_listed_positions_agree() {
    let (nine, index) = nine();
    let counter = OrbitCounter::new(&nine.board);
    for (mover, opponent) in [(3, 3), (4, 3), (3, 4), (2, 6), (9, 1)] {
        let sector = Sector {
            mover,
            opponent,
            mover_hand: 0,
            opponent_hand: 0,
        };
        let mut duplicates = 0;
        for row in index.rows_with_duplicates(sector) {
            index.for_each_duplicate(sector, row, |_| duplicates += 1);
        }
        let positions = counter.positions(mover.into(), opponent.into());
        assert_eq!(index.len(sector) - duplicates, positions, "{sector}");
    }
}

/// A large sector of nine, and one of its cells.
fn large_cells() -> impl Strategy<Value = (Sector, u64)> {
    let sizes = (
        6u8..=9,
        6u8..=9,
        prop::sample::select(vec![(0u8, 0u8), (2, 2), (2, 1), (9, 3)]),
    );
    let sector = sizes.prop_map(|(mover, opponent, (mover_hand, opponent_hand))| Sector {
        mover,
        opponent,
        mover_hand,
        opponent_hand,
    });
    (sector, any::<prop::sample::Index>())
        .prop_map(|(sector, at)| (sector, at.index(1 << 30) as u64))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn cells_of_large_sectors_lead_to_their_positions_and_back((sector, at) in large_cells()) {
        thread_local! {
            static NINE: (Variant, SectorIndex) = nine();
        }
        NINE.with(|(nine, index)| {
            let cell = at % index.len(sector);
            let (mover, opponent) = index.unrank(sector, cell);
            prop_assert_eq!(mover & opponent, 0);
            let here = sector.position((mover, opponent));
            prop_assert_eq!(here.sector(), sector);
            let least = index.rank(&here);
            prop_assert!(least <= cell);
            prop_assert_eq!(least == cell, index.is_least(sector, cell));
            prop_assert!(index.is_least(sector, least));
            for symmetry in nine.board.symmetries() {
                prop_assert_eq!(index.rank(&here.image(symmetry)), least);
            }
            Ok(())
        })?;
    }
}

/// The rule that lets placement layers share their rows: Black's men are fixed, whoever is to move.
#[test]
fn blacks_men_are_fixed_in_every_sector_where_men_are_placed() {
    let (nine, _) = nine();
    let mut open = vec![nine.start()];
    for _ in 0..8 {
        let here = open.pop().unwrap();
        let fixed = match here.side {
            Side::White => Fixed::Opponent,
            Side::Black => Fixed::Mover,
        };
        assert_eq!(Fixed::of(here.sector()), fixed);
        let turns = nine.turns(&here);
        open.push(nine.play(&here, &turns[turns.len() / 2]));
    }
}

/// A board of so many points with few symmetries or many: a row of lines, or separate triangles.
fn long_board(points: usize, triangles: bool) -> Board {
    let all = (0..points)
        .map(|p| BoardPoint {
            label: format!("p{p}"),
            x: p as f32,
            y: 0.0,
        })
        .collect();
    let step = if triangles { 8 } else { 2 };
    let lines = (0..points - 2).step_by(step).map(|p| vec![p, p + 1, p + 2]);
    let slides = (0..points - 1).filter(|p| !triangles || p % 8 != 7);
    Board::new(
        all,
        lines.collect(),
        slides.map(|p| (p, p + 1)).collect(),
        vec![(0..points).collect()],
    )
    .unwrap()
}

/// Boards on both sides of 24 points: sets are located as by comparing all their images.
#[test]
fn sets_of_boards_of_any_size_lead_to_their_least_image() {
    let pentagon = Variant::builtin("pentagon").unwrap().board;
    let mut boards = vec![(pentagon, 20)];
    for points in [23, 24, 25, 26, 31, 32] {
        boards.push((long_board(points, false), 1 + points % 2));
    }
    boards.push((long_board(24, true), 6));
    boards.push((long_board(32, true), 24));
    for (board, symmetries) in boards {
        assert_eq!(board.symmetries().len(), symmetries);
        let sets = CanonicalSets::new(&board, 5);
        for men in 0..=5 {
            let mut last = None;
            for (orbit, &set) in sets.representatives(men).iter().enumerate() {
                assert!(last < Some(set));
                last = Some(set);
                assert_eq!(sets.locate(set).orbit as usize, orbit);
            }
            let counted = OrbitCounter::new(&board).sets(men);
            assert_eq!(sets.count(men) as u64, counted);
            assert_eq!(sets.representatives(men).len() as u64, counted);
            for set in sets_of(board.point_count(), men).step_by(1009) {
                let images = board.symmetries().iter().map(|s| s.apply(set));
                let least = images.min().unwrap();
                let located = sets.locate(set);
                assert_eq!(sets.representative(men, located.orbit as usize), least);
                let symmetry = &board.symmetries()[usize::from(located.symmetry)];
                assert_eq!(symmetry.apply(set), least);
            }
        }
    }
}

/// Free points beyond the third byte, and sets that symmetries keep.
#[test]
fn duplicates_of_a_large_board_are_the_cells_that_are_not_least() {
    let pentagon = Variant::builtin("pentagon").unwrap();
    let index = SectorIndex::new(&pentagon.board, 5);
    for (mover, opponent) in [(2, 1), (3, 2), (1, 3), (2, 0)] {
        let sector = Sector {
            mover,
            opponent,
            mover_hand: 0,
            opponent_hand: 0,
        };
        let mut duplicates = Vec::new();
        for row in index.rows_with_duplicates(sector) {
            index.for_each_duplicate(sector, row, |cell| duplicates.push(cell));
        }
        let cells = 0..index.len(sector);
        let expected: Vec<u64> = cells
            .filter(|&cell| !index.is_least(sector, cell))
            .collect();
        assert!(!expected.is_empty());
        assert_eq!(duplicates, expected);
        for cell in (0..index.len(sector)).step_by(7) {
            let here = sector.position(index.unrank(sector, cell));
            let least = index.rank(&here);
            for symmetry in pentagon.board.symmetries() {
                assert_eq!(index.rank(&here.image(symmetry)), least);
            }
        }
    }
}
