//! `eval` reads the lists of this program and of others.

use super::*;

/// Writes a table of texts. Some may be empty.
fn write_parquet(path: &Path, columns: [&str; 2], rows: &[(&str, &str)]) {
    let mut table =
        TableWriter::create(path, &columns.map(|column| (column, ColumnKind::Text)), &Waiting::default())
            .unwrap();
    for (one, other) in rows {
        table.row(&[Cell::Text(one), Cell::Text(other)]).unwrap();
    }
    table.complete().unwrap().publish().unwrap();
}

#[test]
fn an_empty_value_is_missing_in_every_format() {
    let folder = Folder::new();
    let clusters = [("p", "1"), ("q", "1"), ("r", ""), ("s", "")];
    let jsonl: String = clusters
        .iter()
        .map(|(id, cluster)| format!("{{\"id\":\"{id}\",\"cluster\":\"{cluster}\"}}\n"))
        .collect();
    let csv: String = clusters.iter().map(|(id, cluster)| format!("{id},{cluster}\n")).collect();
    folder.write("c.jsonl", jsonl).write("c.csv", format!("id,cluster\n{csv}"));
    write_parquet(&folder.path("c.parquet"), ["id", "cluster"], &clusters);
    for list in ["c.jsonl", "c.csv", "c.parquet"] {
        let report = eval(&folder, &format!("{list} --truth c.csv"));
        assert_eq!(
            (pairs(&report)[0].clone(), &report["clusters"]["named"]),
            (json!(1), &json!(4)),
            "{list}"
        );
    }
    folder
        .write("p.jsonl", "{\"a\":\"p\",\"b\":\"q\"}\n{\"a\":\"p\",\"b\":\"\"}\n")
        .write("p.csv", "a,b\np,q\np,\n");
    write_parquet(&folder.path("p.parquet"), ["a", "b"], &[("p", "q"), ("p", "")]);
    for (list, place) in [("p.jsonl", 2), ("p.csv", 3), ("p.parquet", 2)] {
        let ran = folder.run(&format!("eval {list} --truth c.csv --format json -q"));
        let expected =
            format!("skipped {list}:{place}: no id in field \"b\": it must hold a text or a number\n");
        assert_eq!((ran.code, ran.stderr), (Some(3), expected));
        assert_eq!(pairs(&serde_json::from_str(&ran.stdout).unwrap())[0], 1, "{list}");
    }
}

#[test]
fn columns_may_be_called_in_capitals() {
    let folder = Folder::new();
    folder
        .write("truth.csv", TRUTH)
        .write("AB.csv", "A,B,Jaccard\nq,p,0.9\nt,s,0.8\n")
        .write("AB.jsonl", "{\"A\":\"q\",\"B\":\"p\"}\n{\"A\":\"t\",\"B\":\"s\"}\n")
        .write("ids.tsv", "ID\tCluster\np\t1\nq\t1\ns\t2\nt\t2\n");
    for list in ["AB.csv", "AB.jsonl", "ids.tsv"] {
        let report = eval(&folder, &format!("{list} --truth truth.csv"));
        assert_eq!(
            (pairs(&report), &report["found"]["header"]),
            (json!([2, 4, 2, 1.0, 0.5, 2.0 / 3.0]), &json!(true))
        );
    }
    assert_eq!(eval(&folder, "AB.csv --truth truth.csv")["by_found"]["column"], "Jaccard");
}

