//! Where messages come from, and where documents go.

use std::path::PathBuf;
use std::str::FromStr;

/// Topics of a Kafka cluster: `kafka://HOST[:PORT][,HOST[:PORT]…]/TOPIC[,TOPIC…]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KafkaAddress {
    /// The brokers, separated by commas.
    pub brokers: String,
    /// The topics, at least one.
    pub topics: Vec<String>,
}

/// An index of a search engine: `elasticsearch://[USER:PASSWORD@]HOST[:PORT]/INDEX`, or `opensearch://`. With `+https` at the end of the scheme it
/// is reached by TLS.
#[derive(Clone, PartialEq, Eq)]
pub struct SearchAddress {
    /// The address of the server, without a slash at its end.
    pub server: String,
    /// The name of the index.
    pub index: String,
    /// Who asks: a user and a password.
    pub user: Option<(String, String)>,
}

/// Where messages come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Topics of Kafka.
    Kafka(KafkaAddress),
    /// A file with a message a line.
    File(PathBuf),
    /// Standard input, with a message a line.
    Stdin,
}

/// Where documents go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// A search engine.
    Search(SearchAddress),
    /// A topic of Kafka.
    Kafka(KafkaAddress),
    /// A file, with a document a line. It grows.
    File(PathBuf),
}

/// Where dead letters go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Letters {
    /// A topic of Kafka.
    Kafka(KafkaAddress),
    /// A file, with a letter a line. It grows.
    File(PathBuf),
}

/// An address cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{address}: {problem}")]
pub struct AddressError {
    address: String,
    problem: &'static str,
}

/// A scheme with its `://`.
const SCHEMES: [(&str, &str); 4] = [
    ("elasticsearch://", "http://"),
    ("opensearch://", "http://"),
    ("elasticsearch+https://", "https://"),
    ("opensearch+https://", "https://"),
];

impl FromStr for KafkaAddress {
    type Err = AddressError;

    fn from_str(address: &str) -> Result<Self, AddressError> {
        let error = |problem| AddressError { address: address.to_owned(), problem };
        let give = "give brokers and topics, such as kafka://10.0.0.5:9092/pages";
        let (brokers, topics) = address
            .strip_prefix("kafka://")
            .and_then(|rest| rest.split_once('/'))
            .ok_or_else(|| error(give))?;
        let topics: Vec<String> = topics.split(',').map(str::to_owned).collect();
        let is_name = |name: &String| {
            (1..=249).contains(&name.len())
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
        };
        if brokers.is_empty() || !topics.iter().all(is_name) {
            return Err(error(give));
        }
        let with_port = |broker: &str| match broker.rsplit_once(':') {
            Some((_, port)) if port.parse::<u16>().is_ok() => broker.to_owned(),
            _ => format!("{broker}:9092"),
        };
        let brokers = brokers.split(',').map(with_port).collect::<Vec<_>>().join(",");
        Ok(KafkaAddress { brokers, topics })
    }
}

impl KafkaAddress {
    /// The address of one topic.
    ///
    /// # Errors
    /// [`AddressError`] if there are several.
    fn of_one_topic(address: &str) -> Result<Self, AddressError> {
        let parsed: Self = address.parse()?;
        match parsed.topics.len() {
            1 => Ok(parsed),
            _ => Err(AddressError { address: address.to_owned(), problem: "give one topic to write to" }),
        }
    }
}

impl SearchAddress {
    fn parse(address: &str) -> Result<Self, AddressError> {
        let error = |problem| AddressError { address: without_password(address), problem };
        let give = "give a server and an index, such as elasticsearch://10.0.0.5:9200/pages";
        let known = SCHEMES.iter().find_map(|(scheme, http)| Some((address.strip_prefix(scheme)?, http)));
        let (rest, http) = known.ok_or_else(|| error(give))?;
        // By another scheme: those of HTTP leave their usual ports out.
        let url = url::Url::parse(&format!("search://{rest}")).map_err(|_| error(give))?;
        let index = url.path().trim_matches('/').to_owned();
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(|| error(give))?;
        if index.is_empty() || index.contains('/') || url.query().is_some() {
            return Err(error(give));
        }
        if index.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(error("the name of an index has no capital letters"));
        }
        let user = match (url.username(), url.password()) {
            ("", _) => None,
            (user, Some(password)) => Some((decoded(user), decoded(password))),
            (_, None) => return Err(error("give a password behind the user: USER:PASSWORD@")),
        };
        let port = url.port().unwrap_or(9200);
        Ok(SearchAddress { server: format!("{http}{host}:{port}"), index, user })
    }
}

/// A part of a URL without its escapes.
fn decoded(part: &str) -> String {
    url::form_urlencoded::parse(format!("x={}", part.replace('+', "%2B")).as_bytes())
        .next()
        .map_or_else(String::new, |(_, value)| value.into_owned())
}

