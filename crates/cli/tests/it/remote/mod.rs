//! Whole commands on remote files: s3://, gs:// and https:// at a server on loopback, and servers that fail. They need moto, an S3 server.

mod failures;
mod names;
mod same;
mod servers;

use crate::{Folder, Ran, ran};
use servers::SERVERS;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The folder in which the commands of a test run, beside the S3 server.
struct RemoteFolder(Folder);

impl RemoteFolder {
    fn new() -> RemoteFolder {
        RemoteFolder(Folder::new())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &RemoteFolder {
        self.0.write(name, content);
        self
    }

    fn read(&self, name: &str) -> Vec<u8> {
        self.0.read_bytes(name)
    }

    /// `lookalike` with arguments that contain no spaces. The S3 server at `port` has all buckets.
    fn command(&self, port: u16, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lookalike"));
        command.current_dir(self.0.0.path()).args(arguments.split_whitespace()).stdin(Stdio::null());
        let settings: Vec<String> = std::env::vars().map(|(name, _)| name).collect();
        for name in settings.iter().filter(|name| ["AWS_", "GOOGLE_"].iter().any(|of| name.starts_with(of))) {
            command.env_remove(name);
        }
        command
            .env("AWS_ACCESS_KEY_ID", "test")
            .env("AWS_SECRET_ACCESS_KEY", "test")
            .env("AWS_ENDPOINT_URL", format!("http://127.0.0.1:{port}"))
            .env("GOOGLE_BASE_URL", format!("http://127.0.0.1:{port}"))
            .env("GOOGLE_BEARER_TOKEN", "test")
            .env("SSL_CERT_FILE", &SERVERS.certificate)
            .env("NO_PROXY", "127.0.0.1,localhost");
        command
    }

    fn run(&self, arguments: &str) -> Ran {
        self.run_at(SERVERS.port, arguments)
    }

    fn run_at(&self, port: u16, arguments: &str) -> Ran {
        ran(self.command(port, arguments).output().unwrap())
    }
}

/// What a command has written, without its notes.
fn without_notes(ran: Ran) -> Ran {
    let lines = ran.stderr.lines().filter(|line| !line.starts_with("note: "));
    Ran { stderr: lines.map(|line| format!("{line}\n")).collect(), ..ran }
}

/// A text of `count` words. Texts of different seeds share no word.
fn words(seed: usize, count: usize) -> String {
    (0..count).map(|i| format!("w{seed}x{i}")).collect::<Vec<_>>().join(" ")
}

/// Documents of `count` words. Every third is similar to the one before it, and every fourth is a copy of an early one.
fn corpus(documents: usize, count: usize) -> String {
    let line = |document: usize| {
        let text = match document {
            _ if document % 4 == 3 => words(document / 40, count),
            _ if document % 3 == 2 => words(document - 1, count) + " more",
            _ => words(document, count),
        };
        serde_json::json!({ "id": format!("d{document}"), "text": text }).to_string() + "\n"
    };
    (0..documents).map(line).collect()
}