#[test]
fn a_header_of_unknown_columns_is_no_pair() {
    let folder = Folder::new();
    let rows: String = (0..20).map(|row| format!("{},{}\n", row, row + 1000)).collect();
    folder.write("truth.csv", format!("a,b\n{rows}"));
    for header in ["cluster_id,doc_id", "idx,neighbor", "duplicate_id,original_id", "id1,id2"] {
        folder.write("found.csv", format!("{header}\n{rows}"));
        let expected = format!(
            "error: found.csv:1: {}: this line differs from all others; if it is a header, call the columns a and b, or id and \
             cluster, or id and kept_id; if it is a pair, add a header: a and b\n",
            header.replace(',', ", ")
        );
        assert_eq!(folder.run("eval found.csv --truth truth.csv"), failed(1, &expected));
        assert_eq!(folder.run("eval truth.csv --truth found.csv").code, Some(1));
        // The ground truth may have the same first line.
        assert_eq!(folder.run("eval found.csv --truth found.csv").code, Some(1));
    }
    // A first line that looks like the others is a pair, although its ids occur nowhere else.
    folder.write("found.csv", format!("7000,8000\n{rows}"));
    assert_eq!(pairs(&eval(&folder, "found.csv --truth truth.csv"))[2], 20);
    // In a list of few lines, the first line is a pair even if it differs from the others.
    folder.write("found.csv", "x,y\n1,1001\n");
    let ran = folder.run("eval found.csv --truth truth.csv -q");
    assert!(
        ran.stdout.contains("           there is no header, so the first line, x y, counts as a pair\n"),
        "{ran:?}"
    );
    assert_eq!(eval(&folder, "found.csv --truth truth.csv")["found"]["first_line"], json!(["x", "y"]));
}

#[test]
fn clusters_without_a_header_are_no_pairs() {
    let folder = Folder::new();
    let clusters: String = (0..20).map(|row| format!("x{row},{}\n", row / 4)).collect();
    folder.write("found.csv", &clusters).write("truth.csv", "a,b\nx1,x2\n");
    let expected = "error: found.csv: the second column has only 5 different values, and none of them looks like an id; add a header: id and \
                    cluster, or a and b\n";
    for truth in ["truth.csv", "found.csv"] {
        assert_eq!(folder.run(&format!("eval found.csv --truth {truth}")), failed(1, expected));
    }
    folder.write("found.csv", format!("id,cluster\n{clusters}"));
    assert_eq!(pairs(&eval(&folder, "found.csv --truth truth.csv"))[0], 30);
    // This second column has five values, too, but they look like ids, so the lines are pairs.
    let stars: String = (0..20).map(|row| format!("x{row},y{}\n", row / 4)).collect();
    folder.write("found.csv", stars);
    assert_eq!(pairs(&eval(&folder, "found.csv --truth truth.csv"))[0], 20);
}

#[test]
fn a_pipe_is_read_as_a_file_is() {
    let folder = Folder::new();
    folder.write("truth.csv", TRUTH).write("found.tsv", "p\tq\nr\tp\n");
    let shell = |command: &str| {
        let program = env!("CARGO_BIN_EXE_lookalike");
        let mut bash = std::process::Command::new("bash");
        bash.current_dir(folder.path("")).args(["-c", &command.replace("lookalike", program)]);
        let ran = crate::run(bash);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{command}");
        pairs(&serde_json::from_str(&ran.stdout).unwrap())
    };
    for (command, expected) in [
        (
            "lookalike eval <(cat truth.csv) --truth truth.csv -q --format json",
            json!([4, 4, 4, 1.0, 1.0, 1.0]),
        ),
        (
            "gzip -c truth.csv | lookalike eval found.tsv --truth /dev/stdin -q --format json",
            json!([2, 4, 2, 1.0, 0.5, 2.0 / 3.0]),
        ),
        (
            "cat found.tsv | lookalike eval - --truth truth.csv -q --format json",
            json!([2, 4, 2, 1.0, 0.5, 2.0 / 3.0]),
        ),
        (
            "lookalike eval - --truth <(cat found.tsv) -q --format json < truth.csv",
            json!([4, 2, 2, 0.5, 1.0, 2.0 / 3.0]),
        ),
    ] {
        assert_eq!(shell(command), expected, "{command}");
    }
    let expected = "error: standard input is one list only; give a file for the other\n";
    assert_eq!(folder.run("eval - --truth /dev/stdin"), failed(2, expected));
}

