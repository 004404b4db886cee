//! Which text is lost with removed documents, `--min-containment` and `--cluster`.

use crate::{Folder, failed, jsonl, silent, words};
use std::collections::{BTreeMap, BTreeSet};

/// The words `w0 w1 …` with the numbers of a range.
fn range(from: usize, to: usize) -> String {
    (from..to).map(|i| format!("w{i}")).collect::<Vec<_>>().join(" ")
}

/// Texts in a chain: each is similar to the next one, but the first is not similar to the last.
fn chain() -> String {
    jsonl(&[range(0, 60), range(5, 65), range(10, 70)])
}

fn rows(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn removed_documents_are_listed_with_the_words_that_are_lost() {
    let folder = Folder::new();
    let kept = range(0, 60);
    let other = format!("Oh: {}", kept.replace("w20", "Über-all,\n w20").replace("w40 ", "\"40\" "));
    folder.write("in.jsonl", jsonl(&[&kept, &other, &kept.to_uppercase()]));
    assert_eq!(folder.run("dedup in.jsonl -o out.jsonl --removed removed.jsonl -q -t 0.5"), silent());
    let removed = rows(&folder.read("removed.jsonl"));
    assert_eq!((&removed[0]["uncovered_words"], &removed[1]["uncovered_words"]), (&4.into(), &0.into()));
    assert_eq!(removed[0]["uncovered"], "Oh … Über-all … 40");
    assert_eq!(removed[1]["uncovered"], "");
}

#[test]
fn uncovered_words_are_the_same_for_every_format_of_input_and_list() {
    let folder = Folder::new();
    let (kept, other) = (range(0, 60), format!("{} and, more", range(0, 60)));
    folder.write("in.jsonl", jsonl(&[&kept, &other]));
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, jsonl(&[&kept, &other]).as_bytes()).unwrap();
    folder.write("in.jsonl.gz", encoder.finish().unwrap());
    folder.write("in.csv", format!("id,text\na,{kept}\nb,\"{other}\"\n"));
    folder.write("in/a.txt", &kept).write("in/b.txt", &other);
    for (input, names) in
        [("in.jsonl", "b,a"), ("in.jsonl.gz", "b,a"), ("in.csv", "b,a"), ("in", "in/b.txt,in/a.txt")]
    {
        assert_eq!(folder.run(&format!("dedup {input} -o out/ --removed removed.csv -q")), silent());
        let expected = format!(
            "id,kept_id,cluster,jaccard,containment,uncovered_words,uncovered\n{names},1,0.965517,0.965517,2,\"and, more\"\n"
        );
        assert_eq!(folder.read("removed.csv"), expected, "{input}");
    }
}

#[test]
fn without_verification_the_list_has_no_containment() {
    let folder = Folder::new();
    folder.write("in.jsonl", jsonl(&[words(1), words(1)]));
    let simhash = "dedup in.jsonl -o out.jsonl --method simhash";
    assert_eq!(folder.run(&format!("{simhash} --removed removed.jsonl -q")), silent());
    let expected = "{\"id\":\"b\",\"kept_id\":\"a\",\"cluster\":1,\"hamming\":0,\"containment\":null,\
                    \"uncovered_words\":null,\"uncovered\":null}\n";
    assert_eq!(folder.read("removed.jsonl"), expected);
    let expected =
        "error: --min-containment needs --verify; without it no document is compared with the kept one\n";
    assert_eq!(folder.run(&format!("{simhash} --min-containment 0.9")), failed(2, expected));
}

