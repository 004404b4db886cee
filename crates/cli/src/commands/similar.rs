//! `lookalike similar`

use crate::args::{self, SimilarArgs, Usage};
use crate::exit::Exit;
use crate::messages;
use lookalike_batch::{ListOutput, Similar};
use lookalike_corpus::read_text;
use lookalike_html::Extract;
use std::path::Path;

pub(crate) fn run(mut arguments: SimilarArgs) -> anyhow::Result<Exit> {
    arguments.similarity.refuse_estimates("similar")?;
    arguments.similarity.list_all();
    let run = &arguments.run;
    let query = text_of(&arguments.query, arguments.fields.extract.extract())?;
    let mut job = args::job(arguments.inputs, arguments.fields, &arguments.similarity, run)?;
    job.read.extend(Path::new(&arguments.query).is_file().then(|| arguments.query.into()));
    let similar = Similar {
        query,
        job,
        count: arguments.count.get(),
        within: arguments.similarity.hamming(),
        output: ListOutput::file_or_standard(arguments.output),
    };
    let monitor = messages::monitor(run.quiet);
    let summary = similar.run(&monitor)?.publish(&monitor)?;
    messages::finish(&summary, &summary.read, messages::summary::similar, run)
}

/// The query: standard input, the file of this name, or the argument itself.
fn text_of(query: &str, extract: Extract) -> anyhow::Result<String> {
    let text = match query {
        path if path == "-" || Path::new(path).is_file() => read_text(Path::new(path), extract)?,
        // A word with a point or a slash is more likely a mistyped name than a text.
        name if !name.contains(char::is_whitespace) && name.contains(['.', '/']) => {
            let message = format!(
                "{name}: there is no such file; if this is the text, give it on standard input, with - as the argument"
            );
            return Err(Usage(message).into());
        }
        text => text.to_owned(),
    };
    match text.trim().is_empty() {
        true => Err(Usage("the text to search for is empty".to_owned()).into()),
        false => Ok(text),
    }
}
