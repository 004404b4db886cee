//! The server: who may ask, what is answered, and what happens while time goes on.

use super::made::{MadeSite, encoded, live};
use lookalike_crawl::serve::{CrawlProgress, Live, SeenPair, Server};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

/// A server on a thread of its own.
pub(super) struct Served {
    pub(super) url: String,
    pub(super) host: String,
    pub(super) live: Arc<Live>,
    token: String,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Served {
    pub(super) fn start() -> Self {
        Self::of(live())
    }

    fn of(live: Arc<Live>) -> Self {
        let (sender, bound) = std::sync::mpsc::channel();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let served = Arc::clone(&live);
        let thread = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            runtime.block_on(async move {
                let server = Server::bind(SocketAddr::from(([127, 0, 0, 1], 0)), served).await.unwrap();
                sender.send(server.url().to_owned()).unwrap();
                server.run(async { drop(stopped.await) }).await.unwrap();
            });
        });
        let url: String = bound.recv().unwrap();
        let host = url.split('/').nth(2).unwrap().to_owned();
        let token = url.split("token=").nth(1).unwrap().to_owned();
        Served { url, host, live, token, stop: Some(stop), thread: Some(thread) }
    }

    fn cookie(&self) -> String {
        let port = self.host.split(':').nth(1).unwrap();
        format!("cookie: a=b; lookalike-audit-{port}={}\r\n", self.token)
    }

    fn open(&self, method: &str, path: &str, headers: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let host = if headers.contains("host:") { String::new() } else { format!("host: {}\r\n", self.host) };
        let length = body.len();
        let request =
            format!("{method} {path} HTTP/1.1\r\n{host}{headers}content-length: {length}\r\n\r\n{body}");
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    /// The status and the whole answer.
    fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let mut answer = String::new();
        let headers = format!("connection: close\r\n{headers}");
        self.open(method, path, &headers, body).read_to_string(&mut answer).unwrap();
        (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
    }

    fn get(&self, path: &str) -> Value {
        let (status, answer) = self.send("GET", path, &self.cookie(), "");
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    fn own_page(&self) -> String {
        format!(
            "{}origin: http://{}\r\nsec-fetch-site: same-origin\r\ncontent-type: application/json\r\n",
            self.cookie(),
            self.host
        )
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.stop.take());
        self.thread.take().unwrap().join().unwrap();
    }
}

#[test]
fn requests_from_elsewhere_get_403_and_a_sentence() {
    let served = Served::start();
    served.live.audit(MadeSite::new(60)).unwrap();
    let (cookie, port) = (served.cookie(), served.host.split(':').nth(1).unwrap());
    let wrong_token = format!("cookie: lookalike-audit-{port}=00\r\n");
    let rebound = format!("host: evil.example:{port}\r\n{cookie}");
    let other_port = format!("host: 127.0.0.1:1\r\n{cookie}");
    let other_page = format!("{cookie}origin: http://127.0.0.1:1\r\nsec-fetch-site: same-site\r\n");
    for path in ["/", "/assets/audit.js", "/api/pages", "/api/events", "/nowhere"] {
        for headers in ["", &wrong_token, &rebound, &other_port, "x-lookalike-token: 0\r\n"] {
            let (status, answer) = served.send("GET", path, headers, "");
            assert_eq!(status, 403, "{path} {headers}");
            let sentence = answer.split_once("\r\n\r\n").unwrap().1;
            assert!(sentence.ends_with('.') && !sentence.contains(&served.token), "{sentence}");
        }
    }
    assert_eq!(served.send("GET", "/api/pages", &other_page, "").0, 403);
    assert_eq!(
        served.send("GET", &format!("/api/pages?token={}", served.token), "", "").0,
        403,
        "only the page itself takes it"
    );
    let settings = "{\"threshold\": 0.9}";
    let json = "content-type: application/json\r\n";
    for headers in [format!("{cookie}{json}"), format!("{other_page}{json}"), json.to_owned()] {
        assert_eq!(served.send("POST", "/api/settings", &headers, settings).0, 403, "{headers}");
    }
    // A form can send no JSON.
    let form = served.own_page().replace("application/json", "text/plain");
    assert_eq!(served.send("POST", "/api/settings", &form, settings).0, 415);
    assert_eq!(served.live.settings().threshold, 0.6);
    let program = format!("x-lookalike-token: {}\r\n{json}", served.token);
    assert_eq!(served.send("POST", "/api/settings", &program, settings).0, 204);
}

