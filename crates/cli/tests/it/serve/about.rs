//! What batch stores of a document besides its text is what the service gives.

use super::{Server, text};
use crate::{Folder, failed, silent};
use serde_json::{Value, json};

/// What the service knows of a document, without its text.
fn about(server: &Server, id: &str) -> Value {
    let (status, body) = server.client().ask("GET", &format!("/v1/documents/{id}"), "").unwrap();
    assert_eq!(status, 200, "{body}");
    let document: Value = serde_json::from_str(&body).unwrap();
    let fields = ["url", "title", "priority", "meta"];
    let given = fields.into_iter().filter_map(|field| Some((field.to_owned(), document.get(field)?.clone())));
    Value::Object(given.filter(|(_, value)| !value.is_null()).collect())
}

fn lines(documents: &[Value]) -> String {
    documents.iter().map(|document| document.to_string() + "\n").collect()
}

#[test]
fn url_title_priority_and_metadata_of_batch_are_those_that_the_service_gives() {
    let folder = Folder::new();
    let documents = [
        json!({ "id": "all", "text": text(0, 0), "url": "https://e.org/long/path", "title": "T \"é\"\n", "priority": 2.5, "meta": { "a": [1, null] } }),
        json!({ "id": "near", "text": text(0, 1), "url": "https://e.org/s", "title": "N", "priority": "7", "meta": "m" }),
        // A value that does not fit is left out, and the document stays.
        json!({ "id": "odd", "text": text(2, 0), "url": "/relative", "title": ["t"], "priority": "high", "meta": null }),
        json!({ "id": "none", "text": text(3, 0) }),
    ];
    folder.write("in.jsonl", lines(&documents));
    folder.write(
        "in.csv",
        format!(
            "id,text,url,title,priority,meta\ncsv,{},http://e.org/c,\"C, d\",3,x\ncsv2,{},,,,\n",
            text(5, 0),
            text(6, 0)
        ),
    );
    let page = format!("<p>{}", text(7, 0));
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}");
    folder.write("in.warc", format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: <https://e.org/w>\r\nWARC-Record-ID: <urn:1>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n", block.len()));
    assert_eq!(folder.run("index build in.jsonl in.csv in.warc -o seen.index -q"), silent());
    let nested = json!({ "id": "nested", "text": text(9, 0), "page": { "link": "https://e.org/n", "head": "H", "rank": 1, "all": true } });
    folder.write("nested.jsonl", lines(&[nested]));
    let named =
        "--url-field page.link --title-field page.head --priority-field page.rank --meta-field page.all";
    assert_eq!(
        folder.run(&format!("dedup nested.jsonl -o out.jsonl --against seen.index --update {named} -q")),
        silent()
    );

    let server = Server::start(&folder, "--mode all --canonical shortest-url");
    let expected = [
        (
            "all",
            json!({ "url": "https://e.org/long/path", "title": "T \"é\"\n", "priority": 2.5, "meta": { "a": [1, null] } }),
        ),
        ("near", json!({ "url": "https://e.org/s", "title": "N", "priority": 7.0, "meta": "m" })),
        ("odd", json!({})),
        ("none", json!({})),
        ("csv", json!({ "url": "http://e.org/c", "title": "C, d", "priority": 3.0, "meta": "x" })),
        ("csv2", json!({})),
        ("https:%2F%2Fe.org%2Fw", json!({ "url": "https://e.org/w" })),
        ("nested", json!({ "url": "https://e.org/n", "title": "H", "priority": 1.0, "meta": true })),
    ];
    for (id, expected) in expected {
        assert_eq!(about(&server, id), expected, "{id}");
    }
    let ask = |path: &str, body: Value| -> Value {
        let (status, body) = server.client().ask("POST", path, &body.to_string()).unwrap();
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    };
    // A document is found by any spelling of its URL.
    let similar = ask("/v1/similar", json!({ "url": "HTTPS://E.org:443/long/path#part" }));
    assert_eq!(similar["matches"][0]["id"], "near", "{similar}");
    let (_, cluster) = server.client().ask("GET", "/v1/documents/all/cluster", "").unwrap();
    let cluster: Value = serde_json::from_str(&cluster).unwrap();
    assert_eq!(cluster["canonical"], "near", "{cluster}");
}

#[test]
fn a_named_field_that_is_not_there_or_not_stored_is_said() {
    let folder = Folder::new();
    folder.write("in.jsonl", lines(&[json!({ "id": "a", "text": text(0, 0), "link": "https://e.org/" })]));
    let ran = folder.run("index build in.jsonl -o seen.index --url-field href");
    let said = "in.jsonl: the first record has no field \"href\" for the URL; its fields are id, link, text";
    assert!(ran.code == Some(0) && ran.stderr.contains(said), "{}", ran.stderr);
    let ran = folder.run("dedup in.jsonl -o out.jsonl --url-field link");
    assert_eq!(
        ran,
        failed(
            2,
            "error: --url-field, --title-field, --priority-field and --meta-field name what --update stores in an index; give it too, or leave them out\n"
        )
    );
}
