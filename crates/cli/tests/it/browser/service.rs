//! The pages of `lookalike serve`, opened from a running service: they show what they should, fit on the screen, work with the keyboard alone,
//! log no error, ask no other host, and show hostile texts harmlessly.

use super::chromium::Chromium;
use super::installed::{WIDTHS, browser};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// An id, and a part of a text, that would run a script or reorder the page if they were taken for markup.
const HOSTILE: &str = "\"><img src=x onerror=attacked=1><script>attacked=1</script>\u{202e}reversed";

/// `lookalike serve`.
struct Service {
    child: Child,
    address: String,
}

impl Service {
    fn start(folder: &Path, options: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lookalike"));
        command.current_dir(folder).args(["serve", "--listen", "127.0.0.1:0", "--index"]).args(options);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split(';').next());
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        Service { child, address }
    }

    /// Adds documents.
    fn add(&self, documents: &[Value], headers: &str) {
        for document in documents {
            let body = document.to_string();
            let mut stream = TcpStream::connect(&self.address).unwrap();
            let request = format!(
                "POST /v1/documents HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n\
                 {headers}content-length: {}\r\n\r\n{body}",
                body.len()
            );
            stream.write_all(request.as_bytes()).unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            assert!(answer.starts_with("HTTP/1.1 20"), "{answer}");
        }
    }

    fn page(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The text of a family. Versions of it are similar, and any two share three passages.
fn text(family: u32, version: usize) -> String {
    let mut words: Vec<String> = (0..400).map(|word| format!("f{family}w{word}")).collect();
    for word in &mut words[20 + 30 * version..][..15] {
        word.push_str("changed");
    }
    words[200] = HOSTILE.to_owned();
    words[300] = "long".repeat(200);
    words.join(" ")
}

fn documents() -> Vec<Value> {
    let hostile = json!({ "id": HOSTILE, "text": text(3, 0), "title": HOSTILE, "meta": { HOSTILE: HOSTILE }, "url": format!("https://a.example/{HOSTILE}") });
    let document = |id: &str, family, version| json!({ "id": id, "text": text(family, version) });
    vec![
        document("one", 1, 0),
        document("one/again", 1, 1),
        document("two", 2, 0),
        hostile,
        document("three", 3, 1),
    ]
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Checks what holds for all pages at any time.
fn check_page(chromium: &mut Chromium, service: &Service, width: u32) {
    let own = format!("http://{}/", service.address);
    assert_eq!(chromium.complaints, Vec::<String>::new());
    assert!(chromium.requests.iter().all(|request| request.starts_with(&own)), "{:?}", chromium.requests);
    assert_eq!(chromium.evaluate("'attacked' in window"), false);
    let scrolls = chromium.evaluate("document.scrollingElement.scrollWidth").as_u64().unwrap();
    let page = chromium.evaluate("location.href");
    assert!(scrolls <= width.into(), "{page} is {scrolls} pixels wide on a screen of {width}");
    let nameless = "[...document.querySelectorAll('input, textarea, select, button')].filter(one => one.checkVisibility() \
        && !one.labels?.length && !one.ariaLabel && !one.textContent).length";
    assert_eq!(chromium.evaluate(nameless), 0, "{page}: every control has a name");
}

#[test]
#[ignore = "needs Chromium: ./test servers"]
fn every_page_shows_what_it_should_at_both_widths_in_light_and_dark() {
    let browser = browser();
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(folder.path(), &["seen.index", "--mode", "all"]);
    service.add(&documents(), "");
    let hostile = encoded(HOSTILE);
    let pages = [
        ("/".to_owned(), "Paste a text, or name a document."),
        (format!("/#text={}", encoded(&text(1, 2))), "has a similarity of 0."),
        (format!("/#text={}", encoded(&text(3, 0))), "has the same shingles"),
        ("/#text=nothing+of+this+kind+is+there+at+all".to_owned(), "there is no candidate"),
        ("/?kind=id&of=one".to_owned(), "1 other document of the index is similar to it."),
        ("/document?id=one%2Fagain".to_owned(), "because it was added first"),
        (format!("/document?id={hostile}"), "U+202E"),
        (format!("/compare?a={hostile}&b=three&passage=2"), "Passage 2 of"),
        ("/compare?a=one&b=two".to_owned(), "Not a pair"),
        ("/index".to_owned(), "The service is ready"),
        ("/events".to_owned(), "Compare the two"),
    ];
    let mut chromium = Chromium::start(browser);
    for (scheme, background) in [("light", "rgb(251, 250, 247)"), ("dark", "rgb(23, 24, 26)")] {
        for width in WIDTHS {
            chromium.set_screen(width, scheme);
            for (path, expected) in &pages {
                chromium.open("about:blank");
                chromium.open(&service.page(path));
                chromium.wait_for_text(expected);
                chromium.wait_for("!document.querySelector('[aria-busy=true]')");
                // On a busy machine the text may be there before the style.
                chromium
                    .wait_for(&format!("getComputedStyle(document.body).backgroundColor === '{background}'"));
                check_page(&mut chromium, &service, width);
            }
        }
    }
}

#[test]
#[ignore = "needs Chromium: ./test servers"]
fn a_reader_asks_with_the_keyboard_alone_and_goes_back() {
    let browser = browser();
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(folder.path(), &["seen.index", "--mode", "all"]);
    service.add(&documents(), "");
    let mut chromium = Chromium::start(browser);
    chromium.set_screen(WIDTHS[1], "light");
    chromium.open(&service.page("/"));
    chromium.wait_for_text("Paste a text");
    chromium.tab_to("skip");
    chromium.press("Enter");
    chromium.wait_for("document.activeElement.id === 'main'");
    chromium.tab_to("text");
    chromium.write(&text(1, 3));
    chromium.wait_for_text("Duplicate: one has a similarity of");
    chromium.wait_for("document.querySelectorAll('.side mark').length > 1");
    let first = chromium.evaluate("location.href");
    chromium.evaluate("document.querySelector('#matches tr:nth-child(2) [href*=match]').focus()");
    chromium.press("Enter");
    chromium.wait_for("document.querySelector('#side-b').innerText === 'B: one/again'");
    chromium.evaluate("document.querySelector('.bar button').focus()");
    chromium.press("n");
    chromium.wait_for("document.querySelectorAll('.passage.current').length === 2");
    chromium.press("n");
    chromium.wait_for("new URLSearchParams(location.search).get('passage') === '2'");
    chromium.evaluate("history.back()");
    chromium.wait_for("document.querySelector('#side-b').innerText === 'B: one'");
    assert_eq!(chromium.evaluate("location.href"), first);
    check_page(&mut chromium, &service, WIDTHS[1]);
}

#[test]
#[ignore = "needs Chromium: ./test servers"]
fn a_page_asks_for_a_key_and_explains_missing_clusters() {
    let browser = browser();
    let folder = tempfile::tempdir().unwrap();
    // The SHA-256 of "writer".
    let key = "w write b93006774cbdd4b299389a03ac3d88c3a76b460d538795bc12718011a909fba5\n";
    std::fs::write(folder.path().join("keys"), key).unwrap();
    let service = Service::start(folder.path(), &["seen.index", "--keys", "keys"]);
    service.add(&documents(), "authorization: Bearer writer\r\n");
    let mut chromium = Chromium::start(browser);
    chromium.set_screen(WIDTHS[0], "dark");
    chromium.open(&service.page("/document?id=one"));
    chromium.wait_for_text("This service needs a key.");
    for (key, expected) in
        [("wrong", "The service does not know this key."), ("writer", "in the mode unique")]
    {
        chromium.wait_for("document.activeElement.id === 'key'");
        chromium.write(key);
        chromium.press("Enter");
        chromium.wait_for_text(expected);
    }
    chromium.open(&service.page("/events"));
    chromium.wait_for_text("Its text was not stored.");
    service.add(&[json!({ "id": "later", "text": text(9, 0) })], "authorization: Bearer writer\r\n");
    chromium.wait_for_text("later");
    assert!(
        chromium.complaints.iter().all(|complaint| complaint.contains("401")),
        "{:?}",
        chromium.complaints
    );
}
