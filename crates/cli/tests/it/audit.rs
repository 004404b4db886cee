//! `lookalike audit` of folders.

use crate::{Folder, failed, words};

/// A page with a menu, and this text.
fn page(title: &str, head: &str, text: &str) -> String {
    format!(
        "<!doctype html><title>{title}</title>{head}<nav><a href=one.html>One</a> <a href=two.html>Two</a> \
         <a href=gone.html>Gone</a></nav><main><h1>{title}</h1><p>{text}</main><footer>All rights reserved</footer>"
    )
}

fn long(seed: usize) -> String {
    [words(seed), words(seed + 1000)].join(" ")
}

fn site() -> Folder {
    let folder = Folder::new();
    folder
        .write("site/one.html", page("One", "", &long(1)))
        .write("site/two.html", page("Two", "<link rel=canonical href=one.html>", &long(1)))
        .write("site/three.html", page("=cmd()", "", &long(1)))
        .write("site/deep/four.html", page("Four", "", &long(2)));
    folder
}

/// The rows of a list, each with its fields.
fn rows(folder: &Folder, name: &str) -> Vec<serde_json::Value> {
    folder.read(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn pages_that_repeat_each_other_are_listed_with_the_page_to_keep() {
    let folder = site();
    let ran = folder
        .run("audit site --quiet --pages p.jsonl --pairs r.jsonl --clusters c.jsonl --summary summary.json");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let pairs = rows(&folder, "r.jsonl");
    let urls: Vec<[&str; 2]> =
        pairs.iter().map(|pair| ["a", "b"].map(|side| pair[side].as_str().unwrap())).collect();
    let (one, three, two) = ("file:///one.html", "file:///three.html", "file:///two.html");
    assert_eq!(urls, [[one, three], [one, two], [three, two]]);
    assert!(pairs.iter().all(|pair| pair["class"] == "near" && pair["band"] == "95-100"), "{pairs:?}");
    assert_eq!(pairs.iter().filter(|pair| pair["handled"] == "canonical").count(), 1);
    let clusters = rows(&folder, "c.jsonl");
    assert_eq!(clusters.len(), 3);
    assert!(clusters.iter().all(|page| page["primary"] == one), "{clusters:?}");
    let pages = rows(&folder, "p.jsonl");
    let four = pages.iter().find(|page| page["url"] == "file:///deep/four.html").unwrap();
    assert_eq!((&four["duplicate_percent"], &four["cluster"]), (&0.0.into(), &serde_json::Value::Null));
    let summary = folder.summary();
    for (figure, value) in [("pages", 4), ("pairs", 3), ("clusters", 1), ("to_fix", 1), ("handled", 1)] {
        assert_eq!(summary[figure], value, "{figure}");
    }
}

#[test]
fn the_same_command_audits_again_and_gives_the_same_bytes() {
    let folder = site();
    let run = || {
        let ran = folder.run("audit site --quiet --pairs r.csv --report r.html --links l.csv");
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ["r.csv", "r.html", "l.csv"].map(|name| folder.read_bytes(name))
    };
    assert_eq!(run(), run());
    folder.write("site/five.html", page("Five", "", &long(1)));
    let ran = folder.run("audit site --quiet --state new --against site.audit --summary summary.json");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let against = &folder.summary()["against"];
    assert_eq!((&against["pages_added"], &against["pairs_new"]), (&1.into(), &3.into()), "{against}");
}

#[test]
fn titles_of_strangers_are_neither_formulas_nor_markup() {
    let folder = site();
    folder.write("site/x.html", page("</script><img src=x onerror=alert(1)>", "", &long(3)));
    let ran = folder.run("audit site --quiet --pages p.csv --report r.html --pages p.csv");
    assert_eq!(ran.code, Some(2), "an option that may be given once: {ran:?}");
    let ran = folder.run("audit site --quiet --pages p.csv --report r.html");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(folder.read("p.csv").contains(",'=cmd(),"));
    assert!(!folder.read("r.html").contains("<img src=x"));
}

#[test]
fn a_condition_that_holds_gives_exit_code_4_and_says_the_figure() {
    let folder = site();
    let ran = folder.run("audit site --fail-on pairs>3 --fail-on to-fix>=1 --fail-on duplicate>99%");
    assert_eq!(ran.code, Some(4));
    assert!(ran.stderr.ends_with("failed: to-fix>=1: it is 1\n"), "{ran:?}");
    let ran = folder.run("audit site --fail-on pairs<3");
    assert!(ran.code == Some(2) && ran.stderr.contains("is not a condition"), "{ran:?}");
}

#[test]
fn sources_that_are_none_are_refused_with_a_remedy() {
    let folder = site();
    for (source, said) in [
        ("example.org", "for a site, give its start page, such as https://example.org"),
        ("ftp://example.org/", "is not the address of a site"),
        ("https://", "https://: "),
    ] {
        let ran = folder.run(&format!("audit {source}"));
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{ran:?}");
    }
    folder.write("other/x", "");
    let ran = folder.run("audit site --state other");
    assert!(ran.code == Some(2) && ran.stderr.contains("give an empty folder"), "{ran:?}");
    assert!(!folder.names().iter().any(|name| name.ends_with(".audit")), "{:?}", folder.names());
}

#[test]
fn an_audit_without_pages_fails_with_the_reason_and_can_be_tried_again() {
    let folder = site();
    std::fs::create_dir(folder.path("empty")).unwrap();
    folder.write("bad.warc", "junk");
    // Nobody listens on this port.
    for (source, said) in
        [("empty", "it has no HTML"), ("bad.warc", "no pages"), ("http://127.0.0.1:1/", "robots.txt")]
    {
        let before = folder.names();
        let ran = folder.run(&format!("audit {source} --fail-on pairs>0"));
        assert!(ran.code == Some(1) && ran.stderr.contains(said), "{source}: {ran:?}");
        assert_eq!(folder.names(), before, "{source}");
    }
    let ran = folder.run("audit site/one.html");
    assert!(ran.code == Some(2) && ran.stderr.contains("give the folder"), "{ran:?}");
}

#[test]
fn several_archives_are_one_site() {
    let folder = Folder::new();
    for (number, text) in [(1, long(1)), (2, long(1)), (3, long(2))] {
        let html = page("Title", "", &text);
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
        let head = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://example.org/{number}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
            http.len()
        );
        folder.write(&format!("crawl-{number}.warc"), format!("{head}{http}\r\n\r\n"));
    }
    let ran = folder.run("audit crawl-*.warc -q --pages pages.jsonl --pairs pairs.jsonl");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(rows(&folder, "pages.jsonl").len(), 3);
    let pairs = rows(&folder, "pairs.jsonl");
    assert_eq!(
        (&pairs[0]["a"], &pairs[0]["b"]),
        (&"https://example.org/1".into(), &"https://example.org/2".into())
    );
    assert!(folder.path("crawl-_.warc.audit").is_dir(), "{:?}", folder.names());
    let ran = folder.run("audit none-*.warc");
    assert!(ran.code != Some(0) && ran.stderr.contains("none-*.warc"), "{ran:?}");
}

#[test]
fn a_folder_that_has_changed_is_audited_as_it_is_now() {
    let folder = site();
    let urls = || -> Vec<String> {
        let ran = folder.run("audit site --quiet --pages p.jsonl --report site/report.html");
        assert_eq!(ran.code, Some(0), "{ran:?}");
        rows(&folder, "p.jsonl").iter().map(|page| page["url"].as_str().unwrap().to_owned()).collect()
    };
    let [four, one, three, two] =
        ["deep/four", "one", "three", "two"].map(|name| format!("file:///{name}.html"));
    assert_eq!(urls(), [four.clone(), one.clone(), three, two.clone()]);
    std::fs::remove_file(folder.path("site/three.html")).unwrap();
    folder.write("site/five.html", page("Five", "", &long(1)));
    // Another spelling of the folder, which has the report of the first time.
    assert_eq!(urls(), [four, "file:///five.html".to_owned(), one, two]);
}

#[test]
fn broken_links_of_a_folder_are_counted_and_listed_with_their_pages() {
    let folder = site();
    let ran = folder.run("audit site --quiet --links l.jsonl --summary - --fail-on broken>0");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(4), "failed: broken>0: it is 4\n"));
    let summary: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&summary["broken"], &summary["settings"]["threshold"]), (&4.into(), &0.6.into()));
    let links = rows(&folder, "l.jsonl");
    let gone: Vec<_> = links.iter().filter(|link| link["text"] == "Gone").collect();
    assert_eq!(gone.len(), 4);
    assert!(gone.iter().all(|link| link["result"] == "broken" && link["status"] == 404), "{gone:?}");
}

