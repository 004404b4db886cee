//! A server in a process of its own, and requests to it.

use crate::Folder;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Stdio};

/// `lookalike serve`, usually with an index called `seen.index`.
pub(crate) struct Server {
    child: Child,
    address: String,
    /// What it writes to standard error behind its address.
    said: BufReader<ChildStderr>,
}

impl Server {
    pub(crate) fn start(folder: &Folder, options: &str) -> Self {
        Self::start_at(folder, &format!("--index seen.index --listen 127.0.0.1:0 {options}"))
    }

    /// With these options, and no others.
    pub(crate) fn start_at(folder: &Folder, options: &str) -> Self {
        let mut command = folder.command(&format!("serve {options}"));
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        said.read_line(&mut line).unwrap();
        let address = line.rsplit("http://").next().and_then(|rest| rest.split(';').next());
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        Server { child, address, said }
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn client(&self) -> Client {
        Client(BufReader::new(TcpStream::connect(&self.address).unwrap()))
    }

    /// SIGKILL.
    pub(crate) fn kill(self) {}

    /// SIGTERM, and a regular end.
    #[cfg(unix)]
    pub(crate) fn stop(self) {
        self.stop_and_read();
    }

    /// The same. Returns what it wrote to standard error behind its address.
    #[cfg(unix)]
    pub(crate) fn stop_and_read(mut self) -> String {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        assert!(self.child.wait().unwrap().success());
        let mut said = String::new();
        self.said.read_to_string(&mut said).unwrap();
        said
    }
}

/// A test that fails leaves no process behind.
impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A connection.
pub(crate) struct Client(BufReader<TcpStream>);

impl Client {
    /// The status and the body of an answer. `None` if the server has gone.
    pub(crate) fn ask(&mut self, method: &str, path: &str, body: &str) -> Option<(u16, String)> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.0.get_mut().write_all(request.as_bytes()).ok()?;
        let mut line = String::new();
        self.0.read_line(&mut line).ok()?;
        let status = line.split(' ').nth(1)?.parse().ok()?;
        let mut length = 0;
        loop {
            line.clear();
            self.0.read_line(&mut line).ok()?;
            match line.trim().to_lowercase().split_once(": ") {
                Some(("content-length", value)) => length = value.parse().ok()?,
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).ok()?;
        Some((status, String::from_utf8(body).unwrap()))
    }

    /// Sends the start of a request whose body never ends.
    pub(crate) fn start_stream(&mut self, path: &str, line: &str) {
        // Lines are prepared some at a time.
        let lines = line.repeat(16);
        let head = format!("POST {path} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n");
        let chunk = format!("{:x}\r\n{lines}\r\n", lines.len());
        self.0.get_mut().write_all((head + &chunk).as_bytes()).unwrap();
    }

    pub(crate) fn add(&mut self, id: &str, text: &str) -> Option<(u16, Value)> {
        let (status, body) =
            self.ask("POST", "/v1/documents", &json!({ "id": id, "text": text }).to_string())?;
        Some((status, serde_json::from_str(&body).unwrap()))
    }

    pub(crate) fn check(&mut self, text: &str) -> Value {
        let (status, body) = self.ask("POST", "/v1/check", &json!({ "text": text }).to_string()).unwrap();
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }
}
