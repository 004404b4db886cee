//! Addresses that a page of the internet must not lead to.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is of the public internet. Others are of this machine, of a private network, or of nobody.
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match embedded(address) {
            Some(embedded) => is_public_v4(embedded),
            None => is_public_v6(address),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let reserved = matches!(
        (a, b, c),
        (0, ..) // this network
            | (100, 64..=127, _) // carrier-grade NAT
            | (192, 0, 0) // protocol assignments
            | (198, 18..=19, _) // benchmarks
            | (240..=255, ..) // reserved, and broadcast
    );
    !(reserved
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    // All public addresses are in 2000::/3. 2001::/23 is for protocols (Teredo hides an IPv4 address), 2001:db8::/32 for documentation.
    let [first, second, ..] = address.segments();
    (first & 0xe000) == 0x2000 && !(first == 0x2001 && (second < 0x200 || second == 0xdb8)) && first != 0x3fff
}

/// The IPv4 address that an IPv6 address stands for.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let segments = address.segments();
    let of = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    match segments {
        // Mapped and compatible; `::` and `::1` are compatible forms of 0.0.0.0 and 0.0.0.1, which are not public.
        [0, 0, 0, 0, 0, 0xffff | 0, high, low] => Some(of(high, low)),
        // Translated (SIIT).
        [0, 0, 0, 0, 0xffff, 0, high, low] => Some(of(high, low)),
        // NAT64, well-known and for local use.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(of(high, low)),
        [0x64, 0xff9b, 1, ..] => Some(Ipv4Addr::UNSPECIFIED),
        // 6to4.
        [0x2002, high, low, ..] => Some(of(high, low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_machine_and_of_private_networks_are_not_public_in_any_form() {
        for address in [
            "0.0.0.0",
            "127.0.0.1",
            "127.9.9.9",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "192.0.2.1",
            "198.18.0.1",
            "::",
            "::1",
            "fe80::1",
            "fd00::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "::127.0.0.1",
            "::ffff:0:10.0.0.1",
            "64:ff9b::a00:1",
            "64:ff9b:1::808:808",
            "2002:7f00:1::",
            "2001:db8::1",
            "2001::1",
            "3fff::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn addresses_of_the_internet_are_public() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "100.128.0.1",
            "172.32.0.1",
            "2606:4700::1111",
            "64:ff9b::808:808",
            "2002:808:808::",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }
}
