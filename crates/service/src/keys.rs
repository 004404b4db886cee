//! Who may do what.

mod rates;

pub(crate) use rates::Rate;

use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::num::NonZeroU32;
use std::str::FromStr;

/// What a key allows. Each role allows what those before it allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// To check, and to read documents.
    Read,
    /// To add and remove documents.
    Write,
    /// To merge, verify and copy the index, and to follow it.
    Admin,
}

impl Role {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Role::Read => "read",
            Role::Write => "write",
            Role::Admin => "admin",
        }
    }
}

/// A key. Only its hash is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    /// Its name, for logs.
    pub name: String,
    /// What it allows.
    pub role: Role,
    /// The SHA-256 of the key, in 64 hex digits.
    pub sha256: String,
    /// The requests that it may make in a second, if that is not [`ServiceSettings::rate`](crate::ServiceSettings::rate).
    pub rate: Option<NonZeroU32>,
}

/// All keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApiKeys(Vec<ApiKey>);

/// Who may do what, how often.
#[derive(Debug)]
pub(crate) struct Access {
    keys: Vec<(ApiKey, Rate)>,
    /// The rate of all who ask without a key, if there are none.
    everybody: Rate,
}

/// Why a file of keys cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}; a line is NAME ROLE SHA256 [RATE], where ROLE is read, write or admin")]
pub struct KeyError {
    /// The line, from 1 on.
    pub line: usize,
    /// What is wrong.
    pub problem: &'static str,
}

impl FromStr for ApiKeys {
    type Err = KeyError;

    /// Reads a key from each line: its name, its role, the SHA-256 of the key, and its rate if it has one. Empty lines, and lines that start with
    /// `#`, are skipped.
    fn from_str(text: &str) -> Result<Self, KeyError> {
        let mut keys = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let fields: Vec<&str> = text.split_whitespace().collect();
            let error = |problem| KeyError { line, problem };
            match fields[..] {
                [] => {}
                [first, ..] if first.starts_with('#') => {}
                [name, role, sha256, ref rate @ ..] if rate.len() < 2 => {
                    let role = match role {
                        "read" => Role::Read,
                        "write" => Role::Write,
                        "admin" => Role::Admin,
                        _ => return Err(error("there is no such role")),
                    };
                    if sha256.len() != 64 || !sha256.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                        return Err(error("the hash does not have 64 hex digits"));
                    }
                    if keys.iter().any(|key: &ApiKey| key.sha256.eq_ignore_ascii_case(sha256)) {
                        return Err(error("this key is on an earlier line too"));
                    }
                    let rate = rate.first().map(|rate| {
                        rate.parse().map_err(|_| error("the rate is not a whole number above 0"))
                    });
                    let (name, sha256, rate) =
                        (name.to_owned(), sha256.to_ascii_lowercase(), rate.transpose()?);
                    keys.push(ApiKey { name, role, sha256, rate });
                }
                _ => return Err(error("it does not have three or four fields")),
            }
        }
        Ok(ApiKeys(keys))
    }
}

impl ApiKeys {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Access {
    /// For these keys, which may make so many requests a second if they do not say it themselves.
    pub(crate) fn new(keys: &ApiKeys, rate: Option<NonZeroU32>) -> Self {
        let keys = keys.0.iter().map(|key| (key.clone(), Rate::new(key.rate.or(rate)))).collect();
        Access { keys, everybody: Rate::new(rate) }
    }

    /// Whether there are keys.
    pub(crate) fn has_keys(&self) -> bool {
        !self.keys.is_empty()
    }

    /// The role of `key` and its rate, or `None` if it is not known. Without keys everybody is an admin.
    pub(crate) fn of(&self, key: Option<&str>) -> Option<(Role, &Rate)> {
        if !self.has_keys() {
            return Some((Role::Admin, &self.everybody));
        }
        let hash = sha256(key?);
        // Hashes are compared, so the time tells nothing of the key.
        let (key, rate) = self.keys.iter().find(|(known, _)| known.sha256 == hash)?;
        Some((key.role, rate))
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
    fn a_key_has_the_role_and_the_rate_of_its_line() {
        let text = format!(
            "# keys\n\nnews read {}\ncrawler  write {} 2\n",
            sha256("one"),
            sha256("two").to_uppercase()
        );
        let access = Access::new(&text.parse().unwrap(), NonZeroU32::new(1000));
        let role = |key| access.of(key).map(|(role, _)| role);
        assert_eq!((role(Some("one")), role(Some("two"))), (Some(Role::Read), Some(Role::Write)));
        assert_eq!((role(Some("three")), role(None)), (None, None));
        let taken = |key| (0..999).filter(|_| access.of(Some(key)).unwrap().1.take().is_ok()).count();
        assert_eq!(taken("one"), 999);
        assert!(taken("two") < 999);
        let everybody = Access::new(&ApiKeys::default(), None);
        assert_eq!(everybody.of(None).map(|(role, _)| role), Some(Role::Admin));
        assert!(Role::Read < Role::Write && Role::Write < Role::Admin);
    }

    #[test]
    fn a_bad_line_is_named() {
        let hash = sha256("one");
        let rates = ["0", "x", "1.5", "1 2"].map(|rate| format!("a read {hash} {rate}"));
        let lines = [("a read", 1), ("\na root x", 2), ("# x\na read 12", 2), ("a read 12 x", 1)];
        let twice = format!("a read {hash}\nb write {}", hash.to_uppercase());
        assert_eq!(twice.parse::<ApiKeys>().unwrap_err().line, 2);
        for (text, line) in lines.into_iter().chain(rates.iter().map(|text| (&text[..], 1))) {
            assert_eq!(text.parse::<ApiKeys>().unwrap_err().line, line, "{text}");
        }
    }
}