/// An address as it may be shown.
fn without_password(address: &str) -> String {
    match (address.find("://"), address.rfind('@')) {
        (Some(scheme), Some(at)) if scheme < at => format!("{}://…{}", &address[..scheme], &address[at..]),
        _ => address.to_owned(),
    }
}

impl std::fmt::Debug for SearchAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.server, self.index)
    }
}

impl FromStr for Source {
    type Err = AddressError;

    fn from_str(address: &str) -> Result<Self, AddressError> {
        match address {
            "-" => Ok(Source::Stdin),
            _ if address.starts_with("kafka://") => Ok(Source::Kafka(address.parse()?)),
            _ => file(address).map(Source::File),
        }
    }
}

impl FromStr for Destination {
    type Err = AddressError;

    fn from_str(address: &str) -> Result<Self, AddressError> {
        match address {
            _ if address.starts_with("kafka://") => {
                Ok(Destination::Kafka(KafkaAddress::of_one_topic(address)?))
            }
            _ if SCHEMES.iter().any(|(scheme, _)| address.starts_with(scheme)) => {
                SearchAddress::parse(address).map(Destination::Search)
            }
            _ => file(address).map(Destination::File),
        }
    }
}

impl FromStr for Letters {
    type Err = AddressError;

    fn from_str(address: &str) -> Result<Self, AddressError> {
        match address.starts_with("kafka://") {
            true => Ok(Letters::Kafka(KafkaAddress::of_one_topic(address)?)),
            false => file(address).map(Letters::File),
        }
    }
}

/// A file. Another scheme would be a strange name for one, and so would a known one without its slashes. It may be written as `./kafka:x`.
fn file(address: &str) -> Result<PathBuf, AddressError> {
    let names = ["kafka:", "elasticsearch:", "opensearch:", "elasticsearch+https:", "opensearch+https:"];
    let problem = match address {
        "-" => "standard output is no destination; give a file, such as /dev/stdout",
        "" => "it is empty; give kafka://, elasticsearch://, opensearch:// or a file",
        _ if names.iter().any(|name| address.starts_with(name)) => {
            "two slashes are missing behind the scheme, as in kafka://HOST/TOPIC"
        }
        _ if address.contains("://") => {
            "this scheme is not known; give kafka://, elasticsearch://, opensearch:// or a file"
        }
        _ => return Ok(PathBuf::from(address)),
    };
    Err(AddressError { address: without_password(address), problem })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brokers_without_a_port_have_the_usual_one() {
        let address: KafkaAddress = "kafka://a,b:19092/pages,news.de".parse().unwrap();
        assert_eq!(
            (&address.brokers[..], address.topics),
            ("a:9092,b:19092", vec!["pages".to_owned(), "news.de".to_owned()])
        );
        for address in [
            "kafka://",
            "kafka://a",
            "kafka:///t",
            "kafka://a/",
            "kafka://a/t,",
            "kafka://a/ü",
            "kafka://a/t/u",
        ] {
            assert!(address.parse::<KafkaAddress>().is_err(), "{address}");
        }
        assert!("kafka://a/t,u".parse::<Destination>().is_err());
    }

    #[test]
    fn an_index_of_a_search_engine_has_a_server_and_perhaps_a_user() {
        let parse = |address: &str| match address.parse() {
            Ok(Destination::Search(SearchAddress { server, index, user })) => Ok((server, index, user)),
            other => Err(format!("{other:?}")),
        };
        let simple = ("http://h:9200".to_owned(), "pages".to_owned(), None);
        assert_eq!(parse("elasticsearch://h/pages").unwrap(), simple);
        assert_eq!(parse("opensearch://h:9200/pages/").unwrap(), simple);
        let (server, _, user) = parse("opensearch+https://me:p%40s+s@h:443/pages").unwrap();
        assert_eq!((&server[..], user), ("https://h:443", Some(("me".to_owned(), "p@s+s".to_owned()))));
        for address in [
            "elasticsearch://h",
            "elasticsearch:///i",
            "elasticsearch://h/Pages",
            "elasticsearch://h/a/b",
            "https://h/i",
        ] {
            parse(address).unwrap_err();
        }
        let message = parse("elasticsearch://me:secret@h/").unwrap_err();
        assert!(!message.contains("secret"), "{message}");
    }

    #[test]
    fn everything_else_is_a_file() {
        assert_eq!("-".parse(), Ok(Source::Stdin));
        assert_eq!("pages.jsonl".parse(), Ok(Source::File("pages.jsonl".into())));
        assert_eq!("dead.jsonl".parse(), Ok(Letters::File("dead.jsonl".into())));
        assert_eq!("./kafka:x".parse(), Ok(Destination::File("./kafka:x".into())));
        for address in ["http://h/x", "kafka:h/x", "opensearch:h/x", "elasticsearch+https:h/x", ""] {
            assert!(address.parse::<Source>().is_err(), "{address}");
            assert!(address.parse::<Destination>().is_err(), "{address}");
        }
        assert!("-".parse::<Destination>().is_err() && "-".parse::<Letters>().is_err());
    }
}