#[test]
fn a_summary_on_standard_output_leaves_what_its_file_has_before() {
    let folder = site();
    folder.write("log", "before\n");
    let log = std::fs::File::options().append(true).open(folder.path("log")).unwrap();
    let mut command = folder.command("audit site --quiet --summary -");
    assert!(command.stdout(log).status().unwrap().success());
    let log = folder.read("log");
    assert!(log.starts_with("before\n{"), "{log}");
}

#[test]
fn two_sites_are_compared_with_each_other() {
    let folder = site();
    folder
        .write("other/one.html", page("One", "", &long(2)))
        .write("other/two.html", page("Two", "", &long(2)));
    assert_eq!(folder.run("audit other --quiet").code, Some(0));
    let ran = folder.run("audit site --quiet --across other.audit --pairs r.jsonl --pages p.jsonl");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let pairs: Vec<_> =
        rows(&folder, "r.jsonl").iter().map(|pair| [pair["a"].clone(), pair["b"].clone()]).collect();
    let four = "file:///deep/four.html";
    assert_eq!(pairs, [[four, "file://other/one.html"], [four, "file://other/two.html"]]);
    let pages = rows(&folder, "p.jsonl");
    let of = |url: &str| pages.iter().find(|page| page["url"] == url).unwrap()["duplicate_percent"].clone();
    assert_eq!(of("file:///one.html"), 0.0, "what one site repeats does not count");
    assert!(of(four).as_f64().unwrap() > 50.0);
    let ran = folder.run("audit site --across site.audit");
    assert!(ran.code == Some(2) && ran.stderr.contains("that of another site"), "{ran:?}");
}

