//! What a person sees while a job runs, and how it is stopped.

use crate::error::Error;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A switch that stops a job at the next chunk or bucket; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Stops the job.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Has it been set?
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.is_set() { Err(Error::Interrupted) } else { Ok(()) }
    }
}

/// Shows how far a job is.
#[derive(Clone, Debug, Default)]
pub struct Monitor {
    /// Draw bars on standard error.
    pub bars: bool,
    /// The switch that stops the job.
    pub interrupt: Interrupt,
    /// Is told what people should know while the job runs, such as that it goes on where another stopped.
    pub notes: Option<fn(&str)>,
}

/// What a bar counts.
pub(crate) enum Unit {
    Bytes,
    Documents,
    Rows,
    Bands,
    Parts,
    Rounds,
}

impl Monitor {
    /// Tells people something that they did not ask for.
    pub(crate) fn note(&self, text: &str) {
        if let Some(notes) = self.notes {
            notes(text);
        }
    }

    /// A bar for one stage; without a total it shows only how much is done.
    pub(crate) fn stage(&self, name: &'static str, unit: Unit, total: Option<u64>) -> ProgressBar {
        let bar = ProgressBar::no_length();
        if let Some(total) = total {
            bar.set_length(total);
        }
        if !self.bars {
            bar.set_draw_target(ProgressDrawTarget::hidden());
            return bar;
        }
        let (done, of, rate) = match unit {
            Unit::Bytes => ("{bytes}", "{total_bytes}", "{bytes_per_sec}"),
            Unit::Documents => ("{human_pos}", "{human_len} documents", "{per_sec}"),
            Unit::Rows => ("{human_pos}", "{human_len} rows", "{per_sec}"),
            Unit::Bands => ("{human_pos}", "{human_len} bands", "{per_sec}"),
            Unit::Parts => ("{human_pos}", "{human_len} parts", "{per_sec}"),
            Unit::Rounds => ("{human_pos}", "{human_len} rounds", "{per_sec}"),
        };
        let template = match total {
            Some(_) => format!("{{msg:12}} {{wide_bar}} {done} / {of}  {{eta}} left"),
            None => format!("{{msg:12}} {{spinner}} {done}  {rate}"),
        };
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        bar.set_message(name);
        bar
    }
}
