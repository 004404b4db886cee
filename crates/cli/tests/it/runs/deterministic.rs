//! A run writes the same bytes with any number of threads and any instruction set.

use crate::{Folder, jsonl, words};

#[test]
fn outputs_are_the_same_for_every_thread_count_and_instruction_set() {
    let folder = Folder::new();
    let text = |seed: usize| match seed % 4 {
        0 => format!("{} é{seed} 漢字 ①", words(seed % 97)),
        1 => format!("{} {}", words(seed % 31), words(seed % 7)),
        2 => words(seed % 11).to_uppercase(),
        _ => format!("{} {seed}", words(seed % 53)),
    };
    let input: String =
        (0..3_500).map(|seed| jsonl(&[text(seed)]).replace("\"a\"", &format!("\"{seed}\""))).collect();
    assert!(input.len() > 1 << 20, "it is more than one chunk");
    folder.write("in.jsonl", input);
    for (method, clusters) in [
        ("minhash", "union"),
        ("exact", "union --min-containment 0.95"),
        ("minhash", "star --min-containment 0.95"),
    ] {
        outputs_are_the_same_by(method, clusters, &folder);
    }
}

fn outputs_are_the_same_by(method: &str, clusters: &str, folder: &Folder) {
    let mut seen = None;
    for level in lookalike::Level::available() {
        for threads in [1, 2, 5] {
            let arguments = format!(
                "dedup in.jsonl -o out.jsonl --removed removed.jsonl --clusters clusters.jsonl -q --threads {threads} \
                 --summary summary.json --method {method} --cluster {clusters}"
            );
            let mut command = folder.command(&arguments);
            command.env("LOOKALIKE_SIMD", level.name());
            assert!(command.status().unwrap().success());
            let mut pairs = folder.command(&format!(
                "pairs in.jsonl -o pairs.jsonl -q --threads {threads} -t 0.6 --method {method}"
            ));
            pairs.env("LOOKALIKE_SIMD", level.name());
            assert!(pairs.status().unwrap().success());
            let mut summary = folder.summary();
            for changing in ["seconds", "peak_memory_bytes"] {
                summary.as_object_mut().unwrap().remove(changing);
            }
            summary["monitoring"]["compared_per_second"].take();
            let outputs = (
                ["out.jsonl", "removed.jsonl", "clusters.jsonl", "pairs.jsonl"].map(|name| folder.read(name)),
                summary,
            );
            assert!(outputs.0.iter().all(|output| output.lines().count() > 100));
            let first = seen.get_or_insert_with(|| outputs.clone());
            assert!(*first == outputs, "{} threads on {} differ", threads, level.name());
        }
    }
}

#[test]
fn an_unknown_instruction_set_is_refused() {
    let folder = Folder::new();
    let mut command = folder.command("dedup in.jsonl -o out.jsonl");
    command.env("LOOKALIKE_SIMD", "mmx");
    let ran = crate::run(command);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.starts_with("error: LOOKALIKE_SIMD is \"mmx\", and this machine has scalar"));
}
