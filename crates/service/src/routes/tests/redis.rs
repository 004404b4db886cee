//! The same requests to an index in a folder and to one in Redis have the same answers.

#[path = "../../../../index/src/redis/tests/server.rs"]
mod server;

use super::*;
use lookalike::hash::SplitMix64;
use lookalike_seen::redis::RedisSeen;
use server::RedisServer;
use tokio::task::JoinSet;

async fn client(server: &RedisServer, name: &str, settings: ServiceSettings) -> Client {
    let redis = RedisSeen::connect(&server.address(name).parse().unwrap(), None).await.unwrap();
    let backend = Backend::new(redis);
    let app = Arc::new(App::new(backend, settings, Arc::new(ServiceMetrics::new())));
    Client { router: router(Arc::clone(&app)), closer: None, app }
}

/// Without the times of the day.
fn timeless(mut answer: Value) -> Value {
    if let Some(answer) = answer.as_object_mut() {
        for time in ["added", "expires"] {
            answer.remove(time);
        }
        answer.values_mut().for_each(|value| *value = timeless(value.take()));
    }
    if let Some(values) = answer.as_array_mut() {
        values.iter_mut().for_each(|value| *value = timeless(value.take()));
    }
    answer
}

/// The lines of a stream. In a folder a link may be there twice if its cluster came to the disk at the same moment, so the numbers of changes
/// differ if there are links.
fn lines_of(stream: &[u8], mode: DuplicateMode) -> Vec<Value> {
    let mut lines: Vec<Value> =
        serde_json::Deserializer::from_slice(stream).into_iter().map(Result::unwrap).collect();
    if mode == DuplicateMode::All {
        lines.iter_mut().for_each(|line| _ = line.as_object_mut().unwrap().remove("sequence"));
    }
    lines
}