#[test]
fn a_document_that_is_not_contained_stays_and_others_are_removed_for_it() {
    let folder = Folder::new();
    // b contains a, c is a copy of b, and a contains d.
    folder.write("in.jsonl", jsonl(&[range(0, 60), range(0, 70), range(0, 70), range(0, 58)]));
    let ran = folder.run(
        "dedup in.jsonl -o out.jsonl --min-containment 0.95 --removed removed.csv --clusters clusters.csv --summary \
         summary.json --annotate",
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("written    4 documents, with the decisions in new fields\n           1 document is not marked only because no kept one contains 0.95 of its shingles (--min-containment)\n"), "{ran:?}");
    let removed = "id,kept_id,cluster,jaccard,containment,uncovered_words,uncovered\n\
                   c,b,1,1.000000,1.000000,0,\nd,a,1,0.964286,1.000000,0,\n";
    assert_eq!(folder.read("removed.csv"), removed);
    assert_eq!(folder.read("clusters.csv"), "id,cluster,kept\na,1,true\nb,1,true\nc,1,false\nd,1,false\n");
    let kept_ids: Vec<_> = rows(&folder.read("out.jsonl")).iter().map(|row| row["kept_id"].clone()).collect();
    assert_eq!(kept_ids, [serde_json::Value::Null, serde_json::Value::Null, "b".into(), "a".into()]);
    let summary = folder.summary();
    let figures = ["kept", "removed", "clusters", "kept_for_content"].map(|key| summary[key].as_u64());
    assert_eq!(figures, [Some(2), Some(2), Some(1), Some(1)]);
    assert_eq!(summary["min_containment"], 0.95);
    let ran = folder.run("dedup in.jsonl -o out.jsonl --min-containment 1.5");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("use a number from 0 to 1"), "{}", ran.stderr);
}

#[test]
fn a_loose_cluster_is_named_with_the_remedy() {
    let folder = Folder::new();
    folder.write(
        "in.jsonl",
        chain() + &jsonl(&[words(1), words(1)]).replace("\"a", "\"x").replace("\"b", "\"y"),
    );
    let ran = folder.run("dedup in.jsonl -o out.jsonl --removed removed.csv --summary summary.json");
    let said = "found      2 clusters, the largest of 3 documents\n           1 cluster is loose: the lowest similarity of a \
                removed document to the kept one is 0.70 (--cluster star prevents this)\n";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    let summary = folder.summary();
    assert_eq!((&summary["loose_clusters"], &summary["clustering"]), (&1.into(), &"union".into()));
    let loosest = serde_json::json!([
        { "cluster": 1, "documents": 3, "kept_id": "a", "removed_id": "c", "least_similarity": 46.0 / 66.0 }
    ]);
    assert_eq!(summary["loosest"], loosest);
    // Without lists the run reads no ids. Only the names in the summary differ.
    folder.run("dedup in.jsonl --dry-run --summary summary.json");
    assert_eq!(folder.summary()["loosest"][0]["removed_id"], "in.jsonl:3");

    let ran =
        folder.run("dedup in.jsonl -o out.jsonl --cluster star --removed removed.csv --summary summary.json");
    assert!(!ran.stderr.contains("loose"), "{}", ran.stderr);
    let summary = folder.summary();
    assert_eq!((&summary["loose_clusters"], &summary["clustering"]), (&0.into(), &"star".into()));
    let ids: Vec<String> =
        folder.read("removed.csv").lines().skip(1).map(|line| line[..3].to_owned()).collect();
    assert_eq!(ids, ["b,a", "y,x"]);
}

#[test]
fn pairs_that_stars_put_apart_count_as_found() {
    let folder = Folder::new();
    // a is the kept document of b and of its copy d. c is similar to b only, so it stays.
    folder.write("in.jsonl", jsonl(&[range(0, 60), range(5, 65), range(10, 70), range(0, 60)]));
    let star = "dedup in.jsonl --dry-run -q --cluster star --audit 4 --summary summary.json";
    assert_eq!(folder.run(star), silent());
    let summary = folder.summary();
    assert_eq!((&summary["kept"], &summary["clusters"]), (&2.into(), &1.into()));
    // The pairs are a–b, a–d, b–c and b–d. Each counts for both of its documents.
    assert_eq!((&summary["audit"]["partners"], &summary["audit"]["found"]), (&8.into(), &8.into()));
}

#[test]
fn clusters_by_distance_may_be_loose_too() {
    let folder = Folder::new();
    let texts: Vec<String> = (0..30).map(|from| range(from * 3, from * 3 + 120)).collect();
    let lines = texts.iter().enumerate();
    let lines =
        lines.map(|(id, text)| serde_json::json!({ "id": id.to_string(), "text": text }).to_string() + "\n");
    folder.write("in.jsonl", lines.collect::<String>());
    let simhash =
        "dedup in.jsonl -o out.jsonl --method simhash --hamming 6 --shingle 1 -q --summary summary.json";
    assert_eq!(folder.run(simhash), silent());
    let loosest = folder.summary()["loosest"][0].clone();
    assert!(loosest["greatest_distance"].as_u64().unwrap() > 6, "{loosest}");
    assert_eq!(folder.run(&format!("{simhash} --cluster star --removed removed.jsonl")), silent());
    assert_eq!(folder.summary()["loose_clusters"], 0);
    let removed = rows(&folder.read("removed.jsonl"));
    assert!(!removed.is_empty() && removed.iter().all(|row| row["hamming"].as_u64().unwrap() <= 6));
}

