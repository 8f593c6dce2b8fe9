//! `millbase variants`: the games that are built in.

use clap::Args;
use millbase::game::Variant;
use serde::Serialize;

use super::failure::Failure;
use super::{print, print_json};

/// Lists the built-in games.
///
/// A game of your own is a variant file in TOML: give its path in place of an id. The built-in files are
/// examples of all keys; `data/variants/README.md` of the source explains them.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Print a JSON list instead
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Line {
    id: String,
    name: String,
    points: usize,
    lines: usize,
    men: u8,
    symmetries: usize,
    fingerprint: String,
}

impl Arguments {
    /// Lists.
    pub fn run(self) -> Result<(), Failure> {
        let lines: Vec<Line> = Variant::builtins().into_iter().map(line).collect();
        if self.json {
            return print_json(&lines);
        }
        let mut table =
            super::stats::table(&["id", "men", "points", "lines", "symmetries", "name"]);
        for line in lines {
            let numbers = [line.points, line.lines, line.symmetries].map(|n| n.to_string());
            let [points, lines, symmetries] = numbers;
            table.add_row([
                line.id,
                line.men.to_string(),
                points,
                lines,
                symmetries,
                line.name,
            ]);
        }
        print(&format!("{}\n", table.trim_fmt()))
    }
}

fn line(variant: Variant) -> Line {
    Line {
        points: variant.board.point_count(),
        lines: variant.board.lines().len(),
        men: variant.rules.men,
        symmetries: variant.board.symmetries().len(),
        fingerprint: variant.fingerprint().to_string(),
        id: variant.id,
        name: variant.name,
    }
}