#[test]
fn a_list_in_json_is_read_but_not_as_lines() {
    let folder = Folder::new();
    folder.write("truth.csv", TRUTH);
    for list in
        ["[{\"a\":\"p\",\"b\":\"q\"}]\n", "[\n  {\"a\":\"p\",\"b\":\"q\"},\n  {\"a\":\"p\",\"b\":\"r\"}\n]\n"]
    {
        folder.write("found.json", list).write("found.jsonl", list);
        let expected =
            "error: found.jsonl: a JSON array, not one object a line; convert it with jq -c '.[]' FILE\n";
        assert_eq!(folder.run("eval found.jsonl --truth truth.csv"), failed(1, expected));
        assert_eq!(folder.run("eval truth.csv --truth found.jsonl"), failed(1, expected));
        let read = folder.run("eval found.json --truth found.json").stdout;
        assert!(read.contains("precision  1.000000"), "{read}");
        let ran = folder.run_with_input("eval - --truth found.json", list.as_bytes());
        assert!(ran.stdout.contains("recall     1.000000"), "{ran:?}");
    }
}

#[test]
fn lists_of_dedup_and_pairs_are_read_in_every_format() {
    let folder = Folder::new();
    let (page, other) = (words(1), words(2));
    let tail = |words: &str| format!("{page} {words}");
    folder.write("in.jsonl", jsonl(&[&page, &other, &tail("x"), &page, &tail("x y"), &other, &words(3)]));
    assert_eq!(folder.run("pairs in.jsonl -o pairs.jsonl -q"), silent());
    for extension in ["jsonl", "csv", "tsv.gz", "jsonl.zst", "parquet"] {
        let lists = format!("--clusters clusters.{extension} --removed removed.{extension}");
        assert_eq!(folder.run(&format!("dedup in.jsonl -o out.jsonl -q {lists}")), silent());
        assert_eq!(folder.run(&format!("pairs in.jsonl -o again.{extension} -q")), silent());
        for list in ["clusters", "removed", "again"] {
            let report = eval(&folder, &format!("{list}.{extension} --truth pairs.jsonl"));
            assert_eq!(pairs(&report), json!([7, 7, 7, 1.0, 1.0, 1.0]), "{list}.{extension}");
            assert_eq!(index(&report), &json!(1.0));
        }
    }
    assert_eq!(folder.run("dedup in.jsonl -o annotated.jsonl --annotate -q"), silent());
    let report = eval(&folder, "annotated.jsonl --truth pairs.jsonl");
    assert_eq!((pairs(&report), &report["clusters"]["named"]), (json!([7, 7, 7, 1.0, 1.0, 1.0]), &json!(7)));
}

#[test]
fn a_table_of_two_ids_a_line_needs_no_header() {
    let folder = Folder::new();
    folder.write("truth.csv", TRUTH);
    folder.write("found.tsv", "p\tq\t0.9\nr\tp\t0.82\n\ns\tt\t0.8\n");
    let report = eval(&folder, "found.tsv --truth truth.csv");
    assert_eq!(pairs(&report)[2], 3);
    assert_eq!(
        (&report["found"]["header"], &report["by_found"]["column"]),
        (&json!(false), &json!("similarity"))
    );
    folder.write("found.csv", "\u{feff}q,p\r\nr,p\r\n");
    assert_eq!(pairs(&eval(&folder, "found.csv --truth truth.csv"))[2], 2);
    // The ids of these documents are names of columns.
    folder.write("ab.tsv", "a\tb\t0.9\nb\tc\t0.9\n");
    assert_eq!(pairs(&eval(&folder, "ab.tsv --truth ab.tsv"))[0], 2);
    let ran = folder.run("eval found.csv --truth truth.csv -q");
    assert!(
        ran.stdout.contains("           there is no header, so the first line, q p, counts as a pair\n"),
        "{ran:?}"
    );
}

