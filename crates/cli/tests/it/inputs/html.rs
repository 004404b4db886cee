//! HTML pages through the whole program.

use crate::{Folder, Ran, exists, failed, silent, words};

/// A page with a text, and with markup that depends on `seed`.
fn page(title: &str, text: &str) -> String {
    format!(
        "<!DOCTYPE html><html><head><title>{title}</title><style>.{title} {{}}</style></head>\n<body class={title}>\
         <p>{}</p><script>var page = \"{title}\";</script></body></html>\n",
        text.replace(" ", " <i>").replace("x1 ", "x1</i> ")
    )
}

#[test]
fn a_site_keeps_one_of_the_pages_with_the_same_text() {
    let folder = Folder::new();
    folder
        .write("site/a.html", page("a", &words(1)))
        .write("site/deep/b.HTM", page("b", &words(1)))
        .write("site/c.html.gz", page("c", &words(2)))
        .write("site/text.txt", words(1))
        .write("site/style.css", "p {}");
    let ran = folder.run("dedup site/ -o kept/ --removed removed.csv");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("1 file passed over: the extension is unknown, or it is no file"),
        "{}",
        ran.stderr
    );
    assert_eq!(folder.read("kept/a.html"), page("a", &words(1)));
    assert_eq!(folder.read("kept/c.html.gz"), page("c", &words(2)));
    assert!(!exists(&folder.path("kept/deep/b.HTM")) && !exists(&folder.path("kept/text.txt")));
    let removed = folder.read("removed.csv");
    assert!(removed.contains("\nsite/deep/b.HTM,site/a.html,1,1.000000,1.000000,0,\n"), "{removed}");
    assert!(removed.contains("\nsite/text.txt,site/a.html,1,1.000000,1.000000,0,\n"), "{removed}");
}

#[test]
fn pages_are_compared_by_their_visible_text() {
    let folder = Folder::new();
    folder.write("a.html", page("a", "one two three four five six seven"));
    folder.write("b.htm", page("other", "one two three four five six eight"));
    let ran = folder.run("compare a.html b.htm --shingle 3");
    assert!(ran.stdout.starts_with("A  a.html  (7 words)\nB  b.htm  (7 words)\n"), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("\n  one two three four five six\n"), "{}", ran.stdout);
    // Without an extension, the content shows that it is HTML.
    folder.write("page", page("a", "one two three four five six seven"));
    assert_eq!(
        folder.run("compare page b.htm --shingle 3").stdout.split_once('\n').unwrap().0,
        "A  page  (7 words)"
    );
    // With another extension, the file is not HTML.
    folder.write("page.txt", "<html>one</html>");
    assert!(folder.run("compare page.txt b.htm").stdout.starts_with("A  page.txt  (3 words)\n"));
}

/// Issue 17: the similarity was 0.
#[test]
fn a_page_with_soft_hyphens_is_similar_to_itself_without() {
    let folder = Folder::new();
    let hyphenated = words(1).replace('x', "&shy;x&#8203;&zwnj;");
    folder.write("site/a.html", page("a", &words(1))).write("site/b.html", page("b", &hyphenated));
    let same = "{\"a\":\"site/a.html\",\"b\":\"site/b.html\",\"jaccard\":1.000000}\n";
    for tokens in ["words", "chars"] {
        assert_eq!(folder.run(&format!("pairs site -q --tokens {tokens}")).stdout, same);
    }
    assert_eq!(folder.run("pairs site -q --tokens whitespace").stdout, "");
}

#[test]
fn a_page_is_searched_for_and_found_as_its_text() {
    let folder = Folder::new();
    folder.write("site/a.html", page("a", &words(1))).write("site/b.html", page("b", &words(2)));
    folder.write("query.html", page("query", &words(2)));
    let expected = "{\"id\":\"site/b.html\",\"jaccard\":1.000000}\n";
    let ran = folder.run("similar query.html --in site -q -k 1");
    assert_eq!(ran, Ran { stdout: expected.to_owned(), ..silent() });
    let ran = folder.run("compare site/a.html site/b.html --in site -q");
    assert!(ran.stdout.starts_with("A  site/a.html  (40 words)"), "{ran:?}");
}

