//! `index build`, `add` and `info`, and `dedup --against INDEX`.

mod corpora;
mod damaged;
mod equal;
mod killed;
mod nameless;
mod redis;
mod refused;
mod same_bytes;
mod written;

use crate::{Folder, jsonl, silent, words};

/// The number of documents of an index, after a check of all its bytes.
fn documents(folder: &Folder) -> u64 {
    let ran = folder.run("index info seen.index --verify --format json");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    serde_json::from_str::<serde_json::Value>(&ran.stdout).unwrap()["documents"].as_u64().unwrap()
}

/// The files that an index does not name, except its lock.
fn leftovers(folder: &Folder, index: &str) -> Vec<String> {
    let ran = folder.run(&format!("index info {index} --format json"));
    let info: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let named: Vec<&str> =
        info["files"].as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap()).collect();
    let names = std::fs::read_dir(folder.path(index)).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let left: Vec<String> = names.filter(|name| !named.contains(&&name[..])).collect();
    left.into_iter().filter(|name| name != "index.lock").collect()
}

/// Documents a and c are similar, and so are b and the second a. The others have no near-duplicate.
fn archive_and_news() -> (String, String) {
    let archive = jsonl(&[words(1), words(2), format!("{} tail", words(1)), String::new()]);
    let news = jsonl(&[format!("{} and more", words(2)), words(3), format!("new {}", words(3)), words(1)]);
    (archive, news.replace("\"id\":\"", "\"id\":\"n"))
}

#[test]
fn near_duplicates_of_the_index_and_of_the_input_are_removed() {
    let folder = Folder::new();
    let (archive, news) = archive_and_news();
    folder.write("archive.jsonl", archive).write("news.jsonl", &news);
    assert_eq!(folder.run("index build archive.jsonl -o archive.index -q"), silent());
    let dedup = "dedup news.jsonl -o out.jsonl --against archive.index --removed removed.csv -q";
    assert_eq!(folder.run(&format!("{dedup} --summary summary.json --clusters clusters.csv")), silent());
    assert_eq!(folder.read("out.jsonl"), news.split_inclusive('\n').nth(1).unwrap());
    let expected = "id,kept_id,cluster,jaccard,containment,uncovered_words,uncovered\n\
                    nd,a,1,1.000000,1.000000,0,\n\
                    na,b,2,0.947368,0.947368,2,and more\n\
                    nc,nb,3,0.972973,0.972973,1,new\n";
    assert_eq!(folder.read("removed.csv"), expected);
    assert_eq!(
        folder.read("clusters.csv"),
        "id,cluster,kept\na,1,true\nc,1,true\nnd,1,false\nb,2,true\nna,2,false\nnb,3,true\nnc,3,false\n"
    );
    let summary = folder.summary();
    for (key, value) in [
        ("documents", 4),
        ("against", 4),
        ("against_looked_at", 3),
        ("removed", 3),
        ("removed_against", 2),
        ("kept", 1),
        ("clusters", 3),
    ] {
        assert_eq!(summary[key], value, "{key}");
    }
    assert!(summary.get("indexed").is_none());
    // Without --update the index stays as it was.
    assert_eq!(folder.run(dedup), silent());
    assert_eq!(folder.read("removed.csv"), expected);
}

#[test]
fn an_update_adds_the_whole_input_with_its_removed_documents() {
    let folder = Folder::new();
    let (archive, news) = archive_and_news();
    folder.write("archive.jsonl", archive).write("news.jsonl", &news);
    assert_eq!(folder.run("index build archive.jsonl -o archive.index -q"), silent());
    let update = "dedup news.jsonl -o out.jsonl --against archive.index --update --removed removed.csv --summary summary.json";
    let ran = folder.run(update);
    assert!(ran.stderr.contains("added      4 documents; the index has 8\n"), "{ran:?}");
    assert!(ran.stderr.contains("beside 4 of --against"), "{ran:?}");
    assert_eq!(folder.summary()["indexed"], 8);
    assert_eq!(folder.read("out.jsonl").lines().count(), 1);
    folder.write("again.jsonl", &news);
    assert_eq!(folder.run(&format!("{} -q", update.replace("news", "again"))), silent());
    assert_eq!(folder.read("out.jsonl"), "");
    let removed = folder.read("removed.csv");
    for row in ["nb,nb,", "nc,nb,", "na,b,", "nd,a,"] {
        assert!(removed.contains(&format!("\n{row}")), "{row} in {removed}");
    }
}

