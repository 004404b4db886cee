//! The attributes that say something about a page.

use std::str;

use crate::tokens::{Attributes, MarkupName};

/// A known attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attribute {
    AriaHidden,
    Class,
    Content,
    Hidden,
    Href,
    HrefLang,
    HttpEquiv,
    Id,
    Lang,
    Name,
    Rel,
    Role,
    Style,
    Type,
}

impl Attribute {
    const COUNT: usize = Attribute::Type as usize + 1;

    fn named(name: &[u8]) -> Option<Attribute> {
        Some(match name {
            b"aria-hidden" => Attribute::AriaHidden,
            b"class" => Attribute::Class,
            b"content" => Attribute::Content,
            b"hidden" => Attribute::Hidden,
            b"href" => Attribute::Href,
            b"hreflang" => Attribute::HrefLang,
            b"http-equiv" => Attribute::HttpEquiv,
            b"id" => Attribute::Id,
            b"lang" => Attribute::Lang,
            b"name" => Attribute::Name,
            b"rel" => Attribute::Rel,
            b"role" => Attribute::Role,
            b"style" => Attribute::Style,
            b"type" => Attribute::Type,
            _ => return None,
        })
    }
}

/// The known attributes of a tag.
#[derive(Debug, Default)]
pub(super) struct TagAttributes {
    /// The name of the current attribute, until its value starts.
    name: Option<MarkupName>,
    /// The current attribute, if it is known and is the first one of its name.
    current: Option<Attribute>,
    /// All values, one behind the other.
    values: Vec<u8>,
    places: [Option<(usize, usize)>; Attribute::COUNT],
}

impl TagAttributes {
    /// The value of an attribute. It is empty for an attribute without a value.
    pub(super) fn get(&self, attribute: Attribute) -> Option<&str> {
        self.bytes(attribute).map(|value| str::from_utf8(value).unwrap_or_default())
    }

    /// The bytes of a value.
    pub(super) fn bytes(&self, attribute: Attribute) -> Option<&[u8]> {
        self.places[attribute as usize].map(|(start, end)| &self.values[start..end])
    }

    /// Whether the element and all in it are not shown.
    pub(super) fn hide(&self) -> bool {
        self.bytes(Attribute::Hidden).is_some()
            || self.bytes(Attribute::AriaHidden).is_some_and(|value| value.eq_ignore_ascii_case(b"true"))
            || self.bytes(Attribute::Style).is_some_and(is_display_none)
    }
}

impl Attributes for TagAttributes {
    fn clear(&mut self) {
        if !self.values.is_empty() || self.places.iter().any(Option::is_some) {
            self.values.clear();
            self.places = [None; Attribute::COUNT];
        }
        (self.name, self.current) = (None, None);
    }

    fn next(&mut self) {
        self.finish();
        (self.name, self.current) = (Some(MarkupName::default()), None);
    }

    fn push_name(&mut self, part: &[u8]) {
        if let Some(name) = &mut self.name {
            name.push(part);
        }
    }

    fn push_value(&mut self, part: &[u8]) {
        self.finish();
        if let Some(place) = self.current.and_then(|current| self.places[current as usize].as_mut()) {
            self.values.extend_from_slice(part);
            place.1 = self.values.len();
        }
    }

    fn finish(&mut self) {
        let Some(name) = self.name.take() else {
            return;
        };
        let end = self.values.len();
        self.current =
            Attribute::named(name.known()).filter(|attribute| self.places[*attribute as usize].is_none());
        if let Some(attribute) = self.current {
            self.places[attribute as usize] = Some((end, end));
        }
    }
}

/// Whether a `style` holds `display: none`.
fn is_display_none(style: &[u8]) -> bool {
    style.split(|byte| *byte == b';').any(|declaration| {
        let mut parts = declaration.splitn(2, |byte| *byte == b':').map(<[u8]>::trim_ascii);
        parts.next().is_some_and(|name| name.eq_ignore_ascii_case(b"display"))
            && parts
                .next()
                .is_some_and(|value| value.get(..4).is_some_and(|value| value.eq_ignore_ascii_case(b"none")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_attribute_of_a_name_counts() {
        let mut attributes = TagAttributes::default();
        for (name, value) in [("href", "/a"), ("data-href", "/b"), ("href", "/c"), ("hidden", "")] {
            attributes.next();
            attributes.push_name(name.as_bytes());
            for part in value.as_bytes().chunks(1) {
                attributes.push_value(part);
            }
        }
        attributes.finish();
        assert_eq!(attributes.get(Attribute::Href), Some("/a"));
        assert_eq!(attributes.get(Attribute::Hidden), Some(""));
        assert!(attributes.hide());
        attributes.clear();
        assert!(!attributes.hide());
        assert_eq!(attributes.get(Attribute::Href), None);
    }

    #[test]
    fn display_none_is_found_among_other_declarations() {
        for style in ["display:none", "color : red; DISPLAY : None !important;", " display:none;"] {
            assert!(is_display_none(style.as_bytes()), "{style}");
        }
        for style in ["", "display:block", "x-display:none", "display", "content:'display:none'"] {
            assert!(!is_display_none(style.as_bytes()), "{style}");
        }
    }
}
