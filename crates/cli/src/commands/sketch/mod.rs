//! `lookalike sketch`

mod explanation;

use crate::args::{self, SketchArgs, Usage};
use crate::exit::Exit;
use crate::messages;
use lookalike::{FeatureHashes, Method};
use lookalike_batch::engine::progress::Monitor;
use lookalike_batch::{ExplainFingerprints, Job, ListOutput, WriteSketches};
use lookalike_report::SketchSummary;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Documents that `--explain` explains: more than a reader compares.
const EXPLAINED: usize = 10;

pub(crate) fn run(arguments: SketchArgs) -> anyhow::Result<Exit> {
    let run = &arguments.run;
    let similarity = &arguments.similarity;
    let mut job = args::job(arguments.input.inputs, arguments.input.fields, similarity, run)?;
    if job.request.plan.method() == Method::Exact {
        return Err(Usage("--method exact makes no sketches; use minhash or simhash".to_owned()).into());
    }
    let table = arguments.feature_hash_table.as_ref();
    let hashes = table.map(|path| similarity.feature_hashes(path, &job.request.plan)).transpose()?;
    job.read.extend(table.cloned());
    let monitor = messages::monitor(run.quiet);
    let summary = match arguments.output {
        output if arguments.explain => explain(job, hashes, output, &monitor)?,
        Some(output) => {
            let sketches = WriteSketches { job, output: ListOutput::File(output), hashes };
            sketches.run(&monitor)?.publish(&monitor)?
        }
        None => return Err(Usage("name the file of the sketches, with --output FILE".to_owned()).into()),
    };
    messages::finish(&summary, &summary.read, messages::summary::sketch, run)
}

fn explain(
    job: Job,
    hashes: Option<Arc<FeatureHashes>>,
    output: Option<PathBuf>,
    monitor: &Monitor,
) -> anyhow::Result<SketchSummary> {
    if job.request.plan.method() != Method::SimHash {
        return Err(Usage("--explain needs --method simhash: it explains fingerprints".to_owned()).into());
    }
    let output = output.filter(|path| path != Path::new("-"));
    let is_text =
        |path: &PathBuf| path.extension().is_none_or(|extension| extension.eq_ignore_ascii_case("txt"));
    if let Some(path) = output.as_ref().filter(|path| !is_text(path)) {
        let message = format!("{}: --explain writes text; end the name in .txt", path.display());
        return Err(Usage(message).into());
    }
    let explain = ExplainFingerprints { job, count: EXPLAINED, output, hashes };
    let mut done = explain.run(monitor)?;
    let written = explanation::write(&explain.job.request.plan, done.result());
    match explain.output {
        Some(_) => done.write_report(&written, monitor)?,
        None => messages::print(&written)?,
    }
    Ok(done.publish(monitor)?)
}
