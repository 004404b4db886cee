//! `lookalike eval`

use crate::args::{EvalArgs, ReportFormat, Usage};
use crate::exit::Exit;
use crate::messages;
use lookalike_batch::Evaluate;
use std::path::Path;

pub(crate) fn run(arguments: EvalArgs) -> anyhow::Result<Exit> {
    let run = &arguments.run;
    run.check_summary()?;
    let is_standard_input = |list: &str| ["-", "/dev/stdin"].contains(&list);
    if is_standard_input(&arguments.found) && is_standard_input(&arguments.truth) {
        return Err(Usage("standard input is one list only; give a file for the other".to_owned()).into());
    }
    for (option, list) in [("--wrong", &arguments.wrong), ("--missing", &arguments.missing)] {
        if list.as_deref() == Some(Path::new("-")) {
            let message = format!("{option} -: the report goes to standard output; give a file");
            return Err(Usage(message).into());
        }
    }
    let evaluate = Evaluate {
        found: arguments.found,
        truth: arguments.truth,
        documents: arguments.documents,
        wrong: arguments.wrong,
        missing: arguments.missing,
        summary: run.summary.clone(),
        settings: run.settings.clone(),
        read: run.config.clone().into_iter().collect(),
        threads: run.threads(),
        strict: arguments.strict,
    };
    let monitor = messages::monitor(run.quiet);
    let done = evaluate.run(&monitor)?;
    let evaluation = &done.result().evaluation;
    let report = match arguments.format {
        ReportFormat::Text => messages::evaluation(evaluation)?,
        ReportFormat::Json => serde_json::to_string_pretty(evaluation)? + "\n",
    };
    messages::print(&report)?;
    Ok(messages::finish_evaluation(&done.publish(&monitor)?, run.quiet)?)
}
