//! Whole games: the six-men game, and the movement sectors of nine men's morris up to five men a side.
//! Each run's result is checked.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use millbase::game::Variant;
use millbase::solve::{Silent, SolveOptions, Summary, plain, solve};
use millbase::value::Outcome;

fn solved(variant: &Variant, options: &SolveOptions) -> Summary {
    let folder = tempfile::tempdir().expect("a temporary folder");
    solve(variant, folder.path(), options, &Silent).expect("the game is solved")
}

fn games(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve");
    let six = Variant::builtin("six").expect("built in");
    let positions = solved(&six, &SolveOptions::default()).positions;
    group.throughput(Throughput::Elements(positions));
    group.bench_function("six", |bencher| {
        bencher.iter(|| {
            let summary = solved(&six, &SolveOptions::default());
            assert_eq!(summary.start.map(|start| start.value), Some(Outcome::Draw));
        });
    });

    let mut few = six.clone();
    few.rules.men = 4;
    let plain_options = plain::Options::default();
    group.throughput(Throughput::Elements(
        solved(&few, &SolveOptions::default()).positions,
    ));
    group.bench_function("six board with four men, plain solver", |bencher| {
        bencher.iter(|| {
            plain::solve(&few, &plain_options, |_: &plain::Progress| {}).expect("a small game")
        });
    });

    let nine = Variant::builtin("nine").expect("built in");
    let five = SolveOptions {
        men_up_to: Some(5),
        ..SolveOptions::default()
    };
    // Source: the sum of the nine rows of data/reference/nine-movement.tsv.
    let wanted = 61_612_215;
    group.throughput(Throughput::Elements(wanted));
    group.bench_function("nine, movement up to five men", |bencher| {
        bencher.iter(|| assert_eq!(solved(&nine, &five).positions, wanted));
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(10));
    targets = games
}
criterion_main!(benches);
