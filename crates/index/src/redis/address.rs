//! Where an index in Redis is.

use super::error::RedisError;
use std::fmt;
use std::str::FromStr;

/// The name of an index whose address has none.
const DEFAULT_NAME: &str = "lookalike";

/// The longest name. It is in every key.
const LONGEST_NAME: usize = 64;

/// Where an index in Redis is: `redis://[USER[:PASSWORD]@]HOST[:PORT][/DB][?name=NAME]`.
///
/// It is displayed without the password.
#[derive(Clone, PartialEq, Eq)]
pub struct RedisAddress {
    server: String,
    name: String,
}

impl RedisAddress {
    /// The start of every address.
    pub const SCHEME: &'static str = "redis://";

    /// The address of the server and its database, with a password if it has one.
    pub(crate) fn server(&self) -> &str {
        &self.server
    }

    /// The name of the index. Several indexes in one database have different names.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl FromStr for RedisAddress {
    type Err = RedisError;

    fn from_str(address: &str) -> Result<Self, RedisError> {
        let (server, query) = address.split_once('?').unwrap_or((address, ""));
        let refuse = |problem| RedisError::Address { address: without_password(address), problem };
        if !server.starts_with(Self::SCHEME) {
            return Err(refuse(
                "an index is a folder of this machine, or is at an address that starts with redis://",
            ));
        }
        if ::redis::parse_redis_url(server).is_none() || ::redis::Client::open(server).is_err() {
            return Err(refuse("it is not of the form redis://USER:PASSWORD@HOST:PORT/DB"));
        }
        let name = match query.strip_prefix("name=") {
            Some(name) => name,
            None if query.is_empty() => DEFAULT_NAME,
            None => return Err(refuse("only name=NAME can follow the question mark")),
        };
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if name.is_empty() || name.len() > LONGEST_NAME || !name.bytes().all(is_plain) {
            return Err(refuse("a name has 1 to 64 letters, digits, dots, hyphens and underscores"));
        }
        Ok(RedisAddress { server: server.to_owned(), name: name.to_owned() })
    }
}

/// The address with stars in place of the password.
fn without_password(address: &str) -> String {
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    match rest.rsplit_once('@') {
        Some((user, host)) => match user.split_once(':') {
            Some((user, _)) => format!("{scheme}://{user}:***@{host}"),
            None => address.to_owned(),
        },
        None => address.to_owned(),
    }
}

impl fmt::Display for RedisAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let server = without_password(&self.server);
        if self.name == DEFAULT_NAME {
            f.write_str(&server)
        } else {
            write!(f, "{server}?name={}", self.name)
        }
    }
}

impl fmt::Debug for RedisAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RedisAddress({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password() {
        for (address, shown) in [
            ("redis://localhost", "redis://localhost"),
            ("redis://127.0.0.1:6380/3?name=news", "redis://127.0.0.1:6380/3?name=news"),
            ("redis://me:se@cret@host/0?name=lookalike", "redis://me:***@host/0"),
            ("redis://:secret@host", "redis://:***@host"),
        ] {
            let Ok(parsed) = address.parse::<RedisAddress>() else {
                assert!(address.contains("se@cret"), "{address}: an @ is written %40");
                continue;
            };
            assert_eq!(parsed.to_string(), shown);
            assert!(!format!("{parsed:?}").contains("secret"));
        }
        assert_eq!("redis://h?name=a.b-c_1".parse::<RedisAddress>().unwrap().name(), "a.b-c_1");
    }

    #[test]
    fn a_bad_address_is_refused_with_the_reason() {
        for (address, reason) in [
            ("localhost:6379", "starts with redis://"),
            ("rediss://localhost", "starts with redis://"),
            ("redis://localhost/x", "it is not of the form"),
            ("redis://localhost?name=", "a name has"),
            ("redis://localhost?name={a}", "a name has"),
            ("redis://localhost?db=1", "only name=NAME"),
            ("redis://:secret@localhost?db=1", ":***@"),
        ] {
            let error = address.parse::<RedisAddress>().unwrap_err().to_string();
            assert!(error.contains(reason) && !error.contains("secret"), "{address}: {error}");
        }
    }
}