#[test]
fn every_answer_has_its_policy_and_the_printed_address_gives_the_cookie() {
    let served = Served::start();
    let path = served.url.strip_prefix(&format!("http://{}", served.host)).unwrap();
    let (status, page) = served.send("GET", path, "", "");
    assert_eq!(status, 200);
    assert!(page.contains("HttpOnly; SameSite=Strict"), "{page}");
    let localhost =
        format!("host: LOCALHOST:{}\r\n{}", served.host.split(':').nth(1).unwrap(), served.cookie());
    for (path, headers) in
        [(path, ""), ("/assets/audit.js", &served.cookie()), ("/api/pages", ""), ("/none", &localhost)]
    {
        let (_, answer) = served.send("GET", path, headers, "");
        let head = answer.split_once("\r\n\r\n").unwrap().0.to_lowercase();
        for header in [
            "content-security-policy: default-src 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
        ] {
            assert!(head.contains(header), "{path}: {head}");
        }
        assert!(!head.contains("access-control"));
    }
    assert_eq!(served.send("GET", "/assets/audit.css", &localhost, "").0, 200);
    assert_eq!(served.send("GET", "/api/pages", &served.cookie(), "").0, 204, "there are no results yet");
    assert_eq!(served.send("GET", "/none", &served.cookie(), "").0, 404);
}

#[test]
fn lists_and_single_things_are_answered() {
    let served = Served::start();
    served.live.audit(MadeSite::new(300)).unwrap();
    let summary = served.get("/api/overview");
    assert_eq!(summary["pages"], 300);
    let pages = served.get("/api/pages?sort=words&order=desc&size=7&page=2");
    assert_eq!((pages["total"].as_u64(), pages["rows"].as_array().unwrap().len()), (Some(300), 7));
    assert_eq!(served.get("/api/pages?size=100000")["size"], 500, "longer answers help nobody");
    for list in ["clusters", "pairs", "blocks", "skipped", "links"] {
        assert!(served.get(&format!("/api/{list}"))["total"].as_u64().unwrap() > 0, "{list}");
    }
    let pair = &served.get("/api/pairs")["rows"][0];
    let [a, b] = ["a", "b"].map(|side| pair[side].as_str().unwrap().to_owned());
    let [a_, b_] = [&a, &b].map(|url| encoded(url));
    assert_eq!(served.get(&format!("/api/pair?a={b_}&b={a_}"))["sides"][0]["url"], a);
    assert_eq!(served.get(&format!("/api/page?url={a_}"))["page"]["url"], a);
    assert_eq!(served.get(&format!("/api/cluster?url={a_}"))["members"]["rows"][0]["is_primary"], true);
    assert_eq!(served.send("GET", "/api/page?url=x", &served.cookie(), "").0, 404);
    assert_eq!(served.send("GET", "/api/pages?page=x", &served.cookie(), "").0, 400);
}

#[test]
fn changed_settings_give_other_results_and_the_old_ones_are_shown_until_then() {
    let served = Served::start();
    served.live.compare_with(MadeSite::new(150));
    served.live.audit(MadeSite::new(200)).unwrap();
    let before = served.get("/api/overview")["pairs"].as_u64().unwrap();
    let new_pairs = || served.get("/api/changes?show=pair-new")["total"].as_u64().unwrap();
    let new_before = new_pairs();
    let change = |body: &str| served.send("POST", "/api/settings", &served.own_page(), body).0;
    assert_eq!(change("{\"threshold\": 7}"), 400);
    assert_eq!(change("{\"threshold\": 0.97}"), 204);
    let start = Instant::now();
    loop {
        // There is an answer at any time.
        let pairs = served.get("/api/overview")["pairs"].as_u64().unwrap();
        if pairs < before {
            break;
        }
        assert!(pairs == before && start.elapsed() < PATIENCE);
        sleep(Duration::from_millis(20));
    }
    assert_eq!(served.get("/api/settings")["threshold"], 0.97);
    // The earlier crawl is audited by the same settings: no pair of its pages is new or fixed by them.
    assert!((1..new_before).contains(&new_pairs()), "{new_before}");
    assert_eq!(served.get("/api/changes?show=pair-fixed")["total"], 0);
    let block = served.get("/api/blocks")["rows"][0].clone();
    assert_eq!(change(&format!("{{\"blocks\": {{\"{}\": true}}}}", block["id"].as_str().unwrap())), 204);
    while served.get("/api/blocks?show=switched")["total"] == 0 {
        assert!(start.elapsed() < PATIENCE);
        sleep(Duration::from_millis(20));
    }
    assert_eq!(served.get("/api/blocks?show=switched")["rows"][0]["switched"], true);
}

