//! Connections that send little, or nothing, or wait to be asked for more.

use super::*;
use crate::{Service, ServiceSettings};
use lookalike::Plan;
use lookalike_index::Index;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A service, and how to stop it.
struct Served {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    service: JoinHandle<Result<(), crate::Error>>,
    _folder: tempfile::TempDir,
}

impl Served {
    async fn start(settings: ServiceSettings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let index = Index::create(&folder.path().join("seen.index"), &Plan::default()).unwrap();
        let settings = ServiceSettings { address: ([127, 0, 0, 1], 0).into(), ..settings };
        let service = Service::bind(index, settings).await.unwrap();
        let (stop, stopped) = oneshot::channel();
        let address = service.address().unwrap();
        let service = tokio::spawn(service.run(async { drop(stopped.await) }));
        Served { address, stop, service, _folder: folder }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// Asks on a new connection, and returns all that comes until the service closes it.
    async fn ask_once(&self) -> String {
        let mut stream = self.connect().await;
        stream.write_all(b"GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.unwrap();
        read_all(&mut stream).await
    }

    async fn stop(self) {
        drop(self.stop);
        self.service.await.unwrap().unwrap();
    }
}

async fn read_all(stream: &mut TcpStream) -> String {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

/// Waits until the service has taken this connection.
async fn is_taken(stream: &mut TcpStream) {
    stream.write_all(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"ok\n") {
        assert!(stream.read_buf(&mut answer).await.unwrap() > 0, "the connection is open");
    }
}

#[tokio::test]
async fn an_accepted_connection_sends_without_delay() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    assert!(accept(&listener).await.nodelay().unwrap());
    drop(client);
}

#[tokio::test]
async fn a_head_that_does_not_come_ends_the_connection() {
    let settings = ServiceSettings { head_timeout: Duration::from_millis(50), ..ServiceSettings::default() };
    let served = Served::start(settings).await;
    let mut slow = served.connect().await;
    slow.write_all(b"GET /health HTT").await.unwrap();
    let mut idle = served.connect().await;
    is_taken(&mut idle).await;
    assert_eq!((read_all(&mut slow).await, read_all(&mut idle).await), (String::new(), String::new()));
    assert!(served.ask_once().await.ends_with("ok\n"));
    served.stop().await;
}

#[tokio::test]
async fn a_connection_too_many_is_answered_and_closed() {
    let served = Served::start(ServiceSettings { most_connections: 2, ..ServiceSettings::default() }).await;
    let (mut first, mut second) = (served.connect().await, served.connect().await);
    is_taken(&mut first).await;
    is_taken(&mut second).await;
    let refused = served.ask_once().await;
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("retry-after: 1"), "{refused}");
    assert!(
        refused.contains("application/problem+json") && refused.contains("too_many_connections"),
        "{refused}"
    );
    // Those that are there go on.
    is_taken(&mut first).await;
    drop(second);
    while !served.ask_once().await.ends_with("ok\n") {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    served.stop().await;
}

#[tokio::test]
async fn a_service_that_stops_does_not_wait_for_idle_connections() {
    let served = Served::start(ServiceSettings::default()).await;
    let mut idle = served.connect().await;
    is_taken(&mut idle).await;
    let silent = served.connect().await;
    tokio::time::timeout(Duration::from_secs(4), served.stop()).await.expect("it stops at once");
    assert_eq!(read_all(&mut idle).await, "");
    drop(silent);
}

const BULK: &str = "POST /v1/bulk?op=check HTTP/1.1\r\nhost: x\r\nconnection: close\r\n";

const LINE: &str = "{\"text\":\"a b c d e f\"}\n";

/// Reads until all that came ends with `end`.
async fn read_to(stream: &mut TcpStream, end: &str) -> String {
    let mut answer = Vec::new();
    while !answer.ends_with(end.as_bytes()) {
        let read = tokio::time::timeout(Duration::from_secs(5), stream.read_buf(&mut answer)).await;
        let so_far = String::from_utf8_lossy(&answer);
        assert!(read.expect("an answer comes").unwrap() > 0, "{so_far}");
    }
    String::from_utf8(answer).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_a_bulk_request_that_waits_to_be_asked_for_the_body_is_asked() {
    let served = Served::start(ServiceSettings::default()).await;
    for _ in 0..100 {
        let mut stream = served.connect().await;
        let head = format!("{BULK}content-length: {}\r\nexpect: 100-continue\r\n\r\n", LINE.len());
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = vec![0; 25];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(String::from_utf8(answer).unwrap(), "HTTP/1.1 100 Continue\r\n\r\n");
        stream.write_all(LINE.as_bytes()).await.unwrap();
        let answer = read_all(&mut stream).await;
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("\"lines\":1"), "{answer}");
    }
    served.stop().await;
}

#[tokio::test]
async fn a_client_of_a_bulk_request_that_waits_for_answers_before_it_sends_more_gets_them() {
    let served = Served::start(ServiceSettings::default()).await;
    let mut stream = served.connect().await;
    let head = format!("{BULK}content-length: {}\r\n\r\n", 2 * LINE.len());
    stream.write_all(head.as_bytes()).await.unwrap();
    // The head of the answer comes before the first line is sent.
    let answer = read_to(&mut stream, "\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    stream.write_all(LINE.as_bytes()).await.unwrap();
    let answer = read_to(&mut stream, "}\n\r\n").await;
    assert!(answer.contains("\"status\":\"new\""), "{answer}");
    stream.write_all(LINE.as_bytes()).await.unwrap();
    assert!(read_all(&mut stream).await.contains("\"lines\":2"));
    served.stop().await;
}
