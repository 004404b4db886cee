//! `lookalike spans`

use crate::args::{self, BoundaryArg, KeptOccurrenceArg, SpansArgs};
use crate::exit::Exit;
use crate::messages;
use lookalike::windows::{KeptOccurrence, TextCutter};
use lookalike_batch::{Against, CutSpans};
use lookalike_corpus::AgainstFields;
use lookalike_engine::spans::SpanSettings;

pub(crate) fn run(arguments: SpansArgs) -> anyhow::Result<Exit> {
    let run = &arguments.run;
    let (inputs, fields) = (arguments.input.inputs, arguments.input.fields);
    let names = Some(arguments.against_text_field).filter(|names| !names.is_empty());
    let against_text = names.map(|names| fields.as_text_fields("--against-text-field", names)).transpose()?;
    fields.check_join(against_text.as_ref())?;
    let mut job = args::job(inputs, fields, &arguments.tokens.similarity(), run)?;
    arguments.space.limit(&mut job);
    job.request.within = arguments.within.within;
    let keep = match arguments.keep {
        KeptOccurrenceArg::First => KeptOccurrence::First,
        KeptOccurrenceArg::None => KeptOccurrence::None,
    };
    let spans = CutSpans {
        job,
        against: Against {
            inputs: arguments.against,
            fields: AgainstFields { text: against_text, id: arguments.against_id_field },
            ..Against::default()
        },
        settings: SpanSettings { length: arguments.length, keep, whole: arguments.whole },
        cutter: TextCutter { at_lines: arguments.at == BoundaryArg::Lines, mask: arguments.mask },
        min_left: arguments.min_left.unwrap_or(u64::from(arguments.drop_empty)),
        output: arguments.output.filter(|_| !arguments.dry_run),
        removed: arguments.removed,
    };
    let monitor = messages::monitor(run.quiet);
    let summary = spans.run(&monitor)?.publish(&monitor)?;
    messages::finish(&summary, &summary.read, messages::summary::spans, run)
}
