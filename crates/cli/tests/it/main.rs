//! Whole commands. A test gives the arguments and files, and checks exit code, standard output, standard error and outputs.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

#[cfg(feature = "audit")]
mod audit;
mod browser;
mod config;
mod help;
mod index;
mod inputs;
mod remote;
mod runs;
mod search;
mod serve;
#[cfg(feature = "stream")]
mod stream;
mod unix;
mod verbs;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, and makes the folders above it.
    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        self
    }

    fn read(&self, name: &str) -> String {
        String::from_utf8(self.read_bytes(name)).unwrap()
    }

    fn read_bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names of all files and folders, including hidden ones, sorted.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lookalike"));
        command.current_dir(self.0.path()).args(arguments.split_whitespace()).env_remove("LOOKALIKE_SIMD");
        command
    }

    /// Runs `lookalike` with arguments that contain no spaces.
    fn run(&self, arguments: &str) -> Ran {
        run(self.command(arguments))
    }

    /// The same with `input` on standard input.
    fn run_with_input(&self, arguments: &str, input: &[u8]) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // The program may end before it has read all input.
        let _ = child.stdin.take().unwrap().write_all(input);
        ran(child.wait_with_output().unwrap())
    }

    /// The summary that a run wrote to `summary.json`.
    fn summary(&self) -> serde_json::Value {
        serde_json::from_str(&self.read("summary.json")).unwrap()
    }
}

fn run(mut command: Command) -> Ran {
    ran(command.output().unwrap())
}

fn ran(output: std::process::Output) -> Ran {
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

/// A run that failed with a message.
fn failed(code: i32, stderr: &str) -> Ran {
    Ran { code: Some(code), stdout: String::new(), stderr: stderr.to_owned() }
}

/// A text of 40 words. Texts of different seeds share no word.
fn words(seed: usize) -> String {
    (0..40).map(|i| format!("w{seed}x{i}")).collect::<Vec<_>>().join(" ")
}

/// Lines of JSON with the ids a, b, c … and these texts.
fn jsonl<T: AsRef<str>>(texts: &[T]) -> String {
    let line = |(index, text): (usize, &T)| {
        let id = char::from(b'a' + index as u8).to_string();
        serde_json::json!({ "id": id, "text": text.as_ref() }).to_string() + "\n"
    };
    texts.iter().enumerate().map(line).collect()
}

/// Is there a file or folder at `path`?
fn exists(path: &Path) -> bool {
    path.try_exists().unwrap()
}
