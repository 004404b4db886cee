//! `lookalike eval`

use crate::args::{EvalArgs, ReportFormat, Usage};
use crate::exit::Exit;
use crate::report;
use lookalike_batch::{Error, Evaluate};
use std::io::Write;
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
        threads: run.threads(),
        strict: arguments.strict,
    };
    let summary = match evaluate.run(&report::monitor(run.quiet)) {
        Err(error @ Error::FewerDocuments { .. }) => return Err(Usage(error.to_string()).into()),
        summary => summary?,
    };
    if let Some(path) = &run.summary {
        report::write_summary(&summary, path)?;
    }
    let report = match arguments.format {
        ReportFormat::Text => report::evaluation(&summary.evaluation)?,
        ReportFormat::Json => serde_json::to_string_pretty(&summary.evaluation)? + "\n",
    };
    let exit = report::finish_evaluation(&summary, run.quiet)?;
    std::io::stdout().write_all(report.as_bytes())?;
    Ok(exit)
}
