//! The style of all pages, and the policy that allows only this style.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// The style of all pages.
pub(crate) const STYLE: &str = include_str!("../templates/style.css");

/// The `Content-Security-Policy` of all pages. It allows the style, by its hash, and nothing else.
pub(crate) static POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = STANDARD.encode(Sha256::digest(STYLE));
    format!("default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'")
});

#[cfg(test)]
mod tests {
    use super::STYLE;
    use std::collections::HashMap;

    /// The relative luminance of each colour of a scheme, by the colour's name, as WCAG 2.2 defines it.
    fn luminances(scheme: &str) -> HashMap<&str, f64> {
        let channel = |digits: &str| {
            let value = f64::from(u8::from_str_radix(digits, 16).unwrap()) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        let colours = scheme.split("--").skip(1).filter_map(|colour| colour.split_once(": #"));
        let luminance = |hex: &str| {
            0.2126 * channel(&hex[..2]) + 0.7152 * channel(&hex[2..4]) + 0.0722 * channel(&hex[4..6])
        };
        colours.map(|(name, hex)| (name, luminance(hex))).collect()
    }

    #[test]
    fn colours_can_be_read_in_light_and_dark() {
        let schemes: Vec<&str> =
            STYLE.split(":root {").skip(1).map(|rest| rest.split('}').next().unwrap()).collect();
        assert_eq!(schemes.len(), 2);
        for scheme in schemes {
            let luminances = luminances(scheme);
            let check = |front: &str, back: &str| {
                let (front_light, back_light) = (luminances[front] + 0.05, luminances[back] + 0.05);
                let contrast = (front_light / back_light).max(back_light / front_light);
                assert!(contrast >= 4.5, "{front} on {back}: {contrast:.2}");
            };
            for back in ["page", "panel"] {
                ["text", "faint", "link"].iter().for_each(|front| check(front, back));
            }
            for number in 1..=6 {
                check("text", &format!("tint-{number}"));
                check("panel", &format!("edge-{number}"));
            }
        }
    }
}
