//! Whole commands on remote files: s3://, gs:// and https:// at a server on loopback, and servers that fail.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod failures;
mod names;
mod same;
mod servers;

use servers::SERVERS;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The folder in which the commands of a test run.
struct Folder(tempfile::TempDir);

/// The exit code and the output of a command.
#[derive(Debug, PartialEq)]
struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Folder {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        self
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// `lookalike` with arguments that contain no spaces. The S3 server at `port` has all buckets.
    fn command(&self, port: u16, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lookalike"));
        command.current_dir(self.0.path()).args(arguments.split_whitespace()).stdin(Stdio::null());
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

fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A run that did everything and printed nothing.
fn silent() -> Ran {
    Ran { code: Some(0), stdout: String::new(), stderr: String::new() }
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
