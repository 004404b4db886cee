//! The words of removed documents that are not in the kept ones. The removed documents are read once more, one at a time, and their
//! features are looked up among the features of the kept documents.

use crate::clusters::evidence::Evidence;
use crate::decisions::Decisions;
use crate::decisions::kept_frequent::KeptFrequent;
use crate::decisions::reasons::Reasons;
use crate::decisions::uncovered_text::{ExcerptCollector, Excerpts, UncoveredText};
use crate::documents::names::DocumentNames;
use crate::documents::scanned::Scanned;
use crate::error::Error;
use crate::progress::Unit;
use crate::scan::scan;
use crate::search::Sketched;
use lookalike::compare::{Comparer, Uncovered};
use lookalike::{Similarity, Sketcher};
use lookalike_corpus::{Chunk, Reader, Scan, Scratch};
use std::sync::atomic::AtomicBool;

impl UncoveredText {
    /// Reads the removed documents again that are not wholly contained in the document kept for them.
    pub fn read(
        sketched: Sketched<'_>,
        evidence: Evidence<'_>,
        decisions: &Decisions,
        reasons: &Reasons,
    ) -> Result<Self, Error> {
        let Scanned { request, inputs, documents, monitor } = sketched.scanned;
        let wanted = wanted(evidence, decisions, reasons);
        if wanted.is_empty() {
            return Ok(UncoveredText::default());
        }
        let kept: Vec<u32> = wanted.iter().map(|&document| decisions.kept_for(document)).collect();
        let frequent = KeptFrequent::read(sketched.scanned, evidence, &kept)?;
        let whole = request.plan.with_all_features();
        let bar = monitor.stage("explain", Unit::Documents, Some(wanted.len() as u64));
        let fields = request.fields_of_text();
        let reader = Reader::new(inputs, &fields, Scan::Documents);
        let state = || {
            let sketcher = Sketcher::with_level(&whole, request.level);
            (sketcher, Comparer::with_level(request.level), None, Scratch::default())
        };
        let collector = ExcerptCollector::new(sketched.work);
        type State<'p> = (Sketcher, Comparer, Option<u32>, Scratch);
        let read = |(sketcher, comparer, held, scratch): &mut State<'_>, chunk: Chunk<'_>| {
            let range =
                documents.chunk_index(chunk.id()).map_or(0..0, |index| documents.chunks[index].range());
            let before = |end: u32| wanted.partition_point(|&document| document < end);
            let here = &wanted[before(range.start)..before(range.end)];
            if here.is_empty() {
                return Ok(None);
            }
            let mut loaded = documents.load(here, chunk, scratch)?;
            let mut uncovered_text = Excerpts::default();
            for &document in here {
                let kept = decisions.kept_for(document);
                let record =
                    loaded.record(documents.places[document as usize]).map_err(|bad| Error::Changed {
                        place: DocumentNames { inputs, documents }.place(document),
                        problem: bad.problem.to_string(),
                    })?;
                if held.replace(kept) != Some(kept) {
                    comparer.hold(evidence.set(kept).features);
                }
                let shared = |feature| comparer.holds(feature) || frequent.has(evidence, kept, feature);
                let uncovered = Uncovered::of(sketcher, record.text, shared);
                if uncovered.words > 0 {
                    uncovered_text.push(document, &uncovered);
                }
            }
            bar.inc(here.len() as u64);
            collector.add(uncovered_text)?;
            Ok(None::<()>)
        };
        let done = scan::<_, _, Error>(&reader, &monitor.interrupt, &AtomicBool::new(false), state, read);
        drop(bar);
        done?;
        collector.finish()
    }
}

/// The removed documents that may have words which the document kept for them has not. Without frequent features, a document may be contained
/// that has words of its own.
fn wanted(evidence: Evidence<'_>, decisions: &Decisions, reasons: &Reasons) -> Vec<u32> {
    let leaves_out = evidence.request.plan.frequent().is_some();
    let is_wanted = |member: u32, containment| {
        containment != Similarity::SAME
            || leaves_out && !evidence.are_copies(member, decisions.kept_for(member))
    };
    let mut wanted: Vec<u32> = (0..decisions.len())
        .flat_map(|index| decisions.cluster(index).members.iter().zip(reasons.of_cluster(decisions, index)))
        .filter(|&(&member, ref reason)| {
            reason.containment.is_some_and(|containment| is_wanted(member, containment))
        })
        .map(|(&member, _)| member)
        .collect();
    wanted.sort_unstable();
    wanted
}
