//! Progress for people: a bar in a terminal, plain lines elsewhere.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use millbase::solve::Progress;

use super::{duration, grouped};

/// How often a plain line is written.
const EVERY: Duration = Duration::from_secs(10);

/// Fits a terminal of 80 columns with some bar left when nine men's morris is solved, which is why it does without
/// the number of positions: lines that are too long are cut, and with them the time to go.
const TEMPLATE: &str = "{prefix:>16} {wide_bar} {percent:>3} %  {rate}  {msg}{to_go}";

/// The share of the work that must be done before its pace says when it ends: the first plies decide few positions.
const FORESEEABLE: f64 = 0.001;

/// Shows how far a solver is.
#[derive(Debug)]
pub struct Display {
    /// The current stage; replaced when the next begins.
    stage: Mutex<Stage>,
    terminal: bool,
}

#[derive(Debug)]
struct Stage {
    name: String,
    bar: ProgressBar,
    cells: u64,
    done: u64,
    started: Instant,
    told: Instant,
    detail: String,
}

/// A bar for a stage of so many cells.
fn bar(name: &str, cells: u64, target: ProgressDrawTarget) -> ProgressBar {
    let rate = |state: &ProgressState, text: &mut dyn fmt::Write| {
        // A bar is no reason to fail.
        let _ = write!(text, "{}/s", grouped(state.per_sec() as u64));
    };
    let to_go = |state: &ProgressState, text: &mut dyn fmt::Write| {
        if f64::from(state.fraction()) >= FORESEEABLE {
            let _ = write!(text, "  ETA {:#}", HumanDuration(state.eta()));
        }
    };
    let bar = ProgressBar::with_draw_target(Some(cells), target);
    // A style that does not parse would only make the bar plainer.
    if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
        bar.set_style(style.with_key("rate", rate).with_key("to_go", to_go));
    }
    bar.set_prefix(name.to_owned());
    bar
}

impl Stage {
    fn new(name: &str, cells: u64, terminal: bool) -> Stage {
        let target = if terminal {
            ProgressDrawTarget::stderr_with_hz(4)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = bar(name, cells, target);
        let now = Instant::now();
        Stage {
            name: name.to_owned(),
            bar,
            cells,
            done: 0,
            started: now,
            told: now,
            detail: String::new(),
        }
    }

    /// One line about the stage.
    fn line(&self) -> String {
        let done = self.done.min(self.cells);
        let seconds = self.started.elapsed().as_secs_f64();
        let rate = done as f64 / seconds.max(1e-9);
        let percent = 100.0 * done as f64 / self.cells.max(1) as f64;
        let mut line = format!(
            "{}: {percent:.0} % of {} positions, {} positions/s",
            self.name,
            grouped(self.cells),
            grouped(rate as u64)
        );
        if !self.detail.is_empty() {
            line += &format!(", {}", self.detail);
        }
        if done < self.cells && percent >= 100.0 * FORESEEABLE {
            line += &format!(", ETA {}", duration((self.cells - done) as f64 / rate));
        }
        line
    }

    fn end(&self) {
        if self.name.is_empty() {
            return;
        }
        self.bar.finish_and_clear();
        let seconds = self.started.elapsed().as_secs_f64();
        tell(&format!(
            "{}: {} positions in {}",
            self.name,
            grouped(self.cells),
            duration(seconds)
        ));
    }
}

/// Writes a line to standard error. Progress is no reason to fail.
fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

impl Display {
    /// A display on standard error.
    pub fn new() -> Display {
        let terminal = io::stderr().is_terminal();
        Display {
            stage: Mutex::new(Stage::new("", 0, false)),
            terminal,
        }
    }

    /// Ends the last stage.
    pub fn finish(&self) {
        self.with(|stage| stage.end());
    }

    fn with<T>(&self, visit: impl FnOnce(&mut Stage) -> T) -> T {
        visit(
            &mut self
                .stage
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner),
        )
    }

    fn detail(&self, detail: String) {
        self.with(|stage| {
            stage.bar.set_message(detail.clone());
            stage.detail = detail;
        });
    }
}

impl Progress for Display {
    fn stage(&self, name: &str, cells: u64) {
        self.with(|stage| {
            stage.end();
            *stage = Stage::new(name, cells, self.terminal);
        });
    }

    fn advance(&self, cells: u64) {
        self.with(|stage| {
            stage.done += cells;
            stage.bar.inc(cells);
            if !self.terminal && stage.told.elapsed() >= EVERY {
                stage.told = Instant::now();
                tell(&stage.line());
            }
        });
    }

    fn ply(&self, ply: u16) {
        self.detail(format!("ply {ply}"));
    }

    fn layer(&self, men_in_hand: u8) {
        let men = if men_in_hand == 1 { "man" } else { "men" };
        self.detail(format!("{men_in_hand} {men} in hand"));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use indicatif::TermLike;

    use super::*;

    /// A terminal of 80 columns that keeps what is written.
    #[derive(Debug, Default, Clone)]
    struct Screen(Arc<Mutex<String>>);

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            80
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, line: &str) -> io::Result<()> {
            self.write_str(line)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            self.0.lock().unwrap().clear();
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_end_is_foretold_once_something_is_done() {
        let mut stage = Stage::new("movement", 10_000_000, false);
        stage.started -= Duration::from_secs(100);
        stage.done = 191;
        assert!(!stage.line().contains("ETA"), "{}", stage.line());
        stage.done = 2_500_000;
        assert!(
            stage.line().ends_with(", ETA 5 min 00 s"),
            "{}",
            stage.line()
        );

        let screen = Screen::default();
        let bar = bar(
            "movement",
            10_000_000,
            ProgressDrawTarget::term_like(Box::new(screen.clone())),
        );
        bar.inc(191);
        bar.force_draw();
        assert!(screen.0.lock().unwrap().contains("0 %"));
        assert!(!screen.0.lock().unwrap().contains("ETA"));
    }

    #[test]
    fn the_bar_of_nine_fits_a_narrow_terminal() {
        let screen = Screen::default();
        let target = ProgressDrawTarget::term_like(Box::new(screen.clone()));
        let bar = bar("writing movement", 26_761_334_939, target);
        bar.set_message("12 men in hand");
        for _ in 0..3 {
            bar.inc(4_000_000_000);
            thread::sleep(Duration::from_millis(20));
        }
        bar.force_draw();
        let line = screen.0.lock().unwrap().clone();
        assert!(line.contains("45 %"), "{line}");
        assert!(line.contains("░░"), "{line}");
        assert!(line.contains("12 men in hand  ETA "), "{line}");
        let rate = line.split("  ").find(|part| part.ends_with("/s")).unwrap();
        assert!(!rate.contains('.'), "{line}");
    }
}
