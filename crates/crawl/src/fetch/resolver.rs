//! Names to addresses, without those that a page must not lead to.

use super::address::is_public;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::error::Error;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, OnceLock};
use url::{Host, Url};

/// All addresses of a name are private.
#[derive(Debug, thiserror::Error)]
#[error("{name} is the private address {address}")]
pub(crate) struct PrivateName {
    pub(crate) name: String,
    pub(crate) address: IpAddr,
}

/// The server that the user typed. It alone may have private addresses.
#[derive(Clone, Debug)]
pub(crate) struct TypedServer {
    url: Url,
    /// Whether the first answer for its name had private addresses only. A name that is public at first, and private later, belongs to somebody
    /// who wants to reach the servers behind this machine.
    is_private: Arc<OnceLock<bool>>,
}

impl TypedServer {
    pub(crate) fn of(url: &Url) -> Self {
        TypedServer { url: url.clone(), is_private: Arc::default() }
    }

    /// Whether a URL is of this server. On their own ports, HTTP and HTTPS are one server.
    pub(crate) fn has(&self, url: &Url) -> bool {
        let ports = [&self.url, url].map(Url::port_or_known_default);
        self.url.host() == url.host()
            && (ports[0] == ports[1] || ports.iter().all(|port| matches!(port, Some(80 | 443))))
    }

    /// Whether a request for a URL is encrypted if one for the typed URL is.
    pub(crate) fn is_as_safe(&self, url: &Url) -> bool {
        url.scheme() == "https" || url.scheme() == self.url.scheme()
    }

    /// The private address that a URL names, if the user did not type it. The resolver is never asked for addresses.
    pub(crate) fn private_address(&self, url: &Url) -> Option<IpAddr> {
        let address = match url.host()? {
            Host::Ipv4(address) => IpAddr::V4(address),
            Host::Ipv6(address) => IpAddr::V6(address),
            Host::Domain(_) => return None,
        };
        (!is_public(address) && !self.has(url)).then_some(address)
    }

    /// The addresses of this server that may be connected to.
    fn allowed(&self, found: &[SocketAddr]) -> Vec<SocketAddr> {
        let is_private = || !found.iter().any(|found| is_public(found.ip()));
        let is_private = !found.is_empty() && *self.is_private.get_or_init(is_private);
        found.iter().copied().filter(|found| is_private || is_public(found.ip())).collect()
    }
}

/// Asks the system for the addresses of the server that the user typed. Only these are connected to, so a name cannot change its address after
/// the check.
impl Resolve for TypedServer {
    fn resolve(&self, name: Name) -> Resolving {
        let server = self.clone();
        Box::pin(async move { lookup(name, |found| server.allowed(found)).await })
    }
}

/// Asks the system for the addresses of any other server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PublicOnly;

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        let public =
            |found: &[SocketAddr]| found.iter().copied().filter(|found| is_public(found.ip())).collect();
        Box::pin(lookup(name, public))
    }
}

async fn lookup(
    name: Name,
    allowed: impl Fn(&[SocketAddr]) -> Vec<SocketAddr>,
) -> Result<Addrs, Box<dyn Error + Send + Sync>> {
    let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
    let allowed = allowed(&found);
    match (allowed.is_empty(), found.first()) {
        (true, Some(found)) => {
            Err(Box::from(PrivateName { name: name.as_str().to_owned(), address: found.ip() }))
        }
        _ => Ok(Box::new(allowed.into_iter())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(url: &str) -> TypedServer {
        TypedServer::of(&Url::parse(url).unwrap())
    }

    #[test]
    fn private_addresses_in_a_url_are_allowed_only_if_they_were_typed_with_this_port() {
        let typed_8000 = typed("http://127.0.0.1:8000/");
        let address = |text: &str| typed_8000.private_address(&Url::parse(text).unwrap());
        assert_eq!(address("http://127.0.0.1:8000/x"), None);
        for other in [
            "http://127.0.0.2:8000/",
            "http://127.0.0.1/",
            "http://127.0.0.1:9200/",
            "http://2130706433/",
            "http://[::ffff:7f00:1]:8000/",
            "http://0x7f.2/",
        ] {
            assert!(address(other).is_some(), "{other}");
        }
        assert_eq!(address("http://8.8.8.8/"), None);
        assert_eq!(address("http://localhost/"), None, "the resolver decides");
        let https = Url::parse("https://10.0.0.1/").unwrap();
        assert_eq!(typed("http://10.0.0.1/").private_address(&https), None, "one server");
    }

    #[test]
    fn a_name_that_was_public_at_first_has_no_private_address_later() {
        let address = |text: &str| SocketAddr::new(text.parse().unwrap(), 0);
        let (public, private) = (address("8.8.8.8"), address("169.254.169.254"));
        let server = typed("https://example.org/");
        assert_eq!(server.allowed(&[]), []);
        assert_eq!(server.allowed(&[public, private]), [public]);
        assert_eq!(server.clone().allowed(&[private]), []);
        let local = typed("http://staging.test/");
        assert_eq!(local.allowed(&[private]), [private]);
        assert_eq!(local.allowed(&[private, public]), [private, public]);
    }
}