#[test]
fn documents_added_without_outputs_are_found_later() {
    let folder = Folder::new();
    let (archive, news) = archive_and_news();
    folder.write("archive.jsonl", archive).write("news.jsonl", &news);
    let ran = folder.run("index build archive.jsonl -o archive.index --shingle 3 -t 0.7");
    assert!(ran.stderr.contains("added      4 documents; the index has 4\n"), "{ran:?}");
    assert!(ran.stderr.contains("found      1 cluster, the largest of 2 documents\n"), "{ran:?}");
    let ran = folder.run("index add archive.index news.jsonl");
    assert!(ran.stderr.contains("read       4 documents beside 4 of the index"), "{ran:?}");
    let ran = folder.run("dedup news.jsonl -o out.jsonl --against archive.index -q");
    assert_eq!((ran, folder.read("out.jsonl")), (silent(), String::new()));
}

#[test]
fn info_shows_the_content_of_an_index() {
    let folder = Folder::new();
    let (archive, news) = archive_and_news();
    folder.write("archive.jsonl", archive).write("news.jsonl", &news);
    folder.run("index build archive.jsonl -o archive.index -q --stop-words en --seed 7");
    folder.run("index add archive.index news.jsonl -q");
    let ran = folder.run("index info archive.index --verify");
    for line in [
        "index      8 documents, added in 2 steps\n",
        "           7 of them in 3 clusters of two or more\n",
        "similar    Jaccard 0.8 or more of 5-word shingles, verified exactly\n",
        "verified   every byte is as it was written\n",
    ] {
        assert!(ran.stdout.contains(line), "{line} in {}", ran.stdout);
    }
    let ran = folder.run("index info archive.index --format json");
    let info: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    for (key, value) in [("documents", 8), ("updates", 2), ("clusters", 3), ("clustered", 7)] {
        assert_eq!(info[key], value, "{key}");
    }
    assert_eq!((&info["verified"], &info["plan"]["seed"]), (&false.into(), &7.into()));
    let files = info["files"].as_array().unwrap();
    for file in files {
        let path = folder.path("archive.index").join(file["name"].as_str().unwrap());
        assert_eq!(file["bytes"], std::fs::metadata(path).unwrap().len());
    }
    assert_eq!(leftovers(&folder, "archive.index"), [""; 0]);
}

#[test]
fn an_index_may_be_made_to_find_documents_below_its_threshold() {
    let folder = Folder::new();
    let (archive, _) = archive_and_news();
    folder.write("archive.jsonl", archive);
    let ran = folder.run("index build archive.jsonl -o seen.index -q --similar-from 0.5");
    assert_eq!(ran, crate::silent());
    let info = folder.run("index info seen.index --format json").stdout;
    let info: serde_json::Value = serde_json::from_str(&info).unwrap();
    let (bands, rows) = (&info["plan"]["bands"], &info["plan"]["rows"]);
    let expected = lookalike::search::Banding::for_recall(0.5, 128, 0.995);
    assert_eq!((bands, rows), (&expected.bands.into(), &expected.rows.into()));
    assert_eq!(info["plan"]["threshold"], 0.8);
    // Bands are chosen by the size of the signature and the recall, which may be given too.
    let more = "--similar-from 0.5 --num-perm 256 --recall 0.9 --threshold 0.7";
    assert_eq!(folder.run(&format!("index build archive.jsonl -o more.index -q {more}")), crate::silent());
    for (options, why) in [
        ("--similar-from 0.9", "--similar-from is 0.9; it must be above 0 and up to the threshold of 0.8"),
        ("--similar-from 0", "--similar-from is 0; it must be above 0 and up to the threshold of 0.8"),
        ("--similar-from 0.5 --rows 3", "--similar-from chooses --bands and --rows; leave these out"),
        (
            "--similar-from 0.5 --method simhash",
            "--similar-from chooses bands of MinHash; leave it out with --method simhash",
        ),
    ] {
        let ran = folder.run(&format!("index build archive.jsonl -o other.index {options}"));
        assert_eq!(ran, crate::failed(2, &format!("error: {why}\n")));
    }
}

#[test]
fn a_plan_may_have_many_bands() {
    let folder = Folder::new();
    let (archive, news) = archive_and_news();
    folder.write("archive.jsonl", archive).write("news.jsonl", &news);
    for plan in
        ["--bands 1 --rows 1", "--num-perm 512 --bands 65 --rows 7", "--num-perm 512 --bands 256 --rows 2"]
    {
        assert_eq!(folder.run(&format!("index build archive.jsonl -o seen.index -q {plan}")), silent());
        assert_eq!(documents(&folder), 4);
        assert_eq!(folder.run("dedup news.jsonl -o out.jsonl --against seen.index -q"), silent());
        assert_eq!(folder.read("out.jsonl").lines().count(), 1, "{plan}");
        std::fs::remove_dir_all(folder.path("seen.index")).unwrap();
    }
}

