//! `--method simhash`, measures, weights and their tables.

use crate::{Folder, Ran, failed, jsonl, silent, words};

/// A text of 400 words, and an edit of it that moves few bits.
fn page() -> (String, String) {
    let page: Vec<String> = (0..10).map(words).collect();
    let page = page.join(" ");
    (page.clone(), page.replacen("w3x7", "other", 1))
}

/// A text, an edit of it, and 20 others. In a corpus of three documents, TF-IDF gives no weight to the words of two of them.
fn corpus() -> String {
    let (page, edited) = page();
    jsonl(&[page, edited].into_iter().chain((20..40).map(words)).collect::<Vec<_>>())
}

#[test]
fn strict_pairs_tell_the_distance() {
    let folder = Folder::new();
    let (page, edited) = page();
    folder.write("in.jsonl", jsonl(&[&page, &edited, &page, &words(77), ""]));
    let ran = folder.run("pairs in.jsonl -q --method simhash --shingle 1 --hamming 6");
    let pairs: Vec<serde_json::Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(pairs.len(), 3, "{ran:?}");
    assert_eq!((&pairs[1]["a"], &pairs[1]["b"], &pairs[1]["hamming"]), (&"a".into(), &"c".into(), &0.into()));
    assert_eq!(pairs[0]["hamming"], pairs[2]["hamming"]);
    assert!(pairs[0]["hamming"].as_u64().unwrap() <= 6);
}

#[test]
fn simhash_dedup_lists_distances_and_says_that_no_pair_was_verified() {
    let folder = Folder::new();
    let (page, edited) = page();
    folder.write("in.jsonl", jsonl(&[&page, &edited, &words(77)]));
    let ran = folder.run(
        "dedup in.jsonl -o out.jsonl --removed removed.csv --summary summary.json --method simhash --shingle 1 \
         --hamming 6 --bits 128",
    );
    assert!(ran.stderr.contains("6 or fewer of 128 SimHash bits differ"), "{ran:?}");
    assert!(!ran.stderr.contains("recall"), "{ran:?}");
    assert_eq!(folder.read("out.jsonl").lines().count(), 2);
    let removed = folder.read("removed.csv");
    assert!(
        removed.starts_with("id,kept_id,cluster,hamming,containment,uncovered_words,uncovered\nb,a,1,"),
        "{removed}"
    );
    let plan = &folder.summary()["plan"];
    assert_eq!(
        (&plan["method"], &plan["bits"], &plan["hamming"]),
        (&"simhash".into(), &128.into(), &6.into())
    );
    assert_eq!(folder.summary()["recall_estimate"], serde_json::Value::Null);
}

#[test]
fn annotations_have_the_name_of_the_measure() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1), words(1)]));
    let fields = |arguments: &str| {
        folder.run(&format!("dedup in.jsonl -o out.jsonl --annotate -q {arguments}"));
        let last = folder.read("out.jsonl").lines().last().unwrap().to_owned();
        last[last.find("\"kept_id").unwrap()..].to_owned()
    };
    assert_eq!(
        fields("--method simhash"),
        "\"kept_id\":\"a\",\"hamming\":0,\"containment\":null,\"duplicate_count\":1}"
    );
    assert_eq!(
        fields("--measure cosine"),
        "\"kept_id\":\"a\",\"cosine\":1.000000,\"containment\":1.000000,\"duplicate_count\":1}"
    );
}

#[test]
fn verified_pairs_have_the_requested_measure() {
    let folder = Folder::new();
    // The vectors of a well-known article, whose cosine is 13 / (√12 · √16).
    folder.write(
        "in.jsonl",
        jsonl(&["我 喜欢 看 电视 不 喜欢 看 电影", "我 不 喜欢 看 电视 也 不 喜欢 看 电影"]),
    );
    let pairs =
        |arguments: &str| folder.run(&format!("pairs in.jsonl -q --shingle 1 -t 0.3 {arguments}")).stdout;
    assert_eq!(
        pairs("--measure cosine --weights tf --tokens whitespace"),
        "{\"a\":\"a\",\"b\":\"b\",\"cosine\":0.938194}\n"
    );
    assert_eq!(
        pairs("--measure cosine --weights tf --tokens whitespace --method simhash --verify --hamming 12"),
        "{\"a\":\"a\",\"b\":\"b\",\"cosine\":0.938194}\n"
    );
    assert_eq!(
        pairs("--measure word-jaccard --tokens whitespace"),
        "{\"a\":\"a\",\"b\":\"b\",\"word_jaccard\":0.857143}\n"
    );
    assert_eq!(
        pairs("--measure containment --tokens whitespace"),
        "{\"a\":\"a\",\"b\":\"b\",\"containment\":1.000000}\n"
    );
}

