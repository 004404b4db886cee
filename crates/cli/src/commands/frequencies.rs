//! `lookalike frequencies`

use crate::args::{self, FrequenciesArgs, Usage};
use crate::exit::Exit;
use crate::messages;
use lookalike_batch::CountFrequencies;
use lookalike_engine::features::frequencies::LEAST;

pub(crate) fn run(arguments: FrequenciesArgs) -> anyhow::Result<Exit> {
    let run = &arguments.run;
    if arguments.output.as_os_str() == "-" {
        return Err(Usage("-o -: the table is no text; give a file".to_owned()).into());
    }
    let frequencies = CountFrequencies {
        job: args::job(arguments.input.inputs, arguments.input.fields, &arguments.similarity, run)?,
        output: Some(arguments.output),
        least: LEAST,
    };
    let monitor = messages::monitor(run.quiet);
    let summary = frequencies.run(&monitor)?.publish(&monitor)?;
    messages::finish(&summary, &summary.read, messages::summary::frequencies, run)
}