#[test]
fn changes_are_listed_and_an_earlier_crawl_is_looked_at_before_the_new_one() {
    let folder = site();
    assert_eq!(folder.run("audit site --quiet --state old").code, Some(0));
    folder
        .write("site/three.html", page("Three", "", &long(9)))
        .write("site/five.html", page("Five", "", &long(2)));
    let ran = folder.run("audit site --quiet --against old --changes c.jsonl");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let changes: Vec<_> = rows(&folder, "c.jsonl")
        .iter()
        .map(|row| ["change", "a"].map(|name| row[name].as_str().unwrap().replace("file:///", "")))
        .collect();
    let expected = [
        ["page-added", "five.html"],
        ["page-changed", "three.html"],
        ["pair-fixed", "one.html"],
        ["pair-fixed", "three.html"],
        ["pair-new", "deep/four.html"],
    ];
    assert_eq!(changes, expected);
    let before = folder.names();
    for (options, said) in [
        ("--against none", "has no crawl"),
        ("--against new --state new", "has no crawl"),
        ("--pages x.csv --pairs x.csv", "--pages writes to it too"),
        ("--serve 0.0.0.0:0", "other machines could read the results"),
        ("--changes x.csv", "--against"),
    ] {
        let ran = folder.run(&format!("audit site --state new {}", options.replace(" --state new", "")));
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{options}: {ran:?}");
    }
    assert_eq!(folder.names(), before, "nothing was made");
    let ran = folder.run("audit site --against site.audit");
    assert!(ran.code == Some(2) && ran.stderr.contains("this is the folder of this audit"), "{ran:?}");
}