#[test]
fn compressed_and_plain_inputs_give_the_same_with_weights() {
    let folder = Folder::new();
    let lines = corpus();
    folder.write("in.jsonl", &lines);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, lines.as_bytes()).unwrap();
    folder.write("in2.jsonl.gz", encoder.finish().unwrap());
    for arguments in [
        "--measure cosine --weights log-tf",
        "--measure word-jaccard",
        "--measure cosine --weights tf-idf --method simhash --verify --shingle 1",
    ] {
        let plain = folder.run(&format!("pairs in.jsonl -q {arguments}"));
        assert_eq!(plain.stdout.lines().count(), 1, "{arguments}: {plain:?}");
        assert_eq!(folder.run(&format!("pairs in2.jsonl.gz -q {arguments}")), plain, "{arguments}");
    }
}

#[test]
fn a_table_of_frequencies_is_made_used_and_refused_for_other_features() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    assert_eq!(folder.run("frequencies in.jsonl -o words.df --shingle 1 -q"), silent());
    let with = "pairs in.jsonl -q --method simhash --weights tf-idf --shingle 1 --hamming 12";
    let counted = folder.run(with);
    assert_eq!(counted.stdout.lines().count(), 1, "{counted:?}");
    assert_eq!(folder.run(&format!("{with} --frequencies words.df")), counted);
    let refused = folder.run(&format!("{with} --frequencies words.df --tokens chars"));
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.starts_with("error: words.df: made with other --tokens"), "{refused:?}");
    folder.write("broken.df", b"no table at all");
    let refused = folder.run(&format!("{with} --frequencies broken.df"));
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("this is no table of document frequencies"), "{refused:?}");
}

#[test]
fn frequencies_of_too_few_documents_are_told_where_they_weigh() {
    let folder = Folder::new();
    let note = "note: no feature has a weight by the frequencies, as the documents that were counted are too few: 2\n";
    folder
        .write("two.jsonl", jsonl(&[words(1), words(2)]))
        .write("three.jsonl", jsonl(&[words(1), words(2), words(3)]));
    assert_eq!(folder.run("frequencies two.jsonl -o two.df -q"), silent());
    let by = "-q --method simhash --weights tf-idf";
    for of_two in ["two.jsonl", "two.jsonl --frequencies two.df", "three.jsonl --frequencies two.df"] {
        let ran = folder.run(&format!("dedup {of_two} -o out.jsonl {by}"));
        assert_eq!((ran.code, &ran.stderr[..]), (Some(0), note), "{of_two}");
    }
    assert_eq!(folder.run(&format!("dedup three.jsonl -o out.jsonl {by}")), silent());
}

#[test]
fn levels_weigh_words_and_their_mistakes_are_named() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&["red red red car", "red car car car"]));
    folder.write("levels.tsv", "car\t5\n\nred\t1\n");
    let cosine = |arguments: &str| {
        folder.run(&format!("pairs in.jsonl -q --shingle 1 -t 0.1 --measure cosine {arguments}")).stdout
    };
    assert_eq!(cosine("--weights tf"), "{\"a\":\"a\",\"b\":\"b\",\"cosine\":0.600000}\n");
    // The vectors are (3, 5) and (1, 15).
    let expected = 78.0 / (34.0_f64 * 226.0).sqrt();
    assert_eq!(
        cosine("--weights levels --levels levels.tsv"),
        format!("{{\"a\":\"a\",\"b\":\"b\",\"cosine\":{expected:.6}}}\n")
    );
    // A word that the tokens cut has no level, and is named.
    folder.write("cut.tsv", "car\t5\nred car\t3\nred\t1\n");
    let command = "pairs in.jsonl -q --shingle 1 -t 0.1 --measure cosine --weights levels --levels cut.tsv";
    let ran = folder.run(command);
    assert_eq!(ran.stdout, cosine("--weights levels --levels levels.tsv"));
    assert_eq!(ran.stderr, "note: cut.tsv: 1 word of 3 have no level, as the tokens cut them: red car\n");
    let five = folder.run("pairs in.jsonl -q --measure cosine --weights levels --levels levels.tsv");
    assert!(five.stderr.contains("levels.tsv:1: \"car\" is not one shingle"), "{five:?}");
    for (line, problem) in [
        ("car 5", "write a word, a tab and a level from 1 to 5"),
        (
            "a car\t5",
            "\"a car\" is not one shingle: it is 2 tokens, and a shingle has 1; --shingle 2 makes it one",
        ),
        ("car\t6", "level is 6; it must be from 1 to 5"),
    ] {
        folder.write("wrong.tsv", line);
        let ran =
            folder.run("pairs in.jsonl -q --shingle 1 --measure cosine --weights levels --levels wrong.tsv");
        assert!(ran.stderr.contains("wrong.tsv:1") && ran.stderr.contains(problem), "{ran:?}");
    }
}