/// Random texts that share parts of 40 words. Some are copies of others.
fn drawn(seed: u64) -> Vec<String> {
    let mut state = seed;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut texts: Vec<String> = Vec::new();
    for _ in 0..40 {
        let text = if texts.is_empty() || draw(3) == 0 {
            let parts = 2 + draw(4);
            (0..parts).map(|_| words(draw(5) as usize)).collect::<Vec<_>>().join(" ")
        } else {
            let mut words: Vec<String> =
                texts[draw(texts.len() as u64) as usize].split(' ').map(str::to_owned).collect();
            for _ in 0..draw(3) {
                let at = draw(words.len() as u64) as usize;
                match draw(3) {
                    0 => words[at] = format!("x{}", draw(50)),
                    1 => words.truncate(at.max(30)),
                    _ => words.extend((0..draw(15)).map(|i| format!("y{i}"))),
                }
            }
            words.join(" ")
        };
        texts.push(text);
    }
    texts
}

#[test]
fn the_number_of_loose_clusters_does_not_depend_on_a_list() {
    // Without the list, the run does not compare the found pairs again.
    let folder = Folder::new();
    let mut loose_clusters = 0;
    for seed in 0..4 {
        folder.write("in.jsonl", jsonl(&drawn(seed))).write("old.jsonl", jsonl(&drawn(seed)[..9]));
        for options in [
            "--method exact",
            "--method exact --cluster star",
            "--method exact --measure containment --keep longest",
            "--method minhash",
            "--method minhash --keep last --min-containment 0.9",
            "--method minhash --measure cosine",
            "--method minhash --against old.jsonl --against-containment 0.9",
            "--method simhash --hamming 12 --verify",
            "--method simhash --hamming 12 --verify --measure cosine --weights tf",
        ] {
            let loose = |list: &str| {
                let command = format!(
                    "dedup in.jsonl -o out.jsonl -q --clusters c.jsonl --summary s.json -t 0.7 {options} {list}"
                );
                assert_eq!(folder.run(&command), silent(), "seed {seed}, {options}");
                let summary: serde_json::Value = serde_json::from_str(&folder.read("s.json")).unwrap();
                std::fs::remove_file(folder.path("s.json")).unwrap();
                (summary["loose_clusters"].clone(), summary["loosest"].clone())
            };
            let (with, without) = (loose("--removed removed.jsonl"), loose(""));
            assert_eq!(with, without, "seed {seed}, {options}");
            loose_clusters += with.0.as_u64().unwrap();
        }
    }
    assert!(loose_clusters > 20, "{loose_clusters}");
}

/// The shingles by definition: the different sequences of five words.
fn shingles(text: &str) -> BTreeSet<Vec<&str>> {
    let words: Vec<&str> = text.split(' ').collect();
    words.windows(5).map(<[&str]>::to_vec).collect()
}

/// Texts with the similarities of their pairs, by definition.
struct Texts<'a>(Vec<BTreeSet<Vec<&'a str>>>);

impl Texts<'_> {
    fn common(&self, a: usize, b: usize) -> f64 {
        self.0[a].intersection(&self.0[b]).count() as f64
    }

    fn jaccard(&self, a: usize, b: usize) -> f64 {
        self.common(a, b) / (self.0[a].union(&self.0[b]).count() as f64)
    }

    /// The share of `a` that is in `b`.
    fn containment(&self, a: usize, b: usize) -> f64 {
        self.common(a, b) / self.0[a].len() as f64
    }
}

fn number(value: &serde_json::Value) -> usize {
    value.as_str().unwrap().parse().unwrap()
}

