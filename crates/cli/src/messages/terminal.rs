//! Progress bars and notes on a terminal.

use crate::note::note;
use indicatif::{ProgressBar, ProgressStyle};
use lookalike_engine::progress::{Advance, Observer, Unit};

/// Standard error.
#[derive(Debug)]
pub(super) struct Terminal {
    /// Draw bars on it.
    pub(super) bars: bool,
}

/// A bar, which is cleared when it is dropped.
struct TerminalBar(ProgressBar);

impl Advance for TerminalBar {
    fn advance(&self, done: u64) {
        self.0.inc(done);
    }
}

/// Where no bars are drawn.
struct Nothing;

impl Advance for Nothing {
    fn advance(&self, _done: u64) {}
}

impl Drop for TerminalBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

impl Observer for Terminal {
    fn begin(&self, stage: &'static str, unit: Unit, total: Option<u64>) -> Box<dyn Advance> {
        if !self.bars {
            return Box::new(Nothing);
        }
        let bar = match total {
            Some(total) => ProgressBar::new(total),
            None => ProgressBar::no_length(),
        };
        if let Ok(style) = ProgressStyle::with_template(&template(unit, total.is_some())) {
            bar.set_style(style);
        }
        bar.set_message(stage);
        Box::new(TerminalBar(bar))
    }

    fn note(&self, text: &str) {
        note(text);
    }
}

/// The template of a bar. Without a total it shows only how much is done.
fn template(unit: Unit, has_total: bool) -> String {
    let (done, of, rate) = match unit {
        Unit::Bytes => ("{bytes}", "{total_bytes}", "{bytes_per_sec}"),
        Unit::Documents => ("{human_pos}", "{human_len} documents", "{per_sec}"),
        Unit::Rows => ("{human_pos}", "{human_len} rows", "{per_sec}"),
        Unit::Bands => ("{human_pos}", "{human_len} bands", "{per_sec}"),
        Unit::Parts => ("{human_pos}", "{human_len} parts", "{per_sec}"),
        Unit::Rounds => ("{human_pos}", "{human_len} rounds", "{per_sec}"),
    };
    match has_total {
        true => format!("{{msg:12}} {{wide_bar}} {done} / {of}  {{eta}} left"),
        false => format!("{{msg:12}} {{spinner}} {done}  {rate}"),
    }
}