fn words(seed: u64, variant: u64) -> String {
    let mut random = SplitMix64(seed);
    let mut words: Vec<String> = (0..60).map(|_| format!("w{}", random.next() % 10_000)).collect();
    words.push(format!("variant{variant}"));
    words.join(" ")
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server: ./test servers"]
async fn every_request_has_the_same_answer_from_redis_as_from_a_folder() {
    let (server, folder) = (RedisServer::start(), tempfile::tempdir().unwrap());
    for mode in [DuplicateMode::Unique, DuplicateMode::All] {
        let settings = || ServiceSettings { mode, canonical: Canonical::ShortestUrl, ..settings() };
        let redis = client(&server, mode.name(), settings()).await;
        let in_folder = Client::open(&folder.path().join(mode.name()), settings());
        let mut requests = Vec::new();
        for number in 0..60_u64 {
            let (seed, variant) = (number % 13, number / 13);
            let mut body =
                json!({ "id": format!("d{number}"), "text": words(seed, variant), "meta": [number] });
            body["url"] = json!(format!("https://example.org/{}{number}", "x".repeat(number as usize % 7)));
            if number % 9 == 0 {
                body["on_duplicate"] = json!("touch");
                body["ttl"] = json!(1000 + number);
            }
            requests.push(("POST", "/v1/documents".to_owned(), Some(body)));
            requests.push(("POST", "/v1/check".to_owned(), Some(json!({ "text": words(seed, 99) }))));
            requests.push(("POST", "/v1/similar".to_owned(), Some(json!({ "id": format!("d{seed}") }))));
            let nearest = json!({ "text": words(seed, 0) + &"y ".repeat(30), "explain": true });
            requests.push(("POST", "/v1/similar".to_owned(), Some(nearest)));
            requests.push(("GET", format!("/v1/documents/d{number}?include=text"), None));
            requests.push(("GET", format!("/v1/documents/d{seed}/cluster"), None));
            if number % 10 == 9 {
                requests.push(("DELETE", format!("/v1/documents/d{}", number / 2), None));
                let touch = json!({ "ttl": 5000 });
                requests.push(("POST", format!("/v1/documents/d{}/touch", number / 3), Some(touch)));
            }
        }
        let (a, b) = (json!({ "id": "d1" }), json!({ "url": "HTTPS://EXAMPLE.org:443/xx2" }));
        requests.push(("POST", "/v1/compare".to_owned(), Some(json!({ "a": a, "b": b }))));
        let list: Vec<Value> =
            (0..9).map(|number| json!({ "text": words(number / 2 + 9, number) })).collect();
        let list = json!({ "documents": list, "against_index": true });
        requests.push(("POST", "/v1/deduplicate".to_owned(), Some(list)));
        requests.push(("PUT", "/v1/documents/put".to_owned(), Some(json!({ "text": words(1, 0) }))));
        for (method, path, body) in requests {
            let (status, answer) = redis.ask(method, &path, body.clone()).await;
            let (expected_status, expected) = in_folder.ask(method, &path, body).await;
            assert_eq!((status, timeless(answer)), (expected_status, timeless(expected)), "{method} {path}");
        }
        let lines: String = (0..300_u64)
            .map(|number| {
                json!({ "id": format!("b{number}"), "text": words(100 + number % 90, number) }).to_string()
                    + "\n"
            })
            .collect();
        let removed: String = (0..90).map(|number| format!("{{\"id\":\"b{}\"}}\n", number * 3)).collect();
        for (op, body) in [
            ("add", &lines),
            ("check", &lines.replace("\"id\":", "\"id_\":")),
            ("remove", &removed),
            ("put", &lines),
        ] {
            let bulk = || Request::post(format!("/v1/bulk?op={op}")).body(Body::from(body.clone())).unwrap();
            let (answer, expected) = (redis.send(bulk()).await, in_folder.send(bulk()).await);
            assert!(lines_of(&answer.1, mode) == lines_of(&expected.1, mode), "{op}");
        }
        in_folder.close();
        redis.close();
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server: ./test servers"]
async fn four_services_on_one_redis_never_accept_two_near_duplicates() {
    let server = RedisServer::start();
    let mut services = JoinSet::new();
    for variant in 0..4 {
        let client = client(&server, "shared", settings()).await;
        services.spawn(async move {
            let mut accepted = Vec::new();
            for group in 0..300_u64 {
                let body = json!({ "id": format!("{group}-{variant}"), "text": words(group, variant) });
                let (status, answer) = client.ask("POST", "/v1/documents", Some(body)).await;
                assert!(
                    status == 201
                        || answer["match"]["id"].as_str().unwrap().starts_with(&format!("{group}-"))
                );
                accepted.extend((status == 201).then_some(group));
            }
            client.close();
            accepted
        });
    }
    let mut accepted = services.join_all().await.concat();
    accepted.sort_unstable();
    assert!(accepted.into_iter().eq(0..300));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server: ./test servers"]
async fn a_redis_that_is_gone_is_said_and_answers_come_back_with_it() {
    let mut server = RedisServer::start();
    let client = client(&server, "gone", settings()).await;
    client.app.read_ahead();
    let hamlet = || Some(json!({ "id": "hamlet", "text": HAMLET }));
    assert_eq!(client.ask("POST", "/v1/documents", hamlet()).await.0, 201);
    let ready =
        |client: &Client| client.router.clone().oneshot(Request::get("/ready").body(Body::empty()).unwrap());
    let text = to_bytes(ready(&client).await.unwrap().into_body(), 100).await.unwrap();
    assert_eq!(text, "ready\nappendfsync no\n");
    server.kill();
    for (method, path, body) in [
        ("POST", "/v1/check", Some(json!({ "text": HAMLET }))),
        ("POST", "/v1/documents", Some(json!({ "id": "b", "text": HAMLET }))),
        ("GET", "/ready", None),
    ] {
        let (status, answer) = client.ask(method, path, body).await;
        assert_eq!((status, &answer["code"]), (503, &json!("unreachable")), "{method} {path}: {answer}");
    }
    server.restart();
    let (status, answer) = client.ask("POST", "/v1/documents", hamlet()).await;
    assert_eq!((status, &answer["status"]), (200, &json!("unchanged")), "{answer}");
    let (status, answer) = client.ask("POST", "/v1/admin/merge", None).await;
    assert_eq!((status, &answer["code"]), (409, &json!("redis")));
    let (_, index) = client.ask("GET", "/v1/index", None).await;
    assert_eq!((&index["store"], &index["documents"]), (&json!("redis"), &json!(1)), "{index}");
    client.close();
}

/// Sends a command to Redis.
fn command(server: &RedisServer, arguments: &[&str]) {
    let mut cli = std::process::Command::new("redis-cli");
    let done = cli.args(["-u", server.address("").trim_end_matches("?name=")]).args(arguments).output();
    assert!(done.unwrap().status.success());
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server: ./test servers"]
async fn a_service_whose_redis_has_lost_its_index_is_not_ready() {
    let server = RedisServer::start();
    let client = client(&server, "lost", settings()).await;
    client.app.read_ahead();
    let gone = "the index in Redis was deleted or made again; start this program again";
    for made_again in [false, true] {
        command(&server, &["FLUSHALL"]);
        if made_again {
            RedisSeen::connect(&server.address("lost").parse().unwrap(), None).await.unwrap();
        }
        let (status, answer) = client.ask("GET", "/ready", None).await;
        assert_eq!((status, &answer["code"], &answer["detail"]), (503, &json!("gone"), &json!(gone)));
        let (_, index) = client.ask("GET", "/v1/index", None).await;
        assert_eq!(index["not_ready"], gone, "{index}");
    }
    client.close();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server: ./test servers"]
async fn a_service_whose_redis_has_no_memory_left_is_not_ready_until_it_has() {
    let server = RedisServer::start();
    let client = client(&server, "full", settings()).await;
    client.app.read_ahead();
    let ready = async || client.send(Request::get("/ready").body(Body::empty()).unwrap()).await.0;
    assert_eq!(ready().await, 200);
    command(&server, &["CONFIG", "SET", "maxmemory", "1000"]);
    let hamlet = json!({ "id": "hamlet", "text": HAMLET });
    let (status, answer) = client.ask("POST", "/v1/documents", Some(hamlet.clone())).await;
    let detail = answer["detail"].as_str().unwrap();
    assert_eq!((status, &answer["code"]), (507, &json!("disk_full")));
    assert!(detail.contains("memory"), "{detail}");
    let (status, answer) = client.ask("GET", "/ready", None).await;
    assert_eq!((status, &answer["code"]), (503, &json!("not_writing")));
    assert!(answer["detail"].as_str().unwrap().contains("memory"), "{answer}");
    let (_, index) = client.ask("GET", "/v1/index", None).await;
    assert_eq!(index["not_ready"], answer["detail"], "{index}");
    command(&server, &["CONFIG", "SET", "maxmemory", "0"]);
    assert_eq!(ready().await, 200);
    assert_eq!(client.ask("POST", "/v1/documents", Some(hamlet)).await.0, 201);
    client.close();
}
