//! Names to addresses, without those that a page must not lead to.

use super::address::is_public;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::net::{IpAddr, SocketAddr};
use url::{Host, Url};

/// All addresses of a name are private.
#[derive(Debug, thiserror::Error)]
#[error("{name} is the private address {address}")]
pub(crate) struct PrivateName {
    pub(crate) name: String,
    pub(crate) address: IpAddr,
}

/// The host that the user typed. It alone may have private addresses.
#[derive(Clone, Debug)]
pub(crate) struct TypedHost(pub(crate) Option<Host<String>>);

impl TypedHost {
    pub(crate) fn of(url: &Url) -> Self {
        TypedHost(url.host().map(|host| host.to_owned()))
    }

    fn is(&self, name: &str) -> bool {
        matches!(&self.0, Some(Host::Domain(typed)) if typed.eq_ignore_ascii_case(name))
    }

    /// The private address that a URL names, if the user did not type it. The resolver is never asked for addresses.
    pub(crate) fn private_address(&self, url: &Url) -> Option<IpAddr> {
        let host = url.host()?;
        let address = match host {
            Host::Ipv4(address) => IpAddr::V4(address),
            Host::Ipv6(address) => IpAddr::V6(address),
            Host::Domain(_) => return None,
        };
        (!is_public(address) && self.0.as_ref() != Some(&host.to_owned())).then_some(address)
    }
}

/// Asks the system for addresses. Only these are connected to, so a name cannot change its address after the check.
impl Resolve for TypedHost {
    fn resolve(&self, name: Name) -> Resolving {
        let is_typed = self.is(name.as_str());
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let allowed: Vec<SocketAddr> =
                found.iter().copied().filter(|found| is_typed || is_public(found.ip())).collect();
            match (allowed.is_empty(), found.first()) {
                (true, Some(found)) => {
                    Err(Box::from(PrivateName { name: name.as_str().to_owned(), address: found.ip() }))
                }
                _ => Ok(Box::new(allowed.into_iter()) as Addrs),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_in_a_url_are_allowed_only_if_they_were_typed() {
        let url = |text: &str| Url::parse(text).unwrap();
        let typed = TypedHost::of(&url("http://127.0.0.1:8000/"));
        assert_eq!(typed.private_address(&url("http://127.0.0.1:8000/x")), None);
        for other in ["http://127.0.0.2/", "http://2130706434/", "http://[::ffff:7f00:1]/", "http://0x7f.2/"]
        {
            assert!(typed.private_address(&url(other)).is_some(), "{other}");
        }
        assert_eq!(typed.private_address(&url("http://8.8.8.8/")), None);
        assert_eq!(typed.private_address(&url("http://localhost/")), None, "the resolver decides");
    }
}
