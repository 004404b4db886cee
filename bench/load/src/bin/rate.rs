//! Sends requests at a constant rate to several servers in turns, and prints how long their answers took.
//!
//!     rate RATE SECONDS CONNECTIONS PATH LINES HOST:PORT...
//!
//! Each server gets RATE requests a second, with a line of the file LINES as its body. Time counts from the moment at which a request was to be sent,
//! also if all connections were busy then. A line of output has the server, the requests, those not answered with 2xx, and the 50th, 90th, 99th and
//! 99.9th percentile and the maximum in milliseconds.

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use std::env;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::sync::{Mutex, mpsc};

/// A request that is to be sent at a moment, to one of the servers.
struct Due {
    at: Instant,
    server: usize,
    line: Bytes,
}

#[derive(Clone, Default)]
struct Answers {
    seconds: Vec<f64>,
    refused: usize,
}

async fn connect(server: &str) -> SendRequest<Full<Bytes>> {
    let stream = TcpStream::connect(server).await.expect("the server listens");
    stream.set_nodelay(true).expect("the socket has options");
    let (sender, connection) = handshake(TokioIo::new(stream)).await.expect("the server speaks HTTP");
    tokio::spawn(connection);
    sender
}

/// Sends what is due, one request after the other.
async fn work(
    servers: Arc<Vec<String>>,
    path: Arc<String>,
    due: Arc<Mutex<mpsc::UnboundedReceiver<Due>>>,
) -> Vec<Answers> {
    let mut connections = Vec::new();
    for server in servers.iter() {
        connections.push(connect(server).await);
    }
    let mut answers = vec![Answers::default(); servers.len()];
    loop {
        let next = due.lock().await.recv().await;
        let Some(Due { at, server, line }) = next else { return answers };
        let request = Request::post(path.as_str())
            .header("host", servers[server].as_str())
            .header("content-type", "application/json")
            .body(Full::new(line))
            .expect("the request is valid");
        let connection = &mut connections[server];
        connection.ready().await.expect("the connection is open");
        let response = connection.send_request(request).await.expect("there is an answer");
        let is_refused = !response.status().is_success();
        response.into_body().collect().await.expect("the answer has a body");
        answers[server].seconds.push(at.elapsed().as_secs_f64());
        answers[server].refused += usize::from(is_refused);
    }
}

/// Lets each request be due at its moment, whatever the answers do.
fn schedule(rate: f64, seconds: f64, servers: usize, lines: &[Bytes], to_send: &mpsc::UnboundedSender<Due>) {
    let start = Instant::now();
    for number in 0..(rate * seconds) as usize * servers {
        let at = start + Duration::from_secs_f64(number as f64 / (rate * servers as f64));
        if let Some(early) = at.checked_duration_since(Instant::now()) {
            thread::sleep(early);
        }
        // Each server gets every line.
        let line = lines[number / servers % lines.len()].clone();
        to_send.send(Due { at, server: number % servers, line }).ok().expect("somebody sends");
    }
}

fn percentile(sorted: &[f64], share: f64) -> f64 {
    sorted
        .get((sorted.len() as f64 * share) as usize)
        .or(sorted.last())
        .map_or(0.0, |seconds| 1000.0 * seconds)
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [rate, seconds, connections, path, lines, servers @ ..] = &arguments[..] else {
        panic!("rate RATE SECONDS CONNECTIONS PATH LINES HOST:PORT...")
    };
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let text = std::fs::read_to_string(lines).expect("the file of lines");
    let lines: Vec<Bytes> = text.lines().map(|line| Bytes::copy_from_slice(line.as_bytes())).collect();
    let (servers, path) = (Arc::new(servers.to_vec()), Arc::new(path.clone()));
    let (to_send, due) = mpsc::unbounded_channel();
    let due = Arc::new(Mutex::new(due));
    let workers: Vec<_> = (0..number(connections) as usize)
        .map(|_| tokio::spawn(work(Arc::clone(&servers), Arc::clone(&path), Arc::clone(&due))))
        .collect();
    let (rate, seconds, count) = (number(rate), number(seconds), servers.len());
    thread::spawn(move || schedule(rate, seconds, count, &lines, &to_send));
    let mut all = vec![Answers::default(); count];
    for worker in workers {
        for (all, own) in all.iter_mut().zip(worker.await.expect("no worker panics")) {
            all.seconds.extend(own.seconds);
            all.refused += own.refused;
        }
    }
    for (server, Answers { mut seconds, refused }) in servers.iter().zip(all) {
        seconds.sort_by(f64::total_cmp);
        let [p50, p90, p99, p999, most] =
            [0.5, 0.9, 0.99, 0.999, 1.0].map(|share| percentile(&seconds, share));
        println!("{server} {} {refused} {p50:.3} {p90:.3} {p99:.3} {p999:.3} {most:.3}", seconds.len());
    }
}
