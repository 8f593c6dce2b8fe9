//! A plain solution written as a database and read back.

use millbase::database::{Cells, Contents, Database, DatabaseWriter};
use millbase::game::{Sector, Variant};
use millbase::solve::plain::{self, Options, PlainError};

#[test]
fn a_database_of_a_plain_solution_holds_its_values() {
    let variant = Variant::builtin("three-diagonal").unwrap();
    let solution = plain::solve(&variant, &Options::default(), |_| ()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("three");
    let writer = DatabaseWriter::create(&path, &variant, Contents::Distances, 3).unwrap();
    for sector in solution.sectors() {
        let scores = solution.scores(sector, writer.index()).unwrap();
        let written = writer.write_sector(sector, Cells::Scores(&scores)).unwrap();
        let counts = solution.counts(sector).unwrap();
        let sums = (written.win, written.draw, written.loss);
        assert_eq!(sums, (counts.win, counts.draw, counts.loss), "{sector}");
        let longest = (written.longest_win, written.longest_loss);
        assert_eq!(
            longest,
            (counts.longest_win, counts.longest_loss),
            "{sector}"
        );
    }
    writer.finish(serde_json::json!({})).unwrap();

    let database = Database::open(&path).unwrap();
    for sector in solution.sectors() {
        solution.for_each(sector, |position, value| {
            for symmetry in variant.board.symmetries() {
                let cell = database.index().rank(&position.image(symmetry));
                assert_eq!(database.score(sector, cell).unwrap().value(), value);
            }
        });
    }
}

#[test]
fn a_sector_that_was_not_solved_has_no_scores() {
    let nine = Variant::builtin("nine").unwrap();
    let solution = plain::solve(&nine, &Options::movement(&nine, 2), |_| ()).unwrap();
    assert_eq!(solution.position_count(), 0);
    let index = millbase::index::SectorIndex::new(&nine.board, 9);
    let sector = Sector {
        mover: 3,
        opponent: 3,
        mover_hand: 0,
        opponent_hand: 0,
    };
    let refused = solution.scores(sector, &index).unwrap_err();
    assert!(
        matches!(refused, PlainError::NotSolved(s) if s == sector),
        "{refused}"
    );
}
