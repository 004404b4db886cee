//! Servers on loopback: an S3 server for all tests, proxies in front of it that fail, and a server that answers only with errors.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

/// The S3 server moto, with and without TLS. It ends with this process, which holds its standard input.
pub(crate) struct Servers {
    pub(crate) port: u16,
    pub(crate) tls_port: u16,
    pub(crate) certificate: PathBuf,
    _process: Child,
    _folder: tempfile::TempDir,
}

pub(crate) static SERVERS: LazyLock<Servers> = LazyLock::new(|| {
    // `./test servers` installs moto in the target folder of Cargo.
    let program = PathBuf::from(env!("CARGO_BIN_EXE_lookalike"));
    let python = program.ancestors().nth(2).unwrap().join("moto/bin/python");
    assert!(python.exists(), "{python:?} is missing: ./test servers installs it, with moto");
    let folder = tempfile::tempdir().unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/remote/servers.py");
    let mut command = Command::new(python);
    let command = command.arg(script).arg(folder.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    let [port, tls_port, certificate] = words[..] else { panic!("the servers did not start: {line}") };
    Servers {
        port: port.parse().unwrap(),
        tls_port: tls_port.parse().unwrap(),
        certificate: certificate.into(),
        _process: process,
        _folder: folder,
    }
});

/// The bucket of a test.
pub(crate) struct Bucket(pub(crate) &'static str);

impl Bucket {
    pub(crate) fn new(name: &'static str) -> Bucket {
        ask("PUT", &format!("/{name}"), &[], b"");
        Bucket(name)
    }

    pub(crate) fn put(&self, key: &str, content: impl AsRef<[u8]>) -> &Bucket {
        let public = ("x-amz-acl", "public-read");
        assert_eq!(ask("PUT", &format!("/{}/{key}", self.0), &[public], content.as_ref()).0, 200);
        self
    }

    pub(crate) fn get(&self, key: &str) -> Option<Vec<u8>> {
        let (status, content) = ask("GET", &format!("/{}/{key}", self.0), &[], b"");
        (status == 200).then_some(content)
    }

    /// All keys, sorted.
    pub(crate) fn keys(&self) -> Vec<String> {
        let (_, list) = ask("GET", &format!("/{}?list-type=2", self.0), &[], b"");
        all_between(&String::from_utf8(list).unwrap(), "<Key>", "</Key>")
    }

    /// The keys of uploads that are not complete.
    pub(crate) fn uploads(&self) -> Vec<String> {
        let (_, list) = ask("GET", &format!("/{}?uploads", self.0), &[], b"");
        all_between(&String::from_utf8(list).unwrap(), "<Key>", "</Key>")
    }
}

fn all_between(text: &str, start: &str, end: &str) -> Vec<String> {
    text.split(start).skip(1).filter_map(|rest| Some(rest.split_once(end)?.0.to_owned())).collect()
}

/// A request to the S3 server, and its answer.
fn ask(method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> (u16, Vec<u8>) {
    let mut stream = TcpStream::connect(("127.0.0.1", SERVERS.port)).unwrap();
    let mut request = format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n");
    request += "Authorization: AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request\r\n";
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    request += &format!("Content-Length: {}\r\n\r\n", body.len());
    stream.write_all(request.as_bytes()).unwrap();
    stream.write_all(body).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
    let status = String::from_utf8_lossy(&answer[9..12]).parse().unwrap();
    (status, answer.split_off(end + 4))
}

/// The direction of bytes through a proxy.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Way {
    Down,
    Up,
}

/// The failure of a proxy after a number of bytes.
pub(crate) enum Then {
    /// It closes, with all its connections.
    Die,
    /// It runs a function, and continues.
    Do(Box<dyn Fn() + Send + Sync>),
    /// It stays open, but lets no more bytes through.
    Stall,
}

/// A proxy in front of the S3 server.
pub(crate) struct Proxy(pub(crate) u16);

struct Fault {
    way: Way,
    left: AtomicI64,
    then: Then,
    is_over: AtomicBool,
}

impl Proxy {
    pub(crate) fn new(way: Way, bytes: i64, then: Then) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let fault = Arc::new(Fault { way, left: bytes.into(), then, is_over: false.into() });
        std::thread::spawn(move || {
            for client in listener.incoming() {
                if fault.is_over.load(Ordering::SeqCst) && matches!(fault.then, Then::Die) {
                    break;
                }
                let client = client.unwrap();
                let server = TcpStream::connect(("127.0.0.1", SERVERS.port)).unwrap();
                for (from, to, way) in [(&client, &server, Way::Up), (&server, &client, Way::Down)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let (fault, this) = (Arc::clone(&fault), port);
                    std::thread::spawn(move || pump(from, to, way, &fault, this));
                }
            }
        });
        Proxy(port)
    }
}

fn pump(mut from: TcpStream, mut to: TcpStream, way: Way, fault: &Fault, port: u16) {
    let mut buffer = vec![0; 1 << 14];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        if way == fault.way
            && fault.left.fetch_sub(length as i64, Ordering::SeqCst) <= length as i64
            && !fault.is_over.swap(true, Ordering::SeqCst)
        {
            match &fault.then {
                Then::Do(action) => action(),
                // The connection wakes the listener, which then ends.
                Then::Die => drop(TcpStream::connect(("127.0.0.1", port))),
                Then::Stall => {}
            }
        }
        if fault.is_over.load(Ordering::SeqCst) {
            match fault.then {
                Then::Die => break,
                Then::Stall => std::thread::sleep(Duration::from_secs(600)),
                Then::Do(_) => {}
            }
        }
        if to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

/// A server that answers every request with the same status, such as `403 Forbidden`, and counts the requests.
pub(crate) struct Stubborn {
    pub(crate) port: u16,
    requests: Arc<Mutex<HashMap<String, u32>>>,
}

impl Stubborn {
    pub(crate) fn new(status: &'static str, body: &'static str) -> Stubborn {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::<Mutex<HashMap<String, u32>>>::default();
        let counted = Arc::clone(&requests);
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let mut client = client.unwrap();
                let mut lines = BufReader::new(client.try_clone().unwrap()).lines();
                let first = lines.next().and_then(Result::ok).unwrap_or_default();
                lines.map_while(Result::ok).find(String::is_empty);
                *counted.lock().unwrap().entry(first.clone()).or_default() += 1;
                let content = if first.starts_with("HEAD") { "" } else { body };
                let length = body.len();
                let _ = write!(
                    client,
                    "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{content}"
                );
            }
        });
        Stubborn { port, requests }
    }

    pub(crate) fn requests(&self) -> u32 {
        self.requests.lock().unwrap().values().sum()
    }
}
