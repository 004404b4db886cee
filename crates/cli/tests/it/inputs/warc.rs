//! Web archives through the whole program.

use std::io::{Read, Write};

use crate::{Folder, Ran, failed, jsonl, silent, words};

/// A record whose header has these lines and the length of the content.
fn record(header: &[&str], block: impl AsRef<[u8]>) -> Vec<u8> {
    let block = block.as_ref();
    let mut head = format!("WARC/1.0\r\n{}\r\n", header.join("\r\n"));
    head += &format!("Content-Length: {}\r\n\r\n", block.len());
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// A response with status 200 and these HTTP fields.
fn response(uri: &str, fields: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let http = format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n");
    let header = [
        "WARC-Type: response",
        &format!("WARC-Target-URI: {uri}"),
        &format!("WARC-Record-ID: <urn:{}>", uri.len()),
        "Content-Type: application/http; msgtype=response",
    ];
    record(&header, [http.as_bytes(), body.as_ref()].concat())
}

fn page(uri: &str, text: &str) -> Vec<u8> {
    let body = format!("<!doctype html><title>{uri}</title><p>{}</p>", text.replace(' ', " <b></b>"));
    response(uri, "Content-Type: text/html; charset=utf-8", body)
}

/// A record of a type that is no document.
fn other(kind: &str, block: &str) -> Vec<u8> {
    record(&[&format!("WARC-Type: {kind}"), "Content-Type: application/warc-fields"], block)
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// The content of each member of a gzip file.
fn members(mut file: &[u8]) -> Vec<Vec<u8>> {
    let mut members = Vec::new();
    while !file.is_empty() {
        let mut decoder = flate2::bufread::GzDecoder::new(file);
        let mut member = Vec::new();
        decoder.read_to_end(&mut member).unwrap();
        file = decoder.into_inner();
        members.push(member);
    }
    members
}

/// A crawl whose third page is a copy of the first, with the other records that crawlers write.
fn crawl() -> Vec<Vec<u8>> {
    vec![
        other("warcinfo", "software: a test"),
        other("request", "GET / HTTP/1.1\r\n\r\n"),
        page("http://a/1", &words(1)),
        page("http://a/2", &words(2)),
        response("http://a/image", "Content-Type: image/png", b"\x89PNG\r\n\r\n\xff"),
        page("http://a/3", &words(1)),
        other("metadata", "fetchTimeMs: 12"),
    ]
}

#[test]
fn copies_are_removed_and_every_other_record_stays_the_same() {
    let folder = Folder::new();
    let records = crawl();
    folder.write("in.warc", records.concat());
    let ran = folder.run("dedup in.warc -o out.warc --removed removed.csv --summary summary.json");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("4 records of archives that are no documents"), "{}", ran.stderr);
    let summary = folder.summary();
    assert_eq!((&summary["documents"], &summary["other_records"]), (&3.into(), &4.into()));
    let expected = [&records[..5], &records[6..]].concat().concat();
    assert_eq!(folder.read_bytes("out.warc"), expected);
    assert!(folder.read("removed.csv").ends_with("\nhttp://a/3,http://a/1,1,1.000000,1.000000,0,\n"));
}

#[test]
fn gzip_is_read_and_written_with_a_member_for_each_record() {
    let folder = Folder::new();
    let records = crawl();
    let compressed: Vec<Vec<u8>> = records.iter().map(|record| gzip(record)).collect();
    folder.write("in.warc.gz", compressed.concat());
    let expected = [&records[..5], &records[6..]].concat();
    for input in ["in.warc.gz", "whole.warc"] {
        folder.write("whole.warc", gzip(&records.concat()));
        assert_eq!(folder.run(&format!("dedup {input} -o out.warc.gz -q")), silent());
        assert_eq!(members(&folder.read_bytes("out.warc.gz")), expected);
    }
    assert_eq!(folder.run("dedup in.warc.gz -o kept -q"), silent());
    assert_eq!(members(&folder.read_bytes("kept/in.warc.gz")), expected);
    // Standard input and output and files of unknown extension have the format that their content shows.
    let ran = folder.run_with_input("dedup - -o out.warc.zst -q", &compressed.concat());
    assert_eq!(ran, silent());
    folder.write("crawl.part", folder.read_bytes("out.warc.zst"));
    assert_eq!(folder.run("dedup crawl.part -o again.warc -q"), silent());
    assert_eq!(folder.read_bytes("again.warc"), expected.concat());
    let mut command = folder.command("dedup in.warc.gz -o - -q");
    assert_eq!(command.output().unwrap().stdout, expected.concat());
}

#[test]
fn several_archives_are_one_corpus_and_may_become_one_file() {
    let folder = Folder::new();
    // The last record of the first file lacks its line ends, which the joined file needs.
    let first = page("http://a", &words(1));
    folder.write("1.warc", &first[..first.len() - 4]);
    folder.write("2.warc.gz", gzip(&[page("http://b", &words(1)), page("http://c", &words(2))].concat()));
    assert_eq!(folder.run("dedup 1.warc 2.warc.gz -o out.warc -q"), silent());
    assert_eq!(folder.read_bytes("out.warc"), [first, page("http://c", &words(2))].concat());
    let expected = "{\"a\":\"http://a\",\"b\":\"http://b\",\"jaccard\":1.000000}\n";
    assert_eq!(folder.run("pairs 1.warc 2.warc.gz -q"), Ran { stdout: expected.to_owned(), ..silent() });
    let ran = folder.run("compare http://a http://c --in 1.warc --in 2.warc.gz --format json -q");
    assert!(ran.stdout.starts_with("{\"a\":{\"name\":\"http://a\""), "{ran:?}");
}

#[test]
fn conversion_records_are_documents() {
    let folder = Folder::new();
    let text = |uri: &str, text: &str| {
        let header =
            ["WARC-Type: conversion", &format!("WARC-Target-URI: {uri}"), "Content-Type: text/plain"];
        gzip(&record(&header, text))
    };
    let info = gzip(&other("warcinfo", "software: a test"));
    folder.write("in.wet.gz", [info, text("http://a", &words(1)), text("http://b", &words(1))].concat());
    let expected = "{\"a\":\"http://a\",\"b\":\"http://b\",\"jaccard\":1.000000}\n";
    assert_eq!(folder.run("pairs in.wet.gz -q"), Ran { stdout: expected.to_owned(), ..silent() });
}

#[test]
fn any_header_may_be_the_id_and_records_without_it_have_a_number() {
    let folder = Folder::new();
    let anonymous = record(&["WARC-Type: resource", "Content-Type: text/plain"], words(1));
    folder.write("in.warc", [page("http://a/long", &words(1)), anonymous].concat());
    folder.write("in.jsonl", jsonl(&[words(1)]));
    let ids = |arguments: &str| {
        let ran = folder.run(&format!("pairs in.warc in.jsonl -q {arguments}"));
        let rows = ran.stdout.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        rows.map(|row| format!("{} {}", row["a"].as_str().unwrap(), row["b"].as_str().unwrap()))
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(""), ["http://a/long in.warc:2", "http://a/long a", "in.warc:2 a"]);
    assert_eq!(ids("--id-field warc-record-id")[0], "urn:13 in.warc:2");
    let ran = folder.run("dedup in.warc in.jsonl -o out --keep max:Content-Length --removed removed.csv -q");
    assert_eq!(ran, silent());
    assert!(folder.read("removed.csv").contains("\na,http://a/long,1,"));
}

#[test]
fn encoded_pages_have_the_same_text_as_plain_ones() {
    let folder = Folder::new();
    let text = format!("naïve café {}", words(1));
    let latin: Vec<u8> = text.chars().map(|letter| letter as u8).collect();
    let html = format!("<p>{text}");
    let chunked = format!("5\r\n{}\r\n{:x}\r\n{}\r\n0\r\n\r\n", &html[..5], html.len() - 5, &html[5..]);
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    zlib.write_all(html.as_bytes()).unwrap();
    let archive = [
        page("plain", &text),
        response("gzip", "content-type: text/html\r\ncontent-encoding: gzip", gzip(html.as_bytes())),
        response("deflate", "Content-Type: text/html\r\nContent-Encoding: deflate", zlib.finish().unwrap()),
        response("chunked", "Content-Type: text/html\r\nTransfer-Encoding: chunked", chunked),
        response("header", "Content-Type: text/plain; charset=iso-8859-1", &latin),
        response("meta", "Content-Type: text/html", [b"<meta charset=latin1>", &latin[..]].concat()),
        response("guessed", "Content-Type: application/xhtml+xml", &latin),
        response(
            "fields",
            "Content-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Encoding: gzip",
            gzip(&gzip(html.as_bytes())),
        ),
    ];
    folder.write("in.warc", archive.concat());
    let ran = folder.run("dedup in.warc -o out.warc --removed removed.csv -q");
    assert_eq!(ran, silent());
    let removed = folder.read("removed.csv");
    let ids: Vec<&str> = removed.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(ids, ["gzip", "deflate", "chunked", "header", "meta", "guessed", "fields"]);
    assert!(removed.lines().skip(1).all(|line| line.ends_with(",plain,1,1.000000,1.000000,0,")), "{removed}");
}

#[test]
fn the_xml_declaration_of_a_page_names_its_character_set() {
    let folder = Folder::new();
    let text = (0..40).map(|word| format!("слово{word} ")).collect::<String>();
    let cyrillic = |letter: char| match letter {
        'а'..='я' => (letter as u32 - 'а' as u32) as u8 + 0xe0,
        _ => letter as u8,
    };
    let declaration = "<?xml version=\"1.0\" encoding=\"windows-1251\"?><html><body><p>".chars();
    let page = |uri: &str, kind: &str| {
        response(
            uri,
            &format!("Content-Type: {kind}"),
            declaration.clone().chain(text.chars()).map(cyrillic).collect::<Vec<_>>(),
        )
    };
    let archive = [
        response("plain", "Content-Type: text/html; charset=utf-8", format!("<p>{text}")),
        page("declared", "text/html"),
        page("header", "text/html; charset=latin1"),
    ];
    folder.write("in.warc", archive.concat());
    let expected = "{\"a\":\"plain\",\"b\":\"declared\",\"jaccard\":1.000000}\n";
    assert_eq!(folder.run("pairs in.warc -q"), Ran { stdout: expected.to_owned(), ..silent() });
}

#[test]
fn a_response_whose_body_is_cut_is_a_document_of_what_can_be_decoded() {
    let folder = Folder::new();
    let html = |seed| {
        format!(
            "<p>{}",
            (0..2000).map(|word| format!("w{} ", (word * word + seed) % 7919)).collect::<String>()
        )
    };
    let half = |body: Vec<u8>| body[..body.len() / 2].to_vec();
    let gzipped = "Content-Type: text/html\r\nContent-Encoding: gzip";
    let [page, other] = [html(1), html(2)];
    let records = [
        response("whole", "Content-Type: text/html", &page),
        response("end", gzipped, {
            let body = gzip(page.as_bytes());
            body[..body.len() - 8].to_vec()
        }),
        response("half", gzipped, half(gzip(other.as_bytes()))),
        response(
            "chunks",
            "Content-Type: text/html\r\nTransfer-Encoding: chunked",
            format!("{:x}\r\n{page}", page.len() + 1),
        ),
        response("nothing", gzipped, &gzip(page.as_bytes())[..12]),
    ];
    folder.write("in.warc", records.concat());
    assert_eq!(folder.run("dedup in.warc -o out.warc --removed removed.csv -q"), silent());
    let removed = folder.read("removed.csv");
    let ids: Vec<&str> = removed.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(ids, ["end", "chunks"]);
    let expected = [&records[..1], &records[2..3], &records[4..]].concat().concat();
    assert_eq!(folder.read_bytes("out.warc"), expected);
}

#[test]
fn unreadable_records_are_named_and_the_others_are_read() {
    let folder = Folder::new();
    let (first, last) = (page("http://first", &words(1)), page("http://last", &words(2)));
    let wrong = |length: &str| {
        let text = String::from_utf8(page("http://wrong", &words(3))).unwrap();
        let start = text.find("Content-Length").unwrap();
        let end = start + text[start..].find('\r').unwrap();
        format!("{}{length}{}", &text[..start], &text[end..]).into_bytes()
    };
    let bomb = gzip(&vec![b' '; (64 << 20) + 1]);
    // A record stays if it is one: other programs may read its content.
    let (gone, stays) = (false, true);
    for (kept, broken, problem) in [
        (gone, b"garbage\nWARC/x\n".to_vec(), "no WARC record starts here; reading goes on at the next one"),
        (gone, wrong("X: y"), "the WARC record has no Content-Length"),
        (gone, wrong("Content-Length: -1"), "Content-Length of the WARC record is \"-1\", not a number"),
        (gone, wrong("Content-Length: 100"), "the record does not end after 100 bytes, as its head says"),
        (gone, wrong("Content-Length: 1000"), "the record does not end after 1,000 bytes, as its head says"),
        (
            stays,
            response("http://x", "Content-Type: text/html\r\nContent-Encoding: x-new", "1"),
            "the body of the response is encoded as \"x-new\"; gzip, deflate, br and zstd can be read",
        ),
        (
            stays,
            response("http://x", "Content-Type: text/html\r\nContent-Encoding: gzip", bomb),
            "the body of the response has more than 64 MiB when it is decoded",
        ),
        (
            stays,
            record(&["WARC-Type: response"], "not http"),
            "the response is not HTTP, or its header has no end",
        ),
    ] {
        folder.write("in.warc", [&first[..], &broken, &last].concat());
        let ran = folder.run("dedup in.warc -o out.warc -q");
        assert_eq!(ran, Ran { code: Some(3), ..failed(3, &format!("skipped in.warc:2: {problem}\n")) });
        let kept = if kept { &broken[..] } else { b"" };
        assert_eq!(folder.read_bytes("out.warc"), [&first[..], kept, &last].concat(), "{problem}");
    }
    let ran = folder.run("dedup in.warc -o out.warc --strict");
    assert!(ran.stderr.starts_with("error: in.warc:2: the response is not HTTP"), "{}", ran.stderr);
}

#[test]
fn a_truncated_archive_gives_every_record_before_its_end() {
    let folder = Folder::new();
    let (first, second) = (page("http://first", &words(1)), page("http://second", &words(2)));
    folder.write("in.warc", [&first[..], &second[..second.len() - 50]].concat());
    let ran = folder.run("dedup in.warc -o out.warc -q");
    assert!(ran.stderr.starts_with("skipped in.warc:2: the record has "), "{}", ran.stderr);
    assert_eq!((ran.code, folder.read_bytes("out.warc")), (Some(3), first.clone()));
    let cut = gzip(&second);
    folder.write("in.warc.gz", [gzip(&first), cut[..cut.len() / 2].to_vec()].concat());
    let ran = folder.run("dedup in.warc.gz -o out.warc -q");
    let expected =
        "skipped in.warc.gz:2: the file ends here, in the middle of its compressed data: it is cut off\n";
    assert!(ran.stderr.starts_with(expected) && ran.stderr.lines().count() == 1, "{}", ran.stderr);
    assert_eq!((ran.code, folder.read_bytes("out.warc")), (Some(3), first));
}

#[test]
fn an_archive_without_documents_stays_as_it_is() {
    let folder = Folder::new();
    let moved = |block: &str| {
        let header = ["WARC-Type: response", "Content-Type: application/http"];
        record(&header, format!("HTTP/1.1 {block}"))
    };
    let records = [
        other("warcinfo", ""),
        moved("301 Moved\r\nContent-Type: text/html\r\n\r\n<p>moved"),
        other("revisit", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"),
        record(&["WARC-Type: response", "Content-Type: text/dns"], "20240101 example.org. 1.2.3.4"),
    ];
    folder.write("in.warc", records.concat()).write("empty.warc.gz", gzip(b""));
    assert_eq!(folder.run("dedup in.warc -o out.warc.gz -q"), silent());
    assert_eq!(members(&folder.read_bytes("out.warc.gz")), records);
    assert_eq!(folder.run("dedup empty.warc.gz -o out.warc.gz -q"), silent());
    assert_eq!(members(&folder.read_bytes("out.warc.gz")), [b""]);
    assert_eq!(folder.run("pairs in.warc -q"), silent());
}

#[test]
fn headers_are_read_in_any_case_with_any_line_ends_and_folded() {
    let folder = Folder::new();
    let text = words(1);
    let record = |head: &str, uri: &str| {
        format!("WARC/0.18{head}content-length : {}{head}warc-target-uri:{uri}", text.len())
    };
    let lines = |end: &str, uri: &str| {
        let head = record(end, uri);
        format!(
            "{head}{end}WARC-Type: conversion{end}Content-Type:{end}  text/plain{end}{end}{text}{end}{end}"
        )
    };
    folder.write("in.warc", lines("\n", "<http://a>") + &lines("\r\n", "http://b"));
    let expected = "{\"a\":\"http://a\",\"b\":\"http://b\",\"jaccard\":1.000000}\n";
    assert_eq!(folder.run("pairs in.warc -q"), Ran { stdout: expected.to_owned(), ..silent() });
    assert_eq!(folder.run("dedup in.warc -o out.warc -q"), silent());
    assert_eq!(folder.read("out.warc"), lines("\n", "<http://a>"));
}

#[test]
fn fifty_megabytes_in_one_record_are_one_document() {
    let folder = Folder::new();
    let long: String = (0..7_000_000).map(|i| format!("w{} ", i % 997_331)).collect();
    assert!(long.len() > 50_000_000);
    let long = |uri: &str| response(uri, "Content-Type: text/html", format!("<p>{long}"));
    let (first, second) = (long("http://a"), page("http://b", &words(1)));
    folder.write("in.warc", [&first[..], &second, &long("http://c")].concat());
    assert_eq!(folder.run("dedup in.warc -o out.warc -q"), silent());
    assert!(folder.read_bytes("out.warc") == [first, second].concat());
}

#[test]
fn outputs_are_the_same_with_any_number_of_threads() {
    let folder = Folder::new();
    for name in ["1.warc.gz", "2.warc.gz"] {
        let record = |seed: usize| match seed % 5 {
            0 => other("metadata", &format!("n: {seed}")),
            1 if seed.is_multiple_of(3) => b"garbage\r\n".to_vec(),
            // The texts are long, so there are many chunks.
            _ => page(&format!("http://{name}/{seed}"), &format!("{} {seed}", words(seed % 97)).repeat(9)),
        };
        folder.write(name, (0..2_000).flat_map(|seed| gzip(&record(seed))).collect::<Vec<_>>());
    }
    let outputs = [1, 2, 5].map(|threads| {
        let ran = folder.run(&format!(
            "dedup 1.warc.gz 2.warc.gz -o out.warc.gz --removed removed.csv -q --threads {threads}"
        ));
        assert_eq!(ran.code, Some(3));
        (ran.stderr, folder.read_bytes("out.warc.gz"), folder.read("removed.csv"))
    });
    assert!(outputs[0].2.lines().count() > 1_000 && members(&outputs[0].1).len() > 800);
    assert!(outputs.iter().all(|output| *output == outputs[0]));
}

#[test]
fn archives_cannot_become_another_format() {
    let folder = Folder::new();
    folder.write("in.warc", page("http://a", &words(1)));
    let expected = "error: in.warc: only JSONL, JSON arrays, Parquet, Arrow, CSV and TSV can be annotated; write the clusters to a file of their own \
                    instead\n  hint: leave out --annotate, and give --clusters FILE\n";
    assert_eq!(folder.run("dedup in.warc -o out.warc --annotate"), failed(1, expected));
    let expected = "error: out.jsonl: kept records stay in their format, WARC, and are not converted; end the name in .warc .wet\n";
    assert_eq!(folder.run("dedup in.warc -o out.jsonl"), failed(1, expected));
    assert_eq!(folder.names(), ["in.warc"]);
}

#[test]
fn pages_of_an_archive_are_compared_by_the_part_that_was_asked_for() {
    let folder = Folder::new();
    let page = |uri: &str, text: &str| {
        let body = format!("<nav>{}</nav><p>{text}</p><footer>{}</footer>", words(7), words(8));
        response(uri, "Content-Type: text/html; charset=utf-8", body)
    };
    folder.write("crawl.warc", [page("http://a/1", &words(1)), page("http://a/2", &words(2))].concat());
    let pairs = |extract: &str| {
        folder.run(&format!("pairs crawl.warc -q --threshold 0.3 {extract}")).stdout.lines().count()
    };
    assert_eq!([pairs(""), pairs("--extract all"), pairs("--extract blocks")], [1, 1, 0]);
}

#[test]
fn records_about_the_crawl_are_documents_only_if_asked_for_and_stay_in_the_archive() {
    let folder = Folder::new();
    let text = words(1);
    let resource = |target: &str, text: &str| {
        let target = format!("WARC-Target-URI: {target}");
        record(&["WARC-Type: resource", &target, "Content-Type: text/plain"], text)
    };
    let archive = [
        resource("http://example.org/", &text),
        resource("urn:text:http://example.org/", &text),
        resource("metadata://gnu.org/software/wget/warc/wget.log", &words(2)),
    ];
    folder.write("in.warc", archive.concat());
    for (option, documents, removed) in [("", 1, 0), ("--all-records", 3, 1)] {
        let ran = folder.run(&format!("dedup in.warc -o out.warc -q --summary summary.json {option}"));
        assert_eq!(ran, silent());
        let summary = folder.summary();
        assert_eq!([&summary["documents"], &summary["removed"]], [documents, removed], "{option}");
        assert_eq!(folder.read("out.warc").matches("WARC/1.0").count(), 3 - removed, "{option}");
    }
}
