//! `lookalike compare`

mod text;

use crate::args::{self, CompareArgs, ComparisonFormat, Usage};
use crate::exit::Exit;
use crate::messages;
use lookalike_batch::{Compare, TwoTexts};
use lookalike_corpus::{network::has_scheme, read_text};
use lookalike_report::NamedText;
use std::path::{Path, PathBuf};

pub(crate) fn run(mut arguments: CompareArgs) -> anyhow::Result<Exit> {
    arguments.similarity.show_all();
    let run = &arguments.run;
    let output = arguments.output.filter(|path| path != Path::new("-"));
    let format = match (arguments.format, &output) {
        (Some(format), _) => format,
        (None, Some(path)) => format_of(path)?,
        (None, None) => ComparisonFormat::Text,
    };
    let names = [arguments.a, arguments.b];
    let in_corpus = !arguments.inputs.is_empty();
    if !in_corpus {
        refuse_what_needs_a_corpus(&names, arguments.similarity.counts_frequencies(), run.summary.is_some())?;
    }
    let extract = arguments.fields.extract.extract();
    let mut job = args::job(arguments.inputs, arguments.fields, &arguments.similarity, run)?;
    let pair = if in_corpus {
        TwoTexts::Ids(names)
    } else {
        job.read.extend(names.iter().filter(|name| *name != "-").map(PathBuf::from));
        let text = |name: &String| {
            read_text(Path::new(name), extract).map(|text| NamedText { name: name.clone(), text })
        };
        TwoTexts::Texts([text(&names[0])?, text(&names[1])?])
    };
    let compare = Compare { job, pair, time_limit: arguments.time_limit, output: output.clone() };
    let monitor = messages::monitor(run.quiet);
    let mut done = compare.run(&monitor)?;
    let plan = &compare.job.request.plan;
    let page = done.result().page(plan);
    let written = match format {
        ComparisonFormat::Text => text::write(&page),
        ComparisonFormat::Json => done.result().to_json(plan)?,
        ComparisonFormat::Html => page.to_html(),
    };
    match output {
        Some(_) => done.write_report(&anstream::adapter::strip_str(&written).to_string(), &monitor)?,
        None => messages::print(&written)?,
    }
    match &done.publish(&monitor)?.summary {
        Some(summary) => messages::finish(summary, &summary.read, messages::summary::compare, run),
        None => Ok(Exit::Done),
    }
}

/// The format that the name of the output asks for.
fn format_of(output: &Path) -> Result<ComparisonFormat, Usage> {
    let extension = output.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("txt") => Ok(ComparisonFormat::Text),
        Some("json") => Ok(ComparisonFormat::Json),
        Some("html" | "htm") => Ok(ComparisonFormat::Html),
        _ => Err(Usage(format!(
            "{}: unknown format; end the name in .txt .json .html .htm, or say --format",
            output.display()
        ))),
    }
}

fn refuse_what_needs_a_corpus(names: &[String; 2], counts: bool, summary: bool) -> Result<(), Usage> {
    for name in names.iter().filter(|name| *name != "-") {
        let message = match std::fs::metadata(name) {
            Ok(metadata) if metadata.is_dir() => format!("{name}: this is a folder; name a file"),
            Err(_) if has_scheme(Path::new(name)) => format!("{name}: compare reads files of this machine"),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                format!(
                    "{name}: there is no such file; if it is the id of a document, say with --in where it is"
                )
            }
            _ => continue,
        };
        return Err(Usage(message));
    }
    if names.iter().all(|name| name == "-") {
        return Err(Usage("only one of the texts can come from standard input".to_owned()));
    }
    if counts {
        return Err(Usage(
            "--weights tf-idf needs --frequencies FILE, or a corpus to count, with --in".to_owned(),
        ));
    }
    match summary {
        true => {
            Err(Usage("--summary needs --in; for two files, --format json prints all figures".to_owned()))
        }
        false => Ok(()),
    }
}