#[test]
fn recall_is_not_promised_where_the_search_does_not_go_by_the_measure() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus());
    for (arguments, known) in [
        ("--measure jaccard --method minhash", true),
        ("--measure word-jaccard --method minhash", true),
        ("--measure cosine --method minhash", true),
        ("--measure word-jaccard --shingle 5 --method minhash", false),
        ("--measure containment --method minhash", false),
        ("--measure cosine --weights tf", false),
        ("--measure cosine --weights tf --method simhash --verify", true),
        ("--measure jaccard --weights tf --method simhash --verify", false),
    ] {
        let ran = folder.run(&format!("pairs in.jsonl {arguments}"));
        assert_eq!(ran.stderr.contains("recall     unknown"), !known, "{arguments}: {ran:?}");
        assert_eq!(ran.stderr.contains("% of such pairs (estimate; "), known, "{arguments}: {ran:?}");
    }
}

#[test]
fn shuffled_words_are_found_by_word_jaccard() {
    let folder = Folder::new();
    let text = words(1);
    let turned: Vec<&str> = text.split(' ').rev().collect();
    folder.write("in.jsonl", jsonl(&[&text, &turned.join(" ")]));
    let ran = folder.run("pairs in.jsonl -q --measure word-jaccard");
    assert_eq!(ran.stdout, "{\"a\":\"a\",\"b\":\"b\",\"word_jaccard\":1.000000}\n");
}

#[test]
fn tables_and_lists_that_are_read_are_not_replaced() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus()).write("stop.csv", "the").write("query.csv", "w1x1 w1x2");
    folder.run("frequencies in.jsonl -o words.csv --shingle 1 -q");
    for arguments in [
        "pairs in.jsonl -o stop.csv --stop-words stop.csv",
        "dedup in.jsonl -o out.jsonl --removed stop.csv --stop-words stop.csv",
        "pairs in.jsonl --shingle 1 --measure cosine --weights tf-idf --frequencies words.csv -o words.csv",
        "pairs in.jsonl --shingle 1 --measure cosine --weights tf-idf --frequencies words.csv --summary words.csv",
        "frequencies in.jsonl -o stop.csv --stop-words stop.csv",
        "similar query.csv --in in.jsonl -o query.csv",
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, Some(1), "{arguments}: {ran:?}");
        assert!(
            ran.stderr.contains("this output is also an input; give it another name"),
            "{arguments}: {ran:?}"
        );
    }
    assert_eq!(folder.read("query.csv"), "w1x1 w1x2");
}

#[test]
fn options_without_effect_are_refused() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1)]));
    for (arguments, message) in [
        ("--hamming 3", "--hamming needs --method simhash"),
        (
            "--method simhash --threshold 0.9",
            "--threshold needs --verify; without it only the distance of fingerprints decides",
        ),
        ("--method simhash --rows 3", "--rows needs --method minhash"),
        ("--weights tf", "--weights needs --method simhash or --measure cosine"),
        ("--method simhash --weights levels", "--weights levels needs --levels FILE"),
        (
            "--stop-words klingon",
            "--stop-words klingon: there is no such file, and the languages are de en es fr it ja nl pl pt ru sv zh",
        ),
        ("--method simhash --hamming 13", "--hamming is 13; it must be from 0 to 12"),
    ] {
        assert_eq!(
            folder.run(&format!("pairs in.jsonl {arguments}")),
            failed(2, &format!("error: {message}\n"))
        );
    }
}

