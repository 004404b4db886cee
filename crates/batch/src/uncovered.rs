//! What removed documents hold that is not in those kept for them: they are read once more, one at a time, and cut into
//! features, which are looked up among those of the kept ones.

use crate::decide::{Decisions, Grounds};
use crate::error::Error;
use crate::ids::Names;
use crate::progress::{Monitor, Unit};
use crate::reasons::Reason;
use crate::scan::scan;
use lookalike::{Comparer, Similarity, Sketcher, Uncovered};
use lookalike_corpus::{Chunk, Fields, Inputs, Reader, Scan, Scratch};
use std::sync::atomic::AtomicBool;

/// What every removed document holds that is not in the one kept for it, by document; of those that are wholly contained there
/// is nothing to tell.
#[derive(Debug, Default)]
pub(crate) struct Lost(Vec<(u32, Uncovered)>);

impl Lost {
    /// What goes with `document`; `None` if nothing does.
    pub(crate) fn with(&self, document: u32) -> Option<&Uncovered> {
        let at = self.0.binary_search_by_key(&document, |(document, _)| *document).ok()?;
        Some(&self.0[at].1)
    }

    /// Reads the removed documents again that are not wholly contained in those kept for them.
    pub(crate) fn read(
        inputs: &Inputs,
        decisions: &Decisions,
        reasons: &[Vec<Reason>],
        grounds: Grounds<'_>,
        monitor: &Monitor,
    ) -> Result<Self, Error> {
        let Grounds { job, documents, .. } = grounds;
        let wanted = wanted(decisions, reasons);
        if wanted.is_empty() {
            return Ok(Lost::default());
        }
        let bar = monitor.stage("explain", Unit::Documents, Some(wanted.len() as u64));
        let fields = Fields { text: job.text_field.clone(), id: None, number: None };
        let reader = Reader::new(inputs, &fields, Scan::Documents);
        let state = || {
            let sketcher = Sketcher::with_level(&job.plan, job.level);
            (sketcher, Comparer::with_level(job.level), None, Scratch::default())
        };
        type State<'p> = (Sketcher<'p>, Comparer, Option<u32>, Scratch);
        let work = |(sketcher, comparer, held, scratch): &mut State<'_>, chunk: Chunk<'_>| {
            let range =
                documents.chunk_index(chunk.id()).map_or(0..0, |index| documents.chunks[index].range());
            let before = |end: u32| wanted.partition_point(|&(document, _)| document < end);
            let here = &wanted[before(range.start)..before(range.end)];
            if here.is_empty() {
                return Ok(None);
            }
            let mut loaded = chunk.load(scratch)?;
            let mut lost = Vec::with_capacity(here.len());
            for &(document, kept) in here {
                let record =
                    loaded.record(documents.places[document as usize]).map_err(|bad| Error::Changed {
                        place: Names { inputs, documents }.place(document),
                        problem: bad.problem.to_string(),
                    })?;
                if held.replace(kept) != Some(kept) {
                    comparer.hold(grounds.set(kept).features);
                }
                let uncovered = Uncovered::of(sketcher, record.text, |feature| comparer.holds(feature));
                lost.push((document, uncovered));
            }
            bar.inc(here.len() as u64);
            Ok(Some(lost))
        };
        let parts = scan(&reader, &monitor.interrupt, &AtomicBool::new(false), state, work);
        bar.finish_and_clear();
        let mut lost = parts?.0.concat();
        lost.sort_unstable_by_key(|(document, _)| *document);
        Ok(Lost(lost))
    }
}

/// The removed documents that are not wholly contained in those kept for them, and these.
fn wanted(decisions: &Decisions, reasons: &[Vec<Reason>]) -> Vec<(u32, u32)> {
    let mut wanted: Vec<(u32, u32)> = (decisions.clusters.iter().zip(reasons))
        .flat_map(|(cluster, reasons)| cluster.decisions().zip(reasons))
        .filter(|(_, reason)| reason.containment.is_some_and(|containment| containment != Similarity::SAME))
        .map(|(pair, _)| pair)
        .collect();
    wanted.sort_unstable();
    wanted
}
