//! `lookalike sketch`

use crate::args::{self, SketchArgs, Usage};
use crate::exit::Exit;
use crate::messages;
use lookalike::Method;
use lookalike_batch::{ListOutput, WriteSketches};

pub(crate) fn run(arguments: SketchArgs) -> anyhow::Result<Exit> {
    let run = &arguments.run;
    let job = args::job(arguments.input.inputs, arguments.input.fields, &arguments.similarity, run)?;
    if job.request.plan.method() == Method::Exact {
        return Err(Usage("--method exact makes no sketches; use minhash or simhash".to_owned()).into());
    }
    let sketches = WriteSketches { job, output: ListOutput::File(arguments.output) };
    let monitor = messages::monitor(run.quiet);
    let summary = sketches.run(&monitor)?.publish(&monitor)?;
    messages::finish(&summary, &summary.read, messages::summary::sketch, run)
}
