//! `lookalike index`

use crate::args::{self, AddedArgs, IndexCommand, InfoArgs, ReportFormat, Usage};
use crate::exit::Exit;
use crate::report;
use lookalike_batch::{Against, Dedup};
use lookalike_corpus::network::is_remote;
use lookalike_engine::Error as EngineError;
use lookalike_engine::index::{Index, IndexSummary, Verify};
use std::io::Write;
use std::sync::Arc;

pub(crate) fn run(command: IndexCommand) -> anyhow::Result<Exit> {
    match command {
        IndexCommand::Build(build) => {
            if is_remote(&build.output) {
                let message = format!("-o {}: an index is a folder of this machine", build.output.display());
                return Err(Usage(message).into());
            }
            let plan = args::job(
                Vec::new(),
                build.added.input.fields.clone(),
                &build.added.similarity,
                &build.added.run,
            )?
            .request
            .plan;
            add(Index::create(&build.output, &plan).map_err(EngineError::from)?, build.added)
        }
        IndexCommand::Add(add_to) => {
            add(Index::open_to_add(&add_to.index).map_err(EngineError::from)?, add_to.added)
        }
        IndexCommand::Info(arguments) => info(&arguments),
    }
}

/// As `dedup --against INDEX --update`, without outputs.
fn add(index: Index, added: AddedArgs) -> anyhow::Result<Exit> {
    let AddedArgs { input, similarity, space, run } = added;
    let mut job = args::job_beside(&index, input.inputs, input.fields, &similarity, &run)?;
    space.limit(&mut job);
    let against = Against { index: Some(Arc::new(index)), ..Against::default() };
    let dedup = Dedup { against, ..Dedup::new(job) };
    let monitor = report::monitor(run.quiet);
    let summary = dedup.run(&monitor)?.publish(&monitor)?;
    report::finish(&summary, report::Verb::Index, &run)
}

fn info(arguments: &InfoArgs) -> anyhow::Result<Exit> {
    let verify = if arguments.verify { Verify::Everything } else { Verify::Outline };
    let info = IndexSummary::read(&arguments.index, verify, &report::monitor(false))?;
    let text = match arguments.format {
        ReportFormat::Text => report::index_info(&info),
        ReportFormat::Json => serde_json::to_string_pretty(&info)? + "\n",
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(Exit::Done)
}