#[test]
fn stop_words_do_not_count() {
    let folder = Folder::new();
    folder.write("stop.txt", "zero");
    let text = |filler: &str| words(1).split(' ').map(|word| format!("{word} {filler} ")).collect::<String>();
    folder.write("site/a.html", page("A", "", &text("zero"))).write("site/b.html", page("B", "", &text("")));
    let pairs = |options: &str| {
        let ran = folder.run(&format!("audit site --quiet --least-words 5 --pairs r.jsonl {options}"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        rows(&folder, "r.jsonl").len()
    };
    assert_eq!((pairs(""), pairs("--stop-words stop.txt")), (0, 1));
    // A wrong word is told before the site is read.
    folder.write("stop.txt", "因为");
    let said = "error: --stop-words: 因为 is several tokens, as its script has no spaces; leave it out\n";
    assert_eq!(folder.run("audit site --state new --stop-words stop.txt"), failed(2, said));
    assert!(!folder.names().contains(&"new".to_owned()));
}

#[test]
fn folds_take_numbers_away() {
    let folder = Folder::new();
    let text = |first: usize| (first..first + 80).map(|number| format!("at {number} ")).collect::<String>();
    folder.write("site/a.html", page("A", "", &text(1000))).write("site/b.html", page("B", "", &text(5000)));
    let pairs = |options: &str| {
        let ran = folder.run(&format!("audit site --quiet --least-words 5 --pairs r.jsonl {options}"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        rows(&folder, "r.jsonl").len()
    };
    assert_eq!((pairs(""), pairs("--fold digits,accents")), (0, 1));
}

#[test]
fn a_longer_shingle_leaves_short_passages_out() {
    let folder = Folder::new();
    // Seven words in common, and one of each page between them.
    for own in ["red", "blue"] {
        let part = |part: usize| {
            format!("{} {own}{part} ", words(part).split(' ').take(7).collect::<Vec<_>>().join(" "))
        };
        folder.write(&format!("site/{own}.html"), page(own, "", &(0..20).map(part).collect::<String>()));
    }
    let pairs = |options: &str| {
        let ran = folder.run(&format!("audit site --quiet --pairs r.jsonl {options}"));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        rows(&folder, "r.jsonl").len()
    };
    assert_eq!(pairs(""), 1);
    assert_eq!(pairs("--shingle 7 --num-perm 64 --bands 16 --rows 4"), 1);
    assert_eq!(pairs("--shingle 8 --summary summary.json"), 0);
    assert_eq!(folder.summary()["settings"]["shingle"], 8);
    assert_eq!(pairs("--min-similarity 0.95"), 0);
    for (options, why) in [
        ("--shingle 0", "--shingle is 0; it must be from 1 to 1000"),
        ("--bands 32 --rows 8", "raise --num-perm to 256"),
        ("--num-perm 4", "--num-perm is 4; it must be from 8 to 4096"),
    ] {
        let ran = folder.run(&format!("audit site {options}"));
        assert!(ran.code == Some(2) && ran.stderr.contains(why), "{ran:?}");
    }
}

#[test]
fn the_settings_of_a_result_name_all_that_changes_it() {
    let folder = site();
    folder.write("own.stop", "alpha beta");
    let options = "--fold digits,accents --stop-words own.stop --background 70 --shingle 4 --least-words 20 --threshold 70%";
    let ran = folder.run(&format!("audit site --quiet --summary summary.json {options}"));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let settings = &folder.summary()["settings"];
    let named = ["fold", "stop_words", "background", "shingle", "least_words", "threshold"]
        .map(|name| settings[name].clone());
    let words = serde_json::json!(["alpha", "beta"]);
    assert_eq!(
        named,
        [serde_json::json!(["digits", "accents"]), words, 70.into(), 4.into(), 20.into(), 0.7.into()]
    );
}