#[test]
fn the_help_of_index_names_its_options() {
    let folder = Folder::new();
    for (verb, options) in [
        ("build", &["--output <INDEX>", "--threshold", "--memory", "--summary"][..]),
        ("add", &["<INDEX>", "--text-field", "--memory", "--quiet"]),
        ("info", &["<INDEX>", "--verify", "--format"]),
    ] {
        let help = folder.run(&format!("index {verb} --help")).stdout;
        for option in options.iter().chain(&["Exit codes: 0 done", "lookalike dedup today.jsonl"]) {
            assert!(help.contains(option), "{verb} {option} in {help}");
        }
        assert!(help.lines().all(|line| line.chars().count() <= 100), "a line of the help is too long");
    }
    assert!(folder.run("dedup --help").stdout.contains("--update"));
}

#[test]
fn an_index_may_be_empty() {
    let folder = Folder::new();
    folder.write("empty.jsonl", "").write("in.jsonl", jsonl(&[words(1), words(1)]));
    assert_eq!(folder.run("index build empty.jsonl -o empty.index -q"), silent());
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --against empty.index --update -q"), silent());
    assert_eq!(folder.read("out.jsonl").lines().count(), 1);
    assert_eq!(folder.run("dedup empty.jsonl -o out.jsonl --against empty.index --update -q"), silent());
    let ran = folder.run("index info empty.index --verify");
    assert!(ran.stdout.starts_with("index      2 documents, added in 1 step\n"), "{ran:?}");
}

#[test]
fn an_index_without_texts_is_a_fraction_and_finds_the_same() {
    index_without_texts("--method simhash");
    index_without_texts("--verify=estimate");
}

fn index_without_texts(by: &str) {
    let folder = Folder::new();
    let (archive, news) = archive_and_news();
    folder.write("archive.jsonl", archive).write("news.jsonl", &news);
    let build = format!("index build archive.jsonl -q {by} -o");
    assert_eq!(folder.run(&format!("{build} with.index")), silent());
    assert_eq!(folder.run(&format!("{build} without.index --store-texts false")), silent());
    let info = |index: &str| -> serde_json::Value {
        let ran = folder.run(&format!("index info {index} --verify --format json"));
        serde_json::from_str(&ran.stdout).unwrap()
    };
    let [with, without] = ["with.index", "without.index"].map(info);
    assert_eq!((&with["stores_texts"], &without["stores_texts"]), (&true.into(), &false.into()));
    assert!(without["bytes"].as_u64() < with["bytes"].as_u64(), "{with} {without}");
    assert!(folder.run("index info without.index").stdout.contains("texts      are not stored\n"));
    let removed = |index: &str| {
        let dedup = format!("dedup news.jsonl -o out.jsonl --against {index} --removed {index}.csv -q");
        assert_eq!(folder.run(&dedup), silent());
        (folder.read("out.jsonl"), folder.read(&format!("{index}.csv")))
    };
    let removed = [removed("with.index"), removed("without.index")];
    assert!(removed[0] == removed[1] && removed[0].1.lines().count() > 1, "{removed:?}");
    let in_one_run = format!("dedup news.jsonl -o out.jsonl --against archive.jsonl {by} -q");
    assert_eq!(folder.run(&in_one_run), silent());
    assert_eq!(folder.read("out.jsonl"), removed[1].0);

    for (command, problem) in [
        (
            "index build archive.jsonl -o x.index --store-texts false",
            "--store-texts false: documents without texts can be compared by their sketches alone; add --verify=estimate, or --method simhash without --verify",
        ),
        (
            "serve --index without.index --store-texts true",
            "--store-texts true differs from the index without.index, which was made with false; leave the option out, or make another index with it",
        ),
        (
            "serve --index with.index --store-texts false",
            "--store-texts false differs from the index with.index, which was made with true; leave the option out, or make another index with it",
        ),
    ] {
        let ran = folder.run(command);
        assert_eq!((ran.code, ran.stderr), (Some(2), format!("error: {problem}\n")), "{command}");
    }
    assert!(!folder.path("x.index").exists());
}