/// Checks each removed document against its kept one.
fn check_removed(
    texts: &Texts<'_>,
    removed: &[serde_json::Value],
    kept: &[usize],
    star: bool,
    least: Option<f64>,
) {
    for row in removed {
        let (document, instead) = (number(&row["id"]), number(&row["kept_id"]));
        assert!(kept.contains(&instead), "{row}");
        let (jaccard, containment) = (texts.jaccard(document, instead), texts.containment(document, instead));
        let listed = (row["jaccard"].as_f64().unwrap(), row["containment"].as_f64().unwrap());
        assert!((listed.0 - jaccard).abs() < 1e-6 && (listed.1 - containment).abs() < 1e-6, "{row}");
        assert!(!star || jaccard >= 0.7, "{row}");
        assert!(least.is_none_or(|least| containment >= least), "{row}");
    }
}

/// Checks that two kept documents are similar only if one lacks too much of the other, and that a star has one kept document.
fn check_kept(
    texts: &Texts<'_>,
    clusters: &[serde_json::Value],
    kept: &[usize],
    star: bool,
    least: Option<f64>,
) {
    let cluster_of: BTreeMap<usize, u64> =
        clusters.iter().map(|row| (number(&row["id"]), row["cluster"].as_u64().unwrap())).collect();
    let lacks = |a: usize, b: usize| least.is_some_and(|least| texts.containment(a, b) < least);
    for (index, &a) in kept.iter().enumerate() {
        for &b in &kept[index + 1..] {
            assert!(texts.jaccard(a, b) < 0.7 || lacks(a, b) || lacks(b, a), "{a} and {b}");
            let is_one_cluster =
                cluster_of.get(&a).is_some_and(|cluster| cluster_of.get(&b) == Some(cluster));
            assert!(!star || !is_one_cluster, "{a} and {b}");
        }
    }
}

#[test]
fn with_every_policy_stars_hold_only_pairs_and_content_is_kept() {
    let folder = Folder::new();
    let (mut loose_clusters, mut kept_for_content) = (0, 0);
    for (seed, keep) in (0..6)
        .flat_map(|seed| ["first", "last", "longest", "max:score", "min:score"].map(|keep| (seed, keep)))
    {
        let drawn = drawn(seed);
        let line = |(index, text): (usize, &String)| {
            serde_json::json!({ "id": index.to_string(), "text": text, "score": index * 7 % 11 }).to_string()
                + "\n"
        };
        folder.write("in.jsonl", drawn.iter().enumerate().map(line).collect::<String>());
        let texts = Texts(drawn.iter().map(|text| shingles(text)).collect());
        for (options, star, least) in [
            ("--cluster star", true, None),
            ("--cluster star --min-containment 0.9", true, Some(0.9)),
            ("--min-containment 0.9", false, Some(0.9)),
            ("--cluster union", false, None),
        ] {
            let at = format!("seed {seed}, {keep}, {options}");
            let command = format!(
                "dedup in.jsonl -o out.jsonl -q --removed removed.jsonl --clusters clusters.jsonl --summary summary.json \
                 --keep {keep} -t 0.7 {options}"
            );
            assert_eq!(folder.run(&command), silent(), "{at}");
            let removed = rows(&folder.read("removed.jsonl"));
            let kept: Vec<usize> =
                rows(&folder.read("out.jsonl")).iter().map(|row| number(&row["id"])).collect();
            assert!(removed.len() > 5 && kept.len() + removed.len() == drawn.len(), "{at}");
            println!("{at}");
            check_removed(&texts, &removed, &kept, star, least);
            check_kept(&texts, &rows(&folder.read("clusters.jsonl")), &kept, star, least);
            let summary = folder.summary();
            let loose = removed.iter().any(|row| row["jaccard"].as_f64().unwrap() < 0.7 - 1e-6);
            assert_eq!(summary["loose_clusters"].as_u64().unwrap() > 0, loose, "{at}");
            assert_eq!(summary["kept_for_content"].is_null(), least.is_none(), "{at}");
            loose_clusters += summary["loose_clusters"].as_u64().unwrap();
            kept_for_content += summary["kept_for_content"].as_u64().unwrap_or(0);
        }
    }
    assert!(
        loose_clusters > 5 && kept_for_content > 100,
        "{loose_clusters} loose clusters, {kept_for_content} kept_for_content"
    );
}