#[test]
fn ids_may_be_numbers_and_a_list_may_be_several_files() {
    let folder = Folder::new();
    folder
        .write("shards/1.jsonl", "{\"a\":1,\"b\":2,\"score\":0.5}\n")
        .write("shards/2.csv", "b,a,score\n4,3,0.9\n");
    folder
        .write("truth.tsv", "2\t1\n3\t4\n")
        .write("other/1.csv", "a,b\n1,2\n")
        .write("other/2.csv", "id,cluster\n1,2\n");
    let report = eval(&folder, "shards --truth truth.tsv");
    assert_eq!(pairs(&report), json!([2, 2, 2, 1.0, 1.0, 1.0]));
    assert_eq!(report["by_found"]["bins"][0]["from"], 0.5);
    let expected =
        "error: other/1.csv and other/2.csv have different columns; a list has the same in all its files\n";
    assert_eq!(folder.run("eval other --truth truth.tsv"), failed(1, expected));
    let ran = folder.run_with_input("eval - --truth truth.tsv -q", b"{\"a\":1,\"b\":2}\n");
    assert!(ran.stdout.starts_with("found      -: 1 pair in 1 cluster"), "{ran:?}");
}

#[test]
fn broken_lines_are_skipped_and_named_and_strict_stops_at_the_first() {
    let folder = Folder::new();
    folder.write("truth.tsv", "p\tq\t0.9\np\nr\ts\tno number\n\tq\t1\n");
    folder.write("found.jsonl", "{\"a\":\"p\",\"b\":\"q\"}\n{\"a\":\"p\"}\n{\"b\":\"p\"}\n{\n{\"a\":true,\"b\":\"p\"}\n{\"a\":\"\",\"b\":\"p\"}\n");
    let ran = folder.run("eval found.jsonl --truth truth.tsv -q --summary summary.json");
    let expected = "\
skipped found.jsonl:2: no id in field \"b\": it must hold a text or a number
skipped found.jsonl:3: no field \"a\"; fields seen: b
skipped found.jsonl:4: broken JSON: an object is not closed, at column 1
skipped found.jsonl:5: field \"a\" is a boolean, not text
skipped found.jsonl:6: no id in field \"a\": it must hold a text or a number
skipped truth.tsv:2: the row has 1 field, and the first row has 3
skipped truth.tsv:4: no id in field \"a\": it must hold a text or a number
";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(3), expected));
    let summary = folder.summary();
    assert_eq!((pairs(&summary), &summary["skipped"]), (json!([1, 2, 1, 1.0, 0.5, 2.0 / 3.0]), &json!(7)));
    assert_eq!(summary["by_truth"]["outside"], 1);
    assert!(summary["seconds"]["total"].is_number() && summary["bytes"].is_number());
    let ran = folder.run("eval found.jsonl --truth truth.tsv --strict --wrong wrong.csv");
    let expected = "error: found.jsonl:2: no id in field \"b\": it must hold a text or a number\n  \
                    hint: without --strict the run goes on and counts such records\n";
    assert_eq!(ran, failed(1, expected));
    assert!(!exists(&folder.path("wrong.csv")));
}

#[test]
fn a_file_that_is_no_list_is_refused_with_the_columns_it_has() {
    let folder = Folder::new();
    folder
        .write("truth.csv", TRUTH)
        .write("in.jsonl", jsonl(&[words(1)]))
        .write("in.csv", "one,two,three\n1,2,3\n");
    let hint = "  hint: a list has columns a and b, or id and cluster, or id and kept_id; CSV and TSV without a header have two \
                ids a line, and perhaps a similarity\n";
    let expected = format!("error: in.jsonl: no list of pairs or clusters; columns seen: id, text\n{hint}");
    assert_eq!(folder.run("eval in.jsonl --truth truth.csv"), failed(1, &expected));
    let expected =
        format!("error: in.csv: no list of pairs or clusters; columns seen: one, two, three\n{hint}");
    assert_eq!(folder.run("eval truth.csv --truth in.csv"), failed(1, &expected));
    folder.write("in.txt", "p q\n");
    let expected = "error: in.txt: unknown format; end the name in .jsonl .ndjson .json .csv .tsv .parquet\n";
    assert_eq!(folder.run("eval in.txt --truth truth.csv"), failed(1, expected));
    let expected = "error: gone.csv: no such file or folder; check the path, or quote it if it is a glob\n";
    assert_eq!(folder.run("eval gone.csv --truth truth.csv"), failed(1, expected));
    assert_eq!(folder.run("eval truth.csv --truth gone.csv"), failed(1, expected));
}
