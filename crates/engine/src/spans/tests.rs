//! Searches in little memory.

use super::*;
use lookalike::Plan;
use lookalike::hash::SplitMix64;
use lookalike::windows::TextSpans;
use lookalike_corpus::Waiting;

/// A file of texts with common passages, some of them within others.
fn write(folder: &std::path::Path) -> String {
    let mut random = SplitMix64(46);
    let mut texts: Vec<Vec<String>> = Vec::new();
    let mut lines = String::new();
    for _ in 0..400 {
        let mut text: Vec<String> = Vec::new();
        for _ in 0..6 {
            match texts.get(random.next() as usize % 800) {
                Some(other) => {
                    let from = random.next() as usize % other.len();
                    text.extend(other[from..].iter().take(random.next() as usize % 90).cloned());
                }
                None => text.extend((0..30).map(|_| format!("w{}", random.next() % 5000))),
            }
        }
        lines.push_str(&format!("{{\"text\":\"{}\"}}\n", text.join(" ")));
        texts.push(text);
    }
    let path = folder.join("in.jsonl");
    std::fs::write(&path, lines).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Calls `run` with a search that has so many bytes for tables. Returns the spans of all texts, or the error.
fn spans(
    name: &str,
    settings: SpanSettings,
    bytes: u64,
    run: impl FnOnce(SpanSearch<'_>) -> Result<(ScannedTexts, FoundSpans), Error>,
) -> Result<Vec<(usize, TextSpans)>, Error> {
    let inputs = Inputs::resolve(&[name.to_owned()], &Waiting::default())?;
    let (request, fields) = (Request::new(Plan::default()), Fields::of_text("text"));
    let (budget, monitor) = (Budget::of_tables(bytes), &Monitor::default());
    let search = SpanSearch {
        request: &request,
        inputs: &inputs,
        fields: &fields,
        settings,
        budget,
        seed: 0,
        monitor,
    };
    let (_, found) = run(search)?;
    Ok(found.chunks.into_iter().flatten().map(|of_text| (of_text.text, of_text.found)).collect())
}

#[test]
fn little_memory_takes_more_parts_and_gives_the_same_spans() {
    let folder = tempfile::tempdir().unwrap();
    let name = write(folder.path());
    let much = u64::MAX >> 8;
    for (keep, whole) in
        [(KeptOccurrence::First, false), (KeptOccurrence::First, true), (KeptOccurrence::None, true)]
    {
        let settings = SpanSettings { length: 20, keep, whole };
        let run = |search: SpanSearch<'_>| search.run(|_| Ok(()));
        let expected = spans(&name, settings, much, run).unwrap();
        assert!(expected.iter().map(|(_, spans)| spans.spans.len()).sum::<usize>() > 20);
        for of in [2, 16, 256] {
            let found = spans(&name, settings, much, |search| {
                search.run_in_parts(of, &mut |_| Ok(())).map_err(|error| match error {
                    PartError::Full(error) | PartError::Other(error) => error,
                })
            });
            assert_eq!(found.unwrap(), expected, "{of} parts");
        }
        // A table of one part has too little room, and those of some parts have enough.
        assert_eq!(spans(&name, settings, 20_000, run).unwrap(), expected);
        let full = spans(&name, settings, 20_000, |search| {
            search.run_in_parts(1, &mut |_| Ok(())).map_err(|error| match error {
                PartError::Full(error) | PartError::Other(error) => error,
            })
        });
        assert!(matches!(full, Err(Error::TooMuchToHold { .. })), "{full:?}");
    }
}
