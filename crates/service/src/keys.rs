//! Who may do what.

use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::str::FromStr;

/// What a key allows. Each role allows what those before it allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// To check, and to read documents.
    Read,
    /// To add and remove documents.
    Write,
    /// To merge, verify and copy the index.
    Admin,
}

/// A key. Only its hash is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name, for logs.
    pub name: String,
    /// What it allows.
    pub role: Role,
    /// The SHA-256 of the key, in 64 hex digits.
    pub sha256: String,
}

/// All keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys(Vec<Key>);

/// Why a file of keys cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}; a line is NAME ROLE SHA256, where ROLE is read, write or admin")]
pub struct KeyError {
    /// The line, from 1 on.
    pub line: usize,
    /// What is wrong.
    pub problem: &'static str,
}

impl FromStr for Keys {
    type Err = KeyError;

    /// Reads a key from each line: its name, its role, and the SHA-256 of the key. Empty lines, and lines that start with `#`, are skipped.
    fn from_str(text: &str) -> Result<Self, KeyError> {
        let mut keys = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let fields: Vec<&str> = text.split_whitespace().collect();
            let error = |problem| KeyError { line, problem };
            match fields[..] {
                [] => {}
                [first, ..] if first.starts_with('#') => {}
                [name, role, sha256] => {
                    let role = match role {
                        "read" => Role::Read,
                        "write" => Role::Write,
                        "admin" => Role::Admin,
                        _ => return Err(error("there is no such role")),
                    };
                    if sha256.len() != 64 || !sha256.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                        return Err(error("the hash does not have 64 hex digits"));
                    }
                    let (name, sha256) = (name.to_owned(), sha256.to_ascii_lowercase());
                    keys.push(Key { name, role, sha256 });
                }
                _ => return Err(error("it does not have three fields")),
            }
        }
        Ok(Keys(keys))
    }
}

impl Keys {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The role of `key`, or `None` if it is not known. Without keys everybody is an admin.
    pub(crate) fn role(&self, key: Option<&str>) -> Option<Role> {
        if self.is_empty() {
            return Some(Role::Admin);
        }
        let hash = sha256(key?);
        // Hashes are compared, so the time tells nothing of the key.
        self.0.iter().find(|known| known.sha256 == hash).map(|known| known.role)
    }
}

fn sha256(key: &str) -> String {
    Sha256::digest(key.as_bytes()).iter().fold(String::new(), |mut text, byte| {
        // Writing into a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_the_role_of_its_line() {
        let text = format!(
            "# keys\n\nnews read {}\ncrawler  write {}\n",
            sha256("one"),
            sha256("two").to_uppercase()
        );
        let keys: Keys = text.parse().unwrap();
        assert_eq!(keys.role(Some("one")), Some(Role::Read));
        assert_eq!(keys.role(Some("two")), Some(Role::Write));
        assert_eq!((keys.role(Some("three")), keys.role(None)), (None, None));
        assert_eq!(Keys::default().role(None), Some(Role::Admin));
        assert!(Role::Read < Role::Write && Role::Write < Role::Admin);
    }

    #[test]
    fn a_bad_line_is_named() {
        for (text, line) in [("a read", 1), ("\na root x", 2), ("# x\na read 12", 2), ("a read 12 x", 1)] {
            assert_eq!(text.parse::<Keys>().unwrap_err().line, line, "{text}");
        }
    }
}
