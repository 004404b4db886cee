//! `lookalike dedup`

use crate::args::{self, ClusterArg, DedupArgs, Usage};
use crate::exit::Exit;
use crate::messages::{self, summary::WrittenDocuments};
use lookalike::Plan;
use lookalike_batch::{Against, Dedup};
use lookalike_corpus::{AgainstFields, Inputs};
use lookalike_engine::Error as EngineError;
use lookalike_engine::index::Index;
use lookalike_engine::request::{AboutFields, AgainstContainment, ClusterShape, Keep};
use lookalike_report::dedup_page;
use std::path::Path;
use std::sync::Arc;

pub(crate) fn run(mut arguments: DedupArgs) -> anyhow::Result<Exit> {
    arguments.frequent.put_into(&mut arguments.similarity);
    let run = &arguments.run;
    refuse_lists_of_dry_run(&arguments)?;
    let written = |path| if arguments.dry_run { None } else { path };
    let page_path = arguments.page.path()?;
    let index = index(&arguments.against, arguments.update)?;
    let (inputs, fields) = (arguments.input.inputs, arguments.input.fields);
    let names = Some(arguments.against_text_field).filter(|names| !names.is_empty());
    let against_text = names.map(|names| fields.as_text_fields("--against-text-field", names)).transpose()?;
    fields.check_join(against_text.as_ref())?;
    let mut job = match &index {
        Some(index) => args::job_beside(index, inputs, fields, &arguments.similarity, run)?,
        None => args::job(inputs, fields, &arguments.similarity, run)?,
    };
    job.audit = arguments.audit.documents(&job.request.plan)?;
    arguments.space.limit(&mut job);
    job.request.within = arguments.within.within;
    job.request.about = arguments.about.fields();
    check_stored_fields(&job.request.about, arguments.update)?;
    let dedup = Dedup {
        job,
        against: Against {
            inputs: if index.is_some() { Vec::new() } else { arguments.against },
            held: Inputs::default(),
            fields: AgainstFields { text: against_text, id: arguments.against_id_field },
            index: index.map(Arc::new),
            containment: arguments
                .against_containment
                .map(|share| AgainstContainment { share, least_features: arguments.against_shingles }),
        },
        keep: arguments.keep,
        clustering: match arguments.cluster {
            _ if arguments.only_against => ClusterShape::Against,
            ClusterArg::Union => ClusterShape::Union,
            ClusterArg::Star => ClusterShape::Star,
        },
        min_containment: arguments.min_containment,
        output: written(arguments.output),
        annotate: arguments.annotate && !arguments.dry_run,
        removed: written(arguments.removed),
        clusters: written(arguments.clusters),
        report: page_path,
        returned: None,
    };
    if dedup.min_containment.is_some() {
        check_min_containment(&dedup)?;
    }
    if dedup.against.containment.is_some() {
        check_containment(&dedup.job.request.plan)?;
    }
    let monitor = messages::monitor(run.quiet);
    let mut done = dedup.run(&monitor)?;
    if let Some(findings) = &done.result().findings {
        let page = dedup_page(&dedup.job.inputs, &dedup.keep, done.result(), findings, arguments.dry_run);
        done.write_report(&page, &monitor)?;
    }
    let summary = done.publish(&monitor)?;
    let written = match (arguments.dry_run, arguments.annotate) {
        (true, _) => WrittenDocuments::Nothing,
        (false, true) => WrittenDocuments::Annotated,
        (false, false) => WrittenDocuments::Kept,
    };
    let in_words = |text: &mut String, summary: &_| messages::summary::dedup(text, summary, written);
    messages::finish(&summary, &summary.read, in_words, run)
}

/// Refuses `--min-containment` where no document is compared with the kept one.
fn check_min_containment(dedup: &Dedup) -> Result<(), Usage> {
    let message = match dedup.keep {
        _ if dedup.job.request.plan.estimates() => {
            "--min-containment compares documents exactly, and with --verify=estimate nothing is compared"
        }
        _ if !dedup.job.request.plan.verifies() => {
            "--min-containment needs --verify; without it no document is compared with the kept one"
        }
        Keep::None => "--min-containment needs a kept document, and --keep none keeps none",
        _ => return Ok(()),
    };
    Err(Usage(message.to_owned()))
}

/// Refuses fields to store where nothing is stored.
fn check_stored_fields(about: &AboutFields, is_stored: bool) -> Result<(), Usage> {
    if is_stored || *about == AboutFields::default() {
        return Ok(());
    }
    let message = "--url-field, --title-field, --priority-field and --meta-field name what --update stores in an index; give it too, or leave them out";
    Err(Usage(message.to_owned()))
}

/// Refuses lists in a dry run, which would not write them.
fn refuse_lists_of_dry_run(arguments: &DedupArgs) -> Result<(), Usage> {
    let lists = [
        ("--removed", arguments.removed.is_some()),
        ("--clusters", arguments.clusters.is_some()),
        ("--annotate", arguments.annotate),
    ];
    match lists.into_iter().find(|(_, given)| *given && arguments.dry_run) {
        Some((option, _)) => {
            Err(Usage(format!("--dry-run writes only the summary and the report; leave out {option}")))
        }
        None => Ok(()),
    }
}

/// The index of `--against`, if it names one.
fn index(against: &[String], update: bool) -> anyhow::Result<Option<Index>> {
    against.iter().try_for_each(|index| super::index::refuse_redis(Path::new(index)))?;
    let is_index = |folder: &String| Index::is_whole_at(Path::new(folder)).map_err(EngineError::from);
    match against {
        [folder] if update && !is_index(folder)? => Err(Usage(format!(
            "--update needs an index, and {folder} is none; lookalike index build makes one, and without --update the documents of {folder} are \
             compared"
        ))
        .into()),
        [folder] if update => Ok(Some(Index::open_to_add(Path::new(folder)).map_err(EngineError::from)?)),
        [folder] if is_index(folder)? => {
            Ok(Some(Index::open(Path::new(folder)).map_err(EngineError::from)?))
        }
        _ if update => {
            Err(Usage("--update adds to one index; give it, and nothing else, to --against".to_owned())
                .into())
        }
        _ => Ok(None),
    }
}

/// Refuses `--against-containment` if documents are not compared by shingles.
fn check_containment(plan: &Plan) -> Result<(), Usage> {
    let message = match (plan.verifies(), plan.compares_weights()) {
        _ if plan.estimates() => {
            "--against-containment compares documents exactly, and with --verify=estimate nothing is compared"
        }
        (false, _) => "--against-containment needs --verify; without it no document is compared with another",
        (true, true) => {
            "--against-containment counts shingles, which all weigh the same; leave out --weights"
        }
        (true, false) => return Ok(()),
    };
    Err(Usage(message.to_owned()))
}
