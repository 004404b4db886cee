//! `lookalike index`

use crate::args::{
    self, AddArgs, BuildArgs, IndexCommand, InfoArgs, InputArgs, LikenessArgs, ReportFormat, RunArgs,
};
use crate::exit::Exit;
use crate::report;
use lookalike_batch::{Against, ClusterShape, Dedup, Index, Keep, Verify};
use std::io::Write;
use std::sync::Arc;

pub(crate) fn run(command: IndexCommand) -> anyhow::Result<Exit> {
    match command {
        IndexCommand::Build(BuildArgs { input, output, likeness, run }) => {
            let plan = args::job(Vec::new(), input.fields.clone(), &likeness, &run)?.plan;
            add(Index::create(&output, &plan)?, input, &likeness, &run)
        }
        IndexCommand::Add(AddArgs { index, input, likeness, run }) => {
            add(Index::open_to_add(&index)?, input, &likeness, &run)
        }
        IndexCommand::Info(arguments) => info(&arguments),
    }
}

/// As `dedup --against INDEX --update`, without outputs.
fn add(index: Index, input: InputArgs, likeness: &LikenessArgs, run: &RunArgs) -> anyhow::Result<Exit> {
    let job = args::job_beside(&index, input.inputs, input.fields, likeness, run)?;
    let dedup = Dedup {
        job,
        against: Against { index: Some(Arc::new(index)), ..Against::default() },
        keep: Keep::First,
        clustering: ClusterShape::Union,
        min_containment: None,
        output: None,
        annotate: false,
        removed: None,
        clusters: None,
        report: None,
    };
    let summary = dedup.run(&report::monitor(run.quiet))?;
    report::finish(&summary, report::Verb::Index, run)
}

fn info(arguments: &InfoArgs) -> anyhow::Result<Exit> {
    let verify = if arguments.verify { Verify::Everything } else { Verify::Outline };
    let info = Index::info(&arguments.index, verify, &report::monitor(false))?;
    let text = match arguments.format {
        ReportFormat::Text => report::index_info(&info),
        ReportFormat::Json => serde_json::to_string_pretty(&info)? + "\n",
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(Exit::Done)
}
