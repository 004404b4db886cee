//! `lookalike tune`

use crate::args::{self, ReportFormat, TuneArgs, Usage};
use crate::exit::Exit;
use crate::messages;
use anyhow::Context;
use lookalike::{Method, Plan, Scheme};
use lookalike_batch::{Question, Tune, TuneAnswer, Tuning};
use lookalike_html::Extract;
use serde::Serialize;

/// The output as JSON.
#[derive(Serialize)]
struct Printed<'a> {
    #[serde(flatten)]
    tuning: &'a Tuning,
    /// The command line of the recommended settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
}

pub(crate) fn run(mut arguments: TuneArgs) -> anyhow::Result<Exit> {
    let similarity = &mut arguments.similarity;
    similarity.refuse_untunable()?;
    similarity.refuse_estimates("tune")?;
    let question = match arguments.tolerate {
        Some(_) if !similarity.is_by_jaccard() => {
            return Err(Usage("--tolerate needs --measure jaccard".to_owned()).into());
        }
        Some(share) => Question::Tolerance(share),
        None if arguments.table => {
            similarity.sign_with_a_hundred();
            Question::Experiment
        }
        None => Question::Settings,
    };
    let typed = typed(&arguments)?;
    let run = &arguments.run;
    let (inputs, fields) = (arguments.input.inputs, arguments.input.fields);
    let options = arguments.similarity.options()?;
    let job = args::job(inputs, fields, &arguments.similarity, run)?;
    let tune = Tune { job, options, sample: arguments.sample, question, name_setting };
    let monitor = messages::monitor(run.quiet);
    let done = tune.run(&monitor)?;
    let (tuning, _) = done.result();
    let recommended = recommended(tuning);
    let text = match arguments.format {
        ReportFormat::Text => messages::tuning::text(tuning, recommended.map(|more| [typed, more]).as_ref()),
        ReportFormat::Json => {
            let command = recommended.map(|more| format!("{typed} {more}"));
            serde_json::to_string_pretty(&Printed { tuning, command })? + "\n"
        }
    };
    messages::print(&text)?;
    let (_, summary) = done.publish(&monitor)?;
    messages::finish(&summary, &summary.read, messages::summary::tune, run)
}

/// The start of the command line, quoted for a shell: the inputs, and the options of inputs and similarity.
fn typed(arguments: &TuneArgs) -> anyhow::Result<String> {
    let (input, fields) = (&arguments.input, &arguments.input.fields);
    let mut words = vec!["lookalike".to_owned(), "dedup".to_owned()];
    words.extend(input.inputs.iter().cloned());
    let output = if input.inputs.iter().any(|input| input == "-") { "-" } else { "deduplicated" };
    words.extend(["-o".to_owned(), output.to_owned()]);
    for (option, value, default) in
        [("--text-field", &fields.text_field.join(","), "text"), ("--id-field", &fields.id_field, "id")]
    {
        if value != default {
            words.extend([option.to_owned(), value.clone()]);
        }
    }
    words.extend(fields.join.iter().map(|text| format!("--join={text}")));
    words.extend(fields.delimiter.map(|delimiter| format!("--delimiter={delimiter}")));
    words.extend(fields.quote.map(|_| "--quote=none".to_owned()));
    words.extend(fields.escape.map(|_| "--escape=\\".to_owned()));
    let extract = fields.extract.extract();
    words.extend(fields.all_records.then(|| "--all-records".to_owned()));
    words.extend((extract != Extract::All).then(|| format!("--extract={extract}")));
    words.extend(arguments.similarity.typed());
    let quoted = shlex::try_join(words.iter().map(String::as_str));
    quoted.context("an argument cannot be written for a shell")
}

/// The options of a setting on the command line.
fn name_setting(plan: &Plan) -> String {
    match plan.method() {
        Method::Exact => "--method exact".to_owned(),
        Method::SimHash => "--method simhash --verify".to_owned(),
        Method::MinHash => {
            let (banding, num_perm) = (plan.banding(), plan.num_perm());
            let bands = format!("--num-perm {num_perm} --bands {} --rows {}", banding.bands, banding.rows);
            let default = plan.scheme() == Scheme::default();
            if default { bands } else { format!("{bands} --scheme {}", plan.scheme().name()) }
        }
    }
}

/// The end of the command line: the recommended options, if there are any.
fn recommended(tuning: &Tuning) -> Option<String> {
    let method = match &tuning.answer {
        TuneAnswer::Settings(settings) => format!(" {}", settings.forecasts[settings.recommended].options),
        // The method is then the next question, or `--method auto` chooses it.
        TuneAnswer::Tolerance(_) => String::new(),
        TuneAnswer::Experiment(_) => return None,
    };
    Some(format!("--threshold {} --shingle {}{method}", tuning.threshold, tuning.shingle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::Options;

    #[test]
    fn a_setting_is_named_by_its_options() {
        let name = |options: Options| name_setting(&options.plan().unwrap());
        let of = |method| Options { method: Some(method), ..Options::default() };
        assert_eq!(name(of(Method::Exact)), "--method exact");
        assert_eq!(name(of(Method::SimHash)), "--method simhash --verify");
        assert_eq!(name(of(Method::MinHash)), "--num-perm 128 --bands 21 --rows 6");
        let own = Options { num_perm: Some(100), rows: Some(5), ..of(Method::MinHash) };
        let own = Options { scheme: Some(Scheme::Classic), ..own };
        assert_eq!(name(own), "--num-perm 100 --bands 20 --rows 5 --scheme classic");
    }
}
