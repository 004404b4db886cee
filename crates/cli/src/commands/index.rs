//! `lookalike index`

mod copy;
mod resketch;
mod whole;

use crate::args::{self, AddArgs, AddedArgs, IndexCommand, InfoArgs, ReportFormat, Usage};
use crate::exit::Exit;
use crate::messages;
use lookalike::Method;
use lookalike_batch::{Against, Dedup};
use lookalike_corpus::network::has_scheme;
use lookalike_engine::Error as EngineError;
use lookalike_engine::index::{Index, IndexSummary, Verify};
use lookalike_index::NewIndex;
use lookalike_service::RedisAddress;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

pub(crate) fn run(command: IndexCommand) -> anyhow::Result<Exit> {
    match command {
        IndexCommand::Build(mut build) => {
            refuse_redis(&build.output)?;
            build.new.put_into(&mut build.added.similarity)?;
            // Refuses what no job takes, before there is an index.
            args::job(
                Vec::new(),
                build.added.input.fields.clone(),
                &build.added.similarity,
                &build.added.run,
            )?;
            let new = build.new.new_index(&mut build.added.similarity)?;
            add(create("-o", &build.output, new)?, build.added)
        }
        IndexCommand::Add(add_to) => {
            refuse_redis(&add_to.index)?;
            refuse_wrong_order(&add_to)?;
            add(Index::open_to_add(&add_to.index).map_err(EngineError::from)?, add_to.added)
        }
        IndexCommand::Info(arguments) => info(&arguments),
        IndexCommand::Copy(arguments) => copy::run(&arguments),
        IndexCommand::Resketch(arguments) => resketch::run(arguments),
    }
}

/// Makes an index in the folder that `option` names.
pub(super) fn create(option: &str, folder: &Path, new: NewIndex) -> anyhow::Result<Index> {
    let name = folder.display();
    let message = match new.plan.method() {
        _ if has_scheme(folder) => format!("{option} {name}: an index is a folder of this machine"),
        _ if folder.is_file() => format!("{option} {name}: this is a file; name a new folder for the index"),
        Method::Exact => {
            "--method exact: an index is searched by MinHash or SimHash; leave out --method".to_owned()
        }
        _ => return Ok(Index::create(folder, new).map_err(EngineError::from)?),
    };
    Err(Usage(message).into())
}

/// The index comes first, and then the documents.
fn refuse_wrong_order(arguments: &AddArgs) -> Result<(), Usage> {
    let index = arguments.index.display();
    let is_index = |input: &&String| Index::is_at(Path::new(input));
    match arguments.added.input.inputs.iter().find(is_index) {
        Some(other) if !Index::is_at(&arguments.index) => Err(Usage(format!(
            "{index} is no index, and {other} is one; give the index first: lookalike index add {other} {index}"
        ))),
        _ => Ok(()),
    }
}

/// Adds documents to an index, as `dedup --against INDEX --update` does, without outputs.
fn add(index: Index, added: AddedArgs) -> anyhow::Result<Exit> {
    let AddedArgs { input, about, similarity, space, run } = added;
    let mut job = args::job_beside(&index, input.inputs, input.fields, &similarity, &run)?;
    space.limit(&mut job);
    job.request.about = about.fields();
    let against = Against { index: Some(Arc::new(index)), ..Against::default() };
    let dedup = Dedup { against, ..Dedup::new(job) };
    let monitor = messages::monitor(run.quiet);
    let summary = dedup.run(&monitor)?.publish(&monitor)?;
    messages::finish(&summary, &summary.read, messages::summary::added, &run)
}

/// Refuses an address of an index in Redis for a command that needs a folder.
pub(super) fn refuse_redis(index: &Path) -> Result<(), Usage> {
    match index.to_str().filter(|index| index.starts_with(RedisAddress::SCHEME)) {
        Some(index) => Err(Usage(format!(
            "{index}: this command works with an index in a folder; lookalike index copy makes a folder of an index in Redis"
        ))),
        None => Ok(()),
    }
}

fn info(arguments: &InfoArgs) -> anyhow::Result<Exit> {
    refuse_redis(&arguments.index)?;
    let verify = if arguments.verify { Verify::Everything } else { Verify::Outline };
    let info = IndexSummary::read(&arguments.index, verify, &messages::monitor(false))?;
    let text = match arguments.format {
        ReportFormat::Text => messages::index_info(&info),
        ReportFormat::Json => serde_json::to_string_pretty(&info)? + "\n",
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(Exit::Done)
}