/// The next event: its id and its data.
fn next(events: &mut impl BufRead) -> (String, Value) {
    let (mut id, mut data) = (String::new(), Value::Null);
    for line in events.lines().map(Result::unwrap) {
        if let Some(value) = line.strip_prefix("id: ") {
            id = value.to_owned();
        } else if let Some(value) = line.strip_prefix("data: ") {
            data = serde_json::from_str(value).unwrap();
        } else if line.is_empty() && !data.is_null() {
            return (id, data);
        }
    }
    panic!("the stream has ended");
}

#[test]
fn events_come_in_batches_and_go_on_behind_the_last_one_that_is_known() {
    let served = Served::start();
    let pair = |number: usize| SeenPair { a: number.to_string(), b: "b".into(), similarity: 0.9 };
    served.live.add_pairs([pair(0)]);
    let mut events = BufReader::new(served.open("GET", "/api/events", &served.cookie(), ""));
    let (first, data) = next(&mut events);
    assert_eq!((data["version"].as_u64(), data["pairs"].as_array().unwrap().len()), (Some(0), 1));
    let start = Instant::now();
    for number in 1..=100 {
        let progress = CrawlProgress {
            found: 200,
            fetched: number as u64,
            is_running: true,
            ..CrawlProgress::default()
        };
        served.live.set_progress(progress);
        served.live.add_pairs([pair(number)]);
    }
    let (mut pairs, mut batches) = (0, 0);
    while pairs < 100 {
        let (_, data) = next(&mut events);
        (pairs, batches) = (pairs + data["pairs"].as_array().unwrap().len(), batches + 1);
    }
    assert_eq!(pairs, 100, "none is missed and none is repeated");
    let most = 1 + start.elapsed().as_millis() / 250;
    assert!(batches <= most, "{batches} in {:?}", start.elapsed());
    drop(events);
    let again = format!("{}last-event-id: {first}\r\n", served.cookie());
    let (_, data) = next(&mut BufReader::new(served.open("GET", "/api/events", &again, "")));
    assert_eq!(data["pairs"].as_array().unwrap().len(), 100);
    assert_eq!(data["progress"]["fetched"], 100);
}

#[test]
fn a_newer_audit_stops_the_one_that_runs() {
    use lookalike_audit::AuditSettings;
    let (sender, started) = std::sync::mpsc::channel();
    let live = Live::new("", AuditSettings::default(), move |site, settings, is_stopped| {
        sender.send(site.pages()).unwrap();
        while site.pages() == 10 && !is_stopped() {
            sleep(Duration::from_millis(5));
        }
        lookalike_audit::audit(site, settings, &lookalike::Sequential).map_err(|error| error.to_string())
    });
    let first = Arc::clone(&live);
    let thread = std::thread::spawn(move || first.audit(MadeSite::new(10)));
    assert_eq!(started.recv(), Ok(10));
    assert_eq!(live.audit(MadeSite::new(30)), Ok(true));
    assert_eq!(thread.join().unwrap(), Ok(false));
    assert_eq!(live.results().unwrap().audit().pages().len(), 30);
}

#[test]
fn an_audit_that_settings_interrupt_ends_with_the_new_settings() {
    use lookalike_audit::AuditSettings;
    let (sender, started) = std::sync::mpsc::channel();
    let live = Live::new("", AuditSettings::default(), move |site, settings, is_stopped| {
        sender.send(settings.threshold).unwrap();
        while settings.threshold == 0.6 && !is_stopped() {
            sleep(Duration::from_millis(5));
        }
        lookalike_audit::audit(site, settings, &lookalike::Sequential).map_err(|error| error.to_string())
    });
    let served = Served::of(Arc::clone(&live));
    let thread = std::thread::spawn(move || {
        live.audit(MadeSite::new(30)).map(|done| (done, live.settings().threshold))
    });
    assert_eq!(started.recv(), Ok(0.6));
    assert_eq!(served.send("POST", "/api/settings", &served.own_page(), "{\"threshold\": 0.9}").0, 204);
    assert_eq!(thread.join().unwrap(), Ok((true, 0.9)));
    assert_eq!(served.get("/api/settings")["threshold"], 0.9);
}
