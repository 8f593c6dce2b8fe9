//! The index against published sizes, and as a bijection on sectors too large to walk.

use millbase::game::{Sector, Side, Variant};
use millbase::index::canonical::binomial;
use millbase::index::{Fixed, OrbitCounter, SectorIndex};
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
    for variant in Variant::builtins()
        .iter()
        .filter(|variant| variant.board.point_count() <= 24)
    {
        let counter = OrbitCounter::new(&variant.board);
        let index = SectorIndex::new(&variant.board, variant.rules.men.into());
        for sector in variant.sectors() {
            assert_eq!(
                index.len(sector),
                counter.cells(sector),
                "{} {sector}",
                variant.id
            );
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