#[test]
fn an_index_by_tf_idf_keeps_its_table() {
    let folder = Folder::new();
    let (archive, news) = archive_and_news();
    folder.write("archive.jsonl", archive).write("news.jsonl", &news);
    for (from, table) in [("archive.jsonl", "old.df"), ("news.jsonl", "new.df")] {
        assert_eq!(folder.run(&format!("frequencies {from} -o {table} -q")), silent());
    }
    let by = "--method simhash --hamming 6 --weights tf-idf";
    let build = format!("index build archive.jsonl -o seen.index {by}");
    let refused = folder.run(&build);
    let problem = "error: --weights tf-idf: an index needs a table of frequencies that does not change while it grows: make one with \
                   lookalike frequencies, and give it as --frequencies FILE\n";
    assert_eq!((refused.code, &refused.stderr[..]), (Some(2), problem));
    assert!(!folder.path("seen.index").exists());
    assert_eq!(folder.run(&format!("{build} --frequencies old.df -q")), silent());
    let info = folder.run("index info seen.index --verify");
    let weights = "weights    by frequencies that were counted in ";
    assert!(info.code == Some(0) && info.stdout.contains(weights), "{info:?}");
    // The index has the table, and the file is not needed any more.
    assert_eq!(folder.run("index add seen.index news.jsonl -q"), silent());
    let other = folder
        .run("dedup news.jsonl -o out.jsonl --against seen.index --frequencies new.df --weights tf-idf");
    let problem = "error: --frequencies differs from the index seen.index, which was made with a table of ";
    assert!(other.code == Some(2) && other.stderr.starts_with(problem), "{other:?}");
    assert_eq!(
        folder.run(
            "dedup news.jsonl -o out.jsonl --against seen.index --weights tf-idf --frequencies old.df -q"
        ),
        silent()
    );
    assert_eq!(folder.read("out.jsonl"), "", "all of it is there");
    // An index of nothing has it too.
    folder.write("empty.jsonl", "");
    assert_eq!(
        folder.run(&format!("index build empty.jsonl -o empty.index {by} --frequencies old.df -q")),
        silent()
    );
    assert!(folder.run("index info empty.index --verify").stdout.contains(weights));
    assert_eq!(folder.run("index add empty.index news.jsonl -q"), silent());
}

#[test]
fn an_index_is_sketched_again_by_another_plan_and_other_frequencies() {
    let folder = Folder::new();
    let (archive, news) = archive_and_news();
    folder.write("archive.jsonl", &archive).write("news.jsonl", &news);
    for step in ["build archive.jsonl -o old.index", "add old.index news.jsonl"] {
        assert_eq!(folder.run(&format!("index {step} -q")), silent());
    }
    let by = "--method simhash --hamming 8 --weights tf-idf";
    let ran = folder.run(&format!("index resketch old.index -o new.index {by}"));
    let documents = archive.lines().count() + news.lines().count();
    assert_eq!(
        (ran.code, &ran.stderr[..]),
        (Some(0), &format!("sketched {documents} documents again\n")[..])
    );
    // It has the documents of an index that is made so from the start, and their clusters from before.
    let counted = archive
        .lines()
        .chain(news.lines())
        .filter(|line| !line.contains("\"text\":\"\""))
        .fold(String::new(), |all, line| all + line + "\n");
    folder.write("counted.jsonl", counted);
    assert_eq!(folder.run("frequencies counted.jsonl -o table.df -q"), silent());
    let build = format!("index build archive.jsonl -o whole.index {by} --frequencies table.df -q");
    assert_eq!(folder.run(&build), silent());
    assert_eq!(folder.run("index add whole.index news.jsonl -q"), silent());
    let info = |index: &str| -> serde_json::Value {
        serde_json::from_str(&folder.run(&format!("index info {index} --verify --format json")).stdout)
            .unwrap()
    };
    let [old, new, whole] = ["old.index", "new.index", "whole.index"].map(info);
    let table = |index: &str| {
        let info = info(index);
        let mut files = info["files"].as_array().unwrap().iter().filter_map(|file| file["name"].as_str());
        let name = files.rfind(|name| name.ends_with(".frequencies")).unwrap().to_owned();
        std::fs::read(folder.path(&format!("{index}/{name}"))).unwrap()
    };
    assert_eq!(table("new.index"), table("whole.index"));
    for field in ["documents", "counted_documents", "weights", "features"] {
        assert_eq!(new[field], whole[field], "{field}");
    }
    assert_eq!((&new["clusters"], &new["clustered"]), (&old["clusters"], &old["clustered"]));
    let removed = |index: &str| {
        let dedup = format!("dedup news.jsonl -o out.jsonl --against {index} --removed removed.csv -q");
        assert_eq!(folder.run(&dedup), silent());
        let rows = folder.read("removed.csv");
        let distance = |row: &str| row.split(',').nth(3).map(str::to_owned);
        (folder.read("out.jsonl"), rows.lines().filter_map(distance).collect::<Vec<_>>())
    };
    assert_eq!(removed("new.index"), removed("whole.index"));

    assert_eq!(
        folder.run("index build news.jsonl -o bare.index --method simhash --store-texts false -q"),
        silent()
    );
    for (command, problem) in [
        (
            "bare.index -o x.index",
            "error: bare.index: this index stores no texts, so it cannot be sketched again; build the new one from the documents\n",
        ),
        (
            "none.index -o x.index",
            "error: none.index: there is no index here\n  hint: lookalike index build makes one\n",
        ),
        (
            "old.index -o new.index",
            "error: new.index: there is an index already\n  hint: name another folder, or add to it with lookalike index add\n",
        ),
    ] {
        let ran = folder.run(&format!("index resketch {command}"));
        assert_eq!((ran.code.is_some_and(|code| code > 0), &ran.stderr[..]), (true, problem), "{command}");
    }
    // A killed run leaves a folder beside the new index, and the next one removes it.
    assert_eq!(folder.run("index build news.jsonl -o again.index.part -q"), silent());
    assert_eq!(folder.run("index resketch old.index -o again.index").code, Some(0));
    assert_eq!(
        (info("again.index")["documents"].clone(), folder.path("again.index.part").exists()),
        (old["documents"].clone(), false)
    );
    folder.write("two.jsonl", news.lines().take(2).fold(String::new(), |all, line| all + line + "\n"));
    assert_eq!(folder.run("index build two.jsonl -o two.index -q"), silent());
    let few = folder.run("index resketch two.index -o x.index --method simhash --weights tf-idf");
    assert!(
        few.code == Some(2) && few.stderr.contains("counted in 2 documents give no feature a weight"),
        "{few:?}"
    );
    assert!(!folder.path("x.index").exists());
}