#[test]
fn chinese_can_be_cut_by_its_dictionary() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&["我来到北京清华大学", "我来到清华大学北京"]));
    let pairs = |tokens: &str| folder.run(&format!("pairs in.jsonl -q --shingle 1 --tokens {tokens}")).stdout;
    assert_eq!(pairs("jieba"), "{\"a\":\"a\",\"b\":\"b\",\"jaccard\":1.000000}\n");
    // With shingles of two characters the order counts. As dictionary words, 北京 and 清华大学 only change places.
    let two = folder.run("pairs in.jsonl -q --shingle 2 -t 0.9 --tokens words").stdout;
    assert_eq!(two, "");
}

#[test]
fn chinese_can_be_cut_by_words_of_ones_own() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&["记者直击北京新机场", "北京新机场直击记者"]));
    folder.write("own.txt", "直击 5 v\n\n新机场\n卡拉OK 3\n").write("bad.txt", "新机场\n直击 5x\n");
    folder.write("levels.tsv", "直击\t5\n新机场\t4\n");
    let by = "--tokens jieba --shingle 1";
    let explained = |more: &str| {
        folder.write("one.txt", "记者直击北京新机场");
        let sketch = format!(
            "sketch one.txt --explain --method simhash {by} --weights levels --levels levels.tsv {more}"
        );
        folder.run(&sketch)
    };
    let (without, with) = (explained(""), explained("--jieba-dict own.txt"));
    assert!(without.code != Some(0) && without.stderr.contains("is not one shingle"), "{without:?}");
    let note = "note: own.txt: 1 word of 3 left out, as they are not Chinese alone: 卡拉OK\n";
    assert!(with.stderr.contains(note), "{with:?}");
    assert!(with.stdout.contains("直击") && with.stdout.contains("新机场"), "{with:?}");
    for (options, message) in [
        ("--jieba-dict own.txt", "--jieba-dict needs --tokens jieba"),
        (
            "--tokens jieba --jieba-dict bad.txt",
            "bad.txt:2: \"直击 5x\" is no line of a dictionary of jieba, which has a word, perhaps its frequency, and perhaps a tag of letters",
        ),
    ] {
        let ran = folder.run(&format!("pairs in.jsonl {options}"));
        assert_eq!(ran, failed(2, &format!("error: {message}\n")));
    }
    // An index has the words, and needs no file later.
    let build = format!("index build in.jsonl -o seen.index {by} --jieba-dict own.txt -q");
    let built = folder.run(&build);
    assert_eq!((built.code, &built.stderr[..]), (Some(0), note), "the file is read once");
    for own in ["", "--jieba-dict own.txt"] {
        let found = folder.run(&format!("dedup in.jsonl -o out.jsonl --against seen.index -q {own}"));
        assert_eq!((found.code, &folder.read("out.jsonl")[..]), (Some(0), ""), "{found:?}");
    }
    folder.write("other.txt", "北京新机场\n");
    let other = folder
        .run("dedup in.jsonl -o out.jsonl --against seen.index --tokens jieba --jieba-dict other.txt -q");
    let message = "error: --jieba-dict differs from the index seen.index, which was made with 2 other words;";
    assert!(other.code == Some(2) && other.stderr.starts_with(message), "{other:?}");
}

#[test]
fn stop_words_of_a_language_or_a_file_do_not_count() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&["the king of the road", "king and road"]));
    folder.write("words.txt", "and of\nthe");
    for list in ["en", "words.txt", "de,words.txt"] {
        let ran = folder.run(&format!("pairs in.jsonl -q --stop-words {list}"));
        assert_eq!(ran.stdout, "{\"a\":\"a\",\"b\":\"b\",\"jaccard\":1.000000}\n", "{list}");
    }
}

#[test]
fn every_thread_count_and_instruction_set_gives_the_same_bytes() {
    let folder = Folder::new();
    folder.write("in.jsonl", corpus() + &corpus());
    for arguments in
        ["--method simhash --hamming 9", "--method simhash --verify --weights tf-idf --measure cosine"]
    {
        let arguments = format!("pairs in.jsonl -q --shingle 2 {arguments}");
        let expected = folder.run(&arguments);
        assert!(expected.stdout.lines().count() >= 3, "{expected:?}");
        for level in ["scalar", "avx2", "avx512"] {
            for threads in [1, 3] {
                let mut command = folder.command(&format!("{arguments} --threads {threads}"));
                command.env("LOOKALIKE_SIMD", level);
                let ran = crate::run(command);
                if !ran.stderr.contains("this machine has") {
                    assert_eq!(ran, Ran { stdout: expected.stdout.clone(), ..silent() }, "{level}");
                }
            }
        }
    }
}