#[test]
fn pages_of_any_character_set_have_the_same_text() {
    let folder = Folder::new();
    let text = "naïve café voilà déjà vu, à bientôt";
    let latin: Vec<u8> = text.chars().map(|letter| letter as u8).collect();
    let utf_16: Vec<u8> = format!("\u{feff}<p>{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder
        .write("site/1.html", format!("<p>{text}"))
        .write("site/2.html", [b"<p>", &latin[..]].concat())
        .write("site/3.html", [b"<meta charset=\"iso-8859-15\"><p>", &latin[..]].concat())
        .write("site/4.html", utf_16)
        .write(
            "site/5.html",
            "<p>na&iuml;ve caf&#233; voil&#xE0; d&eacute;j&agrave; vu, &agrave; bient&ocirc;t",
        );
    assert_eq!(folder.run("pairs site -q").stdout.matches("\"jaccard\":1.000000").count(), 10);
}

#[test]
fn pages_cannot_become_another_format() {
    let folder = Folder::new();
    folder.write("a.html", page("a", &words(1)));
    let expected = "error: out.html: text files and HTML pages are kept as files; give a folder as the output, such as out/\n";
    assert_eq!(folder.run("dedup a.html -o out.html"), failed(1, expected));
    let ran = folder.run("dedup a.html -o out --annotate");
    assert!(
        ran.stderr.starts_with(
            "error: a.html: only JSONL, JSON arrays, Parquet, Arrow, CSV and TSV can be annotated"
        ),
        "{ran:?}"
    );
    assert_eq!(folder.names(), ["a.html"]);
}

/// A page with the menu and the footer of its site, and comments.
fn page_of_site(text: &str) -> String {
    let paragraphs = format!("<p>{}, and so it was said.</p>", text.replace(' ', ", ")).repeat(3);
    format!(
        "<!doctype html><title>T</title><nav><ul><li><a href=/>{}</a></ul></nav><div class=content><h1>{text}</h1>{paragraphs}</div>\
         <div class=comments><p>{}</p></div><footer>{}</footer>",
        words(7),
        words(8),
        words(9)
    )
}

#[test]
fn pages_of_one_site_are_compared_without_their_menus_if_asked_to() {
    let folder = Folder::new();
    folder.write("site/a.html", page_of_site(&words(1))).write("site/b.html", page_of_site(&words(2)));
    let jaccard = |extract: &str| {
        let ran = folder.run(&format!("pairs site -q --threshold 0.05 --method exact {extract}"));
        let pair = ran.stdout.trim().rsplit(':').next().map(|value| value.trim_end_matches('}').to_owned());
        pair.and_then(|value| value.parse::<f64>().ok()).unwrap_or(0.0)
    };
    let (all, blocks, main) =
        (jaccard("--extract all"), jaccard("--extract blocks"), jaccard("--extract main"));
    assert_eq!(all, jaccard(""));
    assert!(all > blocks && blocks > main, "{all} {blocks} {main}");
    // The text is that of the part, for every command that reads pages.
    let words = |command: &str| {
        let ran = folder.run(command);
        ran.stdout.split(['(', ' ']).find_map(|word| word.parse::<u32>().ok()).expect("a number of words")
    };
    let compared = |extract: &str| words(&format!("compare site/a.html site/b.html --extract {extract}"));
    assert_eq!(compared("all") - compared("blocks"), 80);
    assert_eq!(words("compare site/a.html site/b.html --in site --extract blocks"), compared("blocks"));
    let ran = folder.run("similar site/b.html --in site -q -k 1 --extract main");
    assert_eq!(ran.stdout, "{\"id\":\"site/b.html\",\"jaccard\":1.000000}\n");
}

#[test]
fn a_part_of_a_page_must_be_one_that_exists() {
    let folder = Folder::new();
    folder.write("a.html", page("a", &words(1)));
    let ran = folder.run("pairs a.html --extract article");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("invalid value 'article' for '--extract <EXTRACT>'"), "{}", ran.stderr);
}