#[test]
fn an_index_by_levels_has_them_in_its_plan() {
    let folder = Folder::new();
    let (archive, news) = archive_and_news();
    let word = news.split_once("\"text\":\"").unwrap().1.split(' ').next().unwrap().to_owned();
    folder.write("archive.jsonl", archive).write("news.jsonl", &news);
    folder.write("levels.tsv", format!("{word}\t5\n")).write("other.tsv", format!("{word}\t4\n"));
    folder.write("cut.tsv", format!("{word}\t5\ntwo words\t3\n"));
    let by = "--method simhash --hamming 6 --shingle 1 --weights levels";
    let needs = folder.run(&format!("index build archive.jsonl -o seen.index {by}"));
    assert_eq!((needs.code, &needs.stderr[..]), (Some(2), "error: --weights levels needs --levels FILE\n"));
    // Words that the tokens cut are named once, and left out.
    let built = folder.run(&format!("index build archive.jsonl -o seen.index {by} --levels cut.tsv"));
    assert_eq!(built.code, Some(0), "{built:?}");
    assert_eq!(
        built.stderr.matches("have no level, as the tokens cut them: two words").count(),
        1,
        "{built:?}"
    );
    let info = folder.run("index info seen.index --verify");
    assert!(info.stdout.contains("weights    by levels of 1 shingle\n"), "{info:?}");
    let in_one_run =
        format!("dedup news.jsonl -o out.jsonl --against archive.jsonl {by} --levels levels.tsv -q");
    assert_eq!(folder.run(&in_one_run), silent());
    let expected = folder.read("out.jsonl");
    for given in ["", "--levels levels.tsv", "--levels levels.tsv --weights levels"] {
        let dedup = format!("dedup news.jsonl -o out.jsonl --against seen.index {given} -q");
        assert_eq!(folder.run(&dedup), silent(), "{given}");
        assert_eq!(folder.read("out.jsonl"), expected, "{given}");
    }
    let other = folder.run("dedup news.jsonl -o out.jsonl --against seen.index --levels other.tsv");
    let problem = "error: --levels differs from the index seen.index, which was made with 1 level of other words or levels; leave the option \
                   out, or make another index with it\n";
    assert_eq!((other.code, &other.stderr[..]), (Some(2), problem));
    assert_eq!(folder.run("index resketch seen.index -o other.index --method simhash --shingle 1 --weights levels --levels other.tsv").code, Some(0));
    assert!(folder.run("index info other.index --verify").stdout.contains("by levels of 1 shingle"));
    assert_eq!(folder.run("index add seen.index news.jsonl -q"), silent());
}
