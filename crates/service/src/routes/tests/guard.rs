//! Who may ask.

use super::*;
use crate::keys::ApiKeys;
use std::num::NonZeroU32;
use std::time::Instant;

#[tokio::test]
async fn a_key_allows_what_its_role_allows() {
    let folder = tempfile::tempdir().unwrap();
    // The hashes of "reader" and "writer".
    let keys: ApiKeys = "r read 3d0941964aa3ebdcb00ccef58b1bb399f9f898465e9886d5aec7f31090a0fb30\n\
        w write b93006774cbdd4b299389a03ac3d88c3a76b460d538795bc12718011a909fba5"
        .parse()
        .unwrap();
    let client = Client::open(&folder.path().join("seen.index"), ServiceSettings { keys, ..settings() });
    let ask = |method: &'static str, path: &'static str, key: Option<&'static str>| {
        let mut request =
            Request::builder().method(method).uri(path).header(header::CONTENT_TYPE, "application/json");
        if let Some(key) = key {
            request = request.header(header::AUTHORIZATION, format!("Bearer {key}"));
        }
        let body = if method == "GET" { Body::empty() } else { Body::from("{\"text\":\"a\"}") };
        client.send(request.body(body).unwrap())
    };
    for (method, path, none, reader, writer) in [
        ("GET", "/health", 200, 200, 200),
        ("GET", "/openapi.json", 200, 200, 200),
        ("GET", "/", 200, 200, 200),
        ("GET", "/assets/api.js", 200, 200, 200),
        ("GET", "/assets/none.js", 404, 404, 404),
        ("GET", "/v1/index", 401, 200, 200),
        ("GET", "/metrics", 401, 200, 200),
        ("POST", "/v1/check", 401, 200, 200),
        ("GET", "/v1/documents/x", 401, 404, 404),
        ("PUT", "/v1/documents/x", 401, 403, 201),
        ("DELETE", "/v1/documents/x", 401, 403, 204),
        ("POST", "/v1/bulk?op=check", 401, 200, 200),
        ("POST", "/v1/bulk?op=remove", 401, 403, 200),
        ("POST", "/v1/admin/merge", 401, 403, 403),
        ("GET", "/v1/admin/jobs", 401, 403, 403),
        ("GET", "/v1/log?from=0", 401, 403, 403),
    ] {
        assert_eq!(ask(method, path, None).await.0, none, "{method} {path}");
        assert_eq!(ask(method, path, Some("reader")).await.0, reader, "{method} {path}");
        assert_eq!(ask(method, path, Some("writer")).await.0, writer, "{method} {path}");
        assert_eq!(ask(method, path, Some("other")).await.0, none, "{method} {path}");
    }
    client.close();
}

#[tokio::test]
async fn a_key_that_asks_too_often_is_refused_and_its_bulk_lines_wait() {
    let folder = tempfile::tempdir().unwrap();
    // The hashes of "reader" and "writer".
    let keys: ApiKeys = "r read 3d0941964aa3ebdcb00ccef58b1bb399f9f898465e9886d5aec7f31090a0fb30 3\n\
        w write b93006774cbdd4b299389a03ac3d88c3a76b460d538795bc12718011a909fba5"
        .parse()
        .unwrap();
    let settings = ServiceSettings { keys, rate: NonZeroU32::new(100), ..settings() };
    let client = Client::open(&folder.path().join("seen.index"), settings);
    let ask = |path: &'static str, key: &str, body: String| {
        let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
        let request = request.header(header::AUTHORIZATION, format!("Bearer {key}"));
        client.send(request.body(Body::from(body)).unwrap())
    };
    let check = || json!({ "text": HAMLET }).to_string();
    for _ in 0..3 {
        assert_eq!(ask("/v1/check", "reader", check()).await.0, 200);
    }
    // Three a second: of so many at once some are too many.
    let mut refused = Vec::new();
    for _ in 0..100 {
        refused.extend(Some(ask("/v1/check", "reader", check()).await).filter(|(status, _)| *status != 200));
    }
    let (status, problem) = refused.first().unwrap();
    let problem: Value = serde_json::from_slice(problem).unwrap();
    assert_eq!((*status, &problem["code"]), (429, &json!("rate")));
    // Each line counts, and all are answered.
    let lines = format!("{}\n", check()).repeat(120);
    let start = Instant::now();
    let (status, answers) = ask("/v1/bulk?op=check", "writer", lines).await;
    let answered = String::from_utf8(answers).unwrap();
    assert_eq!((status, answered.lines().count()), (200, 121));
    assert!(start.elapsed() >= Duration::from_millis(200), "{:?}", start.elapsed());
    client.close();
}

#[tokio::test]
async fn a_page_of_another_site_cannot_use_a_service_without_keys() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::open(&folder.path().join("seen.index"), settings());
    for (host, origin, status) in [
        ("localhost:8765", "http://localhost:8765", 200),
        ("127.0.0.1:8765", "http://127.0.0.1:8765", 200),
        ("[::1]:8765", "http://[::1]:8765", 200),
        ("localhost:8765", "https://evil.example", 403),
        ("localhost:8765", "null", 403),
        ("evil.example", "http://evil.example", 403),
    ] {
        let request =
            Request::post("/v1/bulk?op=remove").header(header::HOST, host).header(header::ORIGIN, origin);
        let request = request.body(Body::from("{\"id\":\"x\"}")).unwrap();
        assert_eq!(client.send(request).await.0, status, "{host} {origin}");
    }
    client.close();
}
