//! A Redis server for tests, on a free port and with a folder of its own. Tests of `seen`, `service`, `stream` and `cli` use this file too.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// A server. It ends when it is dropped.
pub(crate) struct RedisServer {
    folder: TempDir,
    port: u16,
    process: Child,
}

impl RedisServer {
    /// Starts a server that writes all changes to a file.
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let process = run(&folder, port);
        RedisServer { folder, port, process }
    }

    /// The address of an index on it.
    pub(crate) fn address(&self, name: &str) -> String {
        format!("redis://127.0.0.1:{}?name={name}", self.port)
    }

    /// Starts it again after it was killed, with the file that it has written.
    pub(crate) fn restart(&mut self) {
        self.process = run(&self.folder, self.port);
    }

    /// Kills it.
    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn run(folder: &TempDir, port: u16) -> Child {
    let mut command = Command::new("redis-server");
    command.args(["--bind", "127.0.0.1", "--port", &port.to_string(), "--save", "", "--appendonly", "yes"]);
    // The file has a change before it is answered, also when the server is killed. With `everysec` it may not, while the last sync is under way.
    command.args(["--appendfsync", "no"]);
    command.arg("--dir").arg(folder.path()).stdout(Stdio::null());
    let missing = "this test needs redis-server 7.0 or newer: on Debian, apt-get install redis-server";
    let mut process = command.spawn().expect(missing);
    for _ in 0..1000 {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return process;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    process.kill().unwrap();
    process.wait().unwrap();
    panic!("redis-server does not listen");
}
