//! `lookalike serve`

use crate::args::options::{NewIndexArgs, SimilarityArgs};
use clap::{Args, ValueEnum};
use lookalike_service::{Canonical, DuplicateMode, Primary};
use std::net::{SocketAddr, ToSocketAddrs};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

pub(in crate::args) const EXAMPLES: &str = "\
Examples:
  lookalike serve --index seen.index
  curl -s localhost:8765/v1/documents -H 'Content-Type: application/json' \\
       -d '{\"id\": \"page-1\", \"text\": \"Welcome to our online shop\"}'
  curl -s 'localhost:8765/v1/bulk?op=add' --data-binary @pages.jsonl
  lookalike serve --index seen.index --listen 0.0.0.0:8765 --keys keys.txt
  lookalike serve --index redis://localhost:6379
  lookalike serve --index copy.index --follow http://10.0.0.5:8765

A line of the file of keys has a name, a role, and the SHA-256 of the key. The role read may check
and read documents. The role write may also add and remove them. The role admin may also merge,
verify and copy the index. A number at the end of the line is a --rate for this key:
  echo \"crawler write $(printf %s SECRET | sha256sum | cut -d' ' -f1)\" >> keys.txt";

#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// The folder of the index, which is made if it does not exist, or its address in Redis, which several services may share:
    /// redis://[USER:PASSWORD@]HOST[:PORT][/DB][?name=NAME]
    #[arg(long, value_name = "INDEX")]
    pub(crate) index: PathBuf,

    /// Listen on this address. Other addresses than those of this machine need --keys
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8765", value_parser = address)]
    pub(crate) listen: SocketAddr,

    /// Only answer requests with a key of this file
    #[arg(long, value_name = "FILE")]
    pub(crate) keys: Option<PathBuf>,

    /// Serve a read-only copy of the index of another service, which is at this address, such as http://10.0.0.5:8765
    #[arg(long, value_name = "URL", conflicts_with_all = ["ttl", "plan", "store_texts"])]
    pub(crate) follow: Option<Primary>,

    /// The file that has the key for --follow, if the other service asks for one
    #[arg(long, value_name = "FILE", requires = "follow")]
    pub(crate) follow_key: Option<PathBuf>,

    /// The requests that each key may make in a second, or all clients together without --keys. A line of a bulk request counts as one [default: any]
    #[arg(long, value_name = "REQUESTS", value_parser = rate)]
    pub(crate) rate: Option<NonZeroU32>,

    /// What happens to duplicates, if a request does not say it [default: unique, or that of --follow]
    #[arg(long, value_enum)]
    pub(crate) mode: Option<ModeArg>,

    /// The document that stands for a cluster, with --mode all [default: first, or that of --follow]
    #[arg(long, value_enum)]
    pub(crate) canonical: Option<CanonicalArg>,

    /// Documents expire after this time, if their request does not say it: 90s, 15m, 12h or 30d [default: never]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) ttl: Option<Duration>,

    /// Make backups in this folder, when a request asks for one. On the disk of the index they take no time and little room
    #[arg(long, value_name = "FOLDER")]
    pub(crate) backups: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) new: NewIndexArgs,

    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,
}

/// See [`DuplicateMode`].
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ModeArg {
    /// They are not stored
    Unique,
    /// They are stored, and linked to the documents that they are similar to
    All,
}

impl From<ModeArg> for DuplicateMode {
    fn from(mode: ModeArg) -> Self {
        match mode {
            ModeArg::Unique => DuplicateMode::Unique,
            ModeArg::All => DuplicateMode::All,
        }
    }
}

/// See [`Canonical`].
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum CanonicalArg {
    /// The one that was added first
    First,
    /// The one with the shortest URL
    ShortestUrl,
    /// The one with the longest text
    LongestText,
    /// The one with the highest priority, as its request gives it
    Priority,
}

impl From<CanonicalArg> for Canonical {
    fn from(canonical: CanonicalArg) -> Self {
        match canonical {
            CanonicalArg::First => Canonical::First,
            CanonicalArg::ShortestUrl => Canonical::ShortestUrl,
            CanonicalArg::LongestText => Canonical::LongestText,
            CanonicalArg::Priority => Canonical::Priority,
        }
    }
}

/// A host, by name or number, and a port. If a name has several addresses, it is the first.
fn address(text: &str) -> Result<SocketAddr, String> {
    let first = text.to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
    first.ok_or_else(|| "give a host of this machine and a port, such as 127.0.0.1:8765".to_owned())
}

/// A number with a unit.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let units = [("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)];
    let seconds = units
        .into_iter()
        .find_map(|(unit, seconds)| text.strip_suffix(unit)?.parse::<u32>().ok()?.checked_mul(seconds));
    match seconds {
        Some(0) => Err("it must be more than nothing; without --ttl documents do not expire".to_owned()),
        Some(seconds) => Ok(Duration::from_secs(seconds.into())),
        None => Err("give a whole number and a unit, such as 90s, 15m, 12h or 30d".to_owned()),
    }
}

/// A number of requests a second.
fn rate(text: &str) -> Result<NonZeroU32, String> {
    text.parse().map_err(|_| "give a whole number of requests a second, 1 or more".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_host_and_a_port() {
        assert_eq!(address("127.0.0.1:80"), Ok(SocketAddr::from(([127, 0, 0, 1], 80))));
        assert!(address("localhost:80").unwrap().ip().is_loopback());
        for text in ["localhost", "8765", "127.0.0.1:99999", ""] {
            assert!(address(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_time_has_a_unit() {
        let seconds = |text| duration(text).map(|duration| duration.as_secs());
        assert_eq!(seconds("90s"), Ok(90));
        assert_eq!(seconds("15m"), Ok(900));
        assert_eq!(seconds("12h"), Ok(43_200));
        assert_eq!(seconds("30d"), Ok(2_592_000));
        assert!(duration("0h").unwrap_err().contains("more than nothing"));
        for text in ["30", "d", "0s", "1.5h", "-1d", "100000d", "1 d"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
