//! The text of a page in memory is the one that reading a file gives.

use std::{fs, path::Path};

use lookalike_corpus::{Fields, Inputs, Reader, Scan, Scratch, Waiting, read_text};
use lookalike_html::{Extract, html_text};
use proptest::prelude::*;

fn texts_in(path: &Path) -> Vec<String> {
    let inputs = Inputs::resolve(&[path.to_str().unwrap().to_owned()], &Waiting::default()).unwrap();
    let fields = Fields::of_text("text");
    let reader = Reader::new(&inputs, &fields, Scan::Documents);
    let (mut scratch, mut texts) = (Scratch::default(), Vec::new());
    while let Some(chunk) = reader.next().unwrap() {
        let mut loaded = chunk.load(&mut scratch).unwrap();
        loaded.for_each(|record| texts.push(record.unwrap().text.to_owned()));
    }
    texts
}

/// Parts of pages: tags, words in several character sets, and any bytes.
fn page() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        prop::sample::select(vec![
            &b"<p>"[..],
            b"<b>",
            b"</b>",
            b"<pre>",
            b"</pre>",
            b"<script>x</script>",
            b"<style>",
            b"<title>T</title>",
            b"<meta charset=koi8-r>",
            b"<meta charset=utf-8>",
            b"<meta http-equiv=content-type content='text/html; charset=shift_jis'>",
            b"<td>",
            b"<br>",
            b"<!-- c -->",
            b"&egrave;",
            b"&#8364;",
            b"&",
            b"\xef\xbb\xbf",
            b"caf\xe9",
            b"\x93\xfa\x96\x7b",
            "日本語".as_bytes(),
            b" \n\t ",
        ])
        .prop_map(<[u8]>::to_vec),
        "[a-z ]{0,12}".prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..8),
    ];
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

fn content_type() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "text/html",
        "text/html; charset=latin1",
        "text/html;charset=\"UTF-8\"",
        "text/html; charset=?",
    ])
}

proptest! {
    #[test]
    fn the_text_of_a_page_is_that_of_a_file_and_of_an_archive(page in page(), content_type in content_type()) {
        let folder = tempfile::tempdir().unwrap();
        let mut text = String::from("before");
        html_text(&page, None, &mut text);
        let file = folder.path().join("page.html");
        fs::write(&file, &page).unwrap();
        // A page may have the first bytes of a compressed file. Such a file is another one.
        prop_assume!(!page.starts_with(b"\x1f\x8b") && !page.starts_with(b"BZh"));
        prop_assert_eq!(texts_in(&file), [text.as_str()]);
        prop_assert_eq!(read_text(&file, Extract::All).unwrap(), text);

        let mut text = String::new();
        html_text(&page, Some(content_type), &mut text);
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n\r\n");
        let record = format!(
            "WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http; msgtype=response\r\n\
             WARC-Target-URI: http://a/\r\nContent-Length: {}\r\n\r\n{head}",
            head.len() + page.len()
        );
        let archive = folder.path().join("pages.warc");
        fs::write(&archive, [record.as_bytes(), &page, b"\r\n\r\n"].concat()).unwrap();
        prop_assert_eq!(texts_in(&archive), [text]);
    }
}
