//! Texts of several fields, and of lists.

use crate::{Folder, failed, silent, words};
use serde_json::json;

fn write_lines(folder: &Folder, name: &str, lines: &[serde_json::Value]) {
    folder.write(name, lines.iter().map(|line| format!("{line}\n")).collect::<String>());
}

fn chat(id: &str, contents: &[&str]) -> serde_json::Value {
    let roles = ["user", "assistant"].iter().cycle();
    let messages =
        contents.iter().zip(roles).map(|(content, role)| json!({"role": role, "content": content}));
    json!({"id": id, "messages": messages.collect::<Vec<_>>()})
}

#[test]
fn chats_are_compared_by_their_messages() {
    let folder = Folder::new();
    let (question, answer) = (words(1), words(2));
    let lines = [
        chat("a", &[&question, &answer]),
        chat("b", &[&words(3), &words(4)]),
        chat("c", &[&question, &answer.to_uppercase()]),
        // The messages are the same, in another order: so are the shingles.
        chat("d", &[&answer, &question]),
        // One message, in which the two are joined: this text has shingles of both.
        chat("e", &[&format!("{question} {answer}")]),
        chat("f", &[]),
        json!({"id": "g", "messages": null}),
    ];
    write_lines(&folder, "chats.jsonl", &lines);
    let run =
        "dedup chats.jsonl --text-field messages[].content -o out.jsonl --removed removed.csv -q --threshold";
    assert_eq!(folder.run(&format!("{run} 1")), silent());
    let kept: Vec<String> =
        [0, 1, 4, 5, 6].iter().map(|&place: &usize| format!("{}\n", lines[place])).collect();
    assert_eq!(folder.read("out.jsonl"), kept.concat());
    let removed = "id,kept_id,cluster,jaccard,containment,uncovered_words,uncovered\n\
                   c,a,1,1.000000,1.000000,0,\nd,a,1,1.000000,1.000000,0,\n";
    assert_eq!(folder.read("removed.csv"), removed);
    // With joined texts, shingles go on, and their order counts.
    assert_eq!(folder.run(&format!("{run} 1 --join \\n")), silent());
    assert_eq!(
        folder.read("removed.csv").lines().skip(1).map(|line| &line[..3]).collect::<Vec<_>>(),
        ["c,a", "e,a"]
    );
}

#[test]
fn fields_are_compared_together_and_annotated() {
    let folder = Folder::new();
    let (title, body) = ("A short title", words(5));
    let lines = [
        json!({"id": 1, "title": title, "body": body}),
        json!({"id": 2, "title": title, "body": words(6)}),
        json!({"id": 3, "body": body}),
        json!({"id": 4, "title": null, "body": body}),
        json!({"id": 5, "body": format!("{body} {title}")}),
    ];
    write_lines(&folder, "pages.jsonl", &lines);
    let run = "dedup pages.jsonl --text-field title,body -o out.jsonl -q --annotate";
    assert_eq!(folder.run(run), silent());
    let clusters: Vec<_> = folder
        .read("out.jsonl")
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["cluster"].clone())
        .collect();
    assert_eq!(clusters, [json!(1), json!(null), json!(1), json!(1), json!(1)]);
}

#[test]
fn fields_of_the_other_side_are_named_apart() {
    let folder = Folder::new();
    write_lines(
        &folder,
        "tests.jsonl",
        &[json!({"id": "t", "question": words(1), "choices": [words(2), words(3)]})],
    );
    let lines = [
        json!({"id": "a", "title": words(2), "body": [words(1), words(3)]}),
        json!({"id": "b", "title": words(7), "body": [words(8)]}),
    ];
    write_lines(&folder, "in.jsonl", &lines);
    let run = "dedup in.jsonl --against tests.jsonl --text-field title,body[] --against-text-field question,choices[] \
               -o out.jsonl -q --threshold 1";
    assert_eq!(folder.run(run), silent());
    assert_eq!(folder.read("out.jsonl"), format!("{}\n", lines[1]));
}

#[test]
fn an_index_and_pairs_read_the_same_texts() {
    let folder = Folder::new();
    let chats = [chat("a", &[&words(1), &words(2)]), chat("b", &[&words(1), &words(2), "Thanks"])];
    write_lines(&folder, "old.jsonl", &chats[..1]);
    write_lines(&folder, "all.jsonl", &chats);
    let field = "--text-field messages[].content";
    assert_eq!(folder.run(&format!("index build old.jsonl -o seen.index {field} -q")), silent());
    let run = format!("dedup all.jsonl --against seen.index {field} -o out.jsonl --removed removed.csv -q");
    assert_eq!(folder.run(&run), silent());
    assert_eq!(folder.read("out.jsonl"), "");
    assert_eq!(folder.run(&format!("pairs all.jsonl {field} -o pairs.csv -q")), silent());
    // The last message is a shingle of its own, of one word.
    assert_eq!(folder.read("pairs.csv"), "a,b,jaccard\na,b,0.986301\n");
}

#[test]
fn a_page_shows_where_one_text_ends() {
    let folder = Folder::new();
    let chats = [chat("a", &[&words(1), "Good, thanks"]), chat("b", &[&words(1), "Good, thanks"])];
    write_lines(&folder, "chats.jsonl", &chats);
    let run = "dedup chats.jsonl --text-field messages[].content --dry-run --report report.html -q";
    assert_eq!(folder.run(run), silent());
    let page = folder.read("report.html");
    assert!(page.contains("<span class=\"hidden\">¶</span>") && !page.contains('\u{fdd0}'));
}

#[test]
fn a_name_that_leads_nowhere_is_named_with_the_remedy() {
    let folder = Folder::new();
    write_lines(&folder, "chats.jsonl", &[chat("a", &["hi"]), json!({"id": "b", "tags": ["x"]})]);
    let lists =
        "  hint: name the texts of a list as in --text-field 'paragraphs[]' or 'messages[].content'\n";
    let run = |more: &str| folder.run(&format!("dedup chats.jsonl -o out.jsonl -q --text-field {more}"));
    let error = "error: no record of the inputs can be used; the first, chats.jsonl:1: field \"messages\" is a list, not text\n".to_owned();
    assert_eq!(run("messages"), failed(1, &(error + lists)));
    let error = "error: chats.jsonl: no field \"messages.content\": \"messages\" is a list, not an object\n"
        .to_owned();
    let hint = "  hint: name the texts in the list with --text-field 'messages[].content'\n";
    assert_eq!(run("messages.content"), failed(1, &(error + hint)));
    let error = "error: chats.jsonl: no field \"messages[].text\"; fields seen: messages[].content, messages[].role\n";
    assert_eq!(
        run("messages[].text"),
        failed(1, &format!("{error}  hint: name the field that holds the text with --text-field\n"))
    );
    let ran = folder.run("dedup chats.jsonl -o out.jsonl --text-field messages[].content,titel");
    let note = "note: chats.jsonl: the first record has no field \"titel\" for the text; its fields are id, messages\n";
    assert!(ran.stderr.starts_with(note), "{}", ran.stderr);
    let usage = |more: &str, error: &str| {
        let ran = folder.run(&format!("dedup chats.jsonl -o out.jsonl {more}"));
        assert_eq!(ran.code, Some(2), "{more}");
        assert!(ran.stderr.contains(error), "{}", ran.stderr);
    };
    usage("--text-field a,,b", "--text-field a,,b: a name is empty");
    usage(
        "--join x",
        "--join goes between the texts of several fields or of a list, and --text-field names one text: text",
    );
}
