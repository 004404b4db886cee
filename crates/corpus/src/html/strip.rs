use std::convert::Infallible;

use html5gum::{Emitter, Error, State, Tokenizer};

use super::elements::Element;

/// Appends the visible text of a page. It takes time linear in the length of any page. Attributes are not even collected.
pub(crate) fn text_of(page: &str, text: &mut String) {
    let mut bytes = std::mem::take(text).into_bytes();
    let emitter = Strip {
        text: &mut bytes,
        gap: Gap::Nothing,
        tag: Name::default(),
        start_tag: Name::default(),
        is_end: false,
        is_self_closing: false,
        is_hidden: false,
        templates: 0,
        preformatted: 0,
    };
    let Ok(()) = Tokenizer::new_with_emitter(page, emitter).finish();
    // The tokenizer cuts only at ASCII characters. If it ever did not, a character would be lost, and nothing else.
    *text = String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
}

/// Receives the tokens of a page, and keeps its visible text.
struct Strip<'t> {
    text: &'t mut Vec<u8>,
    /// The separator to write before the next text.
    gap: Gap,
    tag: Name,
    /// The last start tag. Inside an element that holds no tags, only an end tag of this name ends it.
    start_tag: Name,
    is_end: bool,
    is_self_closing: bool,
    /// Whether this is inside an element that is not shown and holds no tags. The next tag is then its end.
    is_hidden: bool,
    /// The number of open templates, which may be nested.
    templates: u32,
    /// The number of open elements in which white space counts.
    preformatted: u32,
}

/// The separator between two pieces of text. The greater of two separators is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    Nothing,
    Space,
    Tab,
    Line,
}

/// The name of a tag. Its first bytes are stored, as many as the longest known name has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Name {
    bytes: [u8; NAME_BYTES],
    /// The length of the whole name.
    length: usize,
}

/// The longest known names, `blockquote` and `figcaption`, have ten letters.
const NAME_BYTES: usize = 12;

impl Name {
    fn push(&mut self, part: &[u8]) {
        let kept = part.len().min(NAME_BYTES.saturating_sub(self.length));
        if kept > 0 {
            self.bytes[self.length..self.length + kept].copy_from_slice(&part[..kept]);
        }
        self.length += part.len();
    }

    fn element(&self) -> Element {
        // A longer name is not a known name.
        self.bytes.get(..self.length).map_or(Element::Inline, Element::named)
    }
}

impl Strip<'_> {
    fn push_gap(&mut self) {
        let gap = std::mem::replace(&mut self.gap, Gap::Nothing);
        match gap {
            _ if self.text.is_empty() => {}
            Gap::Nothing => {}
            Gap::Space => self.text.push(b' '),
            Gap::Tab => self.text.push(b'\t'),
            Gap::Line => self.text.push(b'\n'),
        }
    }

    fn widen(&mut self, gap: Gap) {
        if self.templates == 0 {
            self.gap = self.gap.max(gap);
        }
    }

    fn push_words(&mut self, mut text: &[u8]) {
        while let Some(start) = text.iter().position(|byte| !byte.is_ascii_whitespace()) {
            if start > 0 {
                self.widen(Gap::Space);
            }
            self.push_gap();
            text = &text[start..];
            let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
            self.text.extend_from_slice(&text[..end]);
            text = &text[end..];
        }
        if !text.is_empty() {
            self.widen(Gap::Space);
        }
    }

    fn start(&mut self, element: Element) -> Option<State> {
        match element {
            Element::Inline => {}
            Element::Block => self.widen(Gap::Line),
            Element::Cell => self.widen(Gap::Tab),
            Element::Preformatted => {
                self.widen(Gap::Line);
                self.preformatted += u32::from(!self.is_self_closing && self.templates == 0);
            }
            Element::Template => self.templates += u32::from(!self.is_self_closing),
            // Browsers read XHTML in this way. A page that is not XHTML seldom hides much behind such a tag.
            Element::Hidden(_) if self.is_self_closing => {}
            Element::Hidden(content) => {
                self.is_hidden = true;
                return Some(content);
            }
            Element::Verbatim(content) => {
                self.widen(Gap::Line);
                return Some(content);
            }
        }
        None
    }

    fn end(&mut self, element: Element) {
        self.is_hidden = false;
        match element {
            Element::Inline | Element::Hidden(_) => {}
            Element::Block | Element::Verbatim(_) => self.widen(Gap::Line),
            Element::Cell => self.widen(Gap::Tab),
            Element::Preformatted => {
                self.widen(Gap::Line);
                self.preformatted = self.preformatted.saturating_sub(u32::from(self.templates == 0));
            }
            Element::Template => self.templates = self.templates.saturating_sub(1),
        }
    }
}

impl Emitter for Strip<'_> {
    type Token = Infallible;

    fn emit_string(&mut self, text: &[u8]) {
        // The tokenizer gives a NUL on its own. It is never part of the text.
        if self.is_hidden || self.templates > 0 || text == b"\0" {
            return;
        }
        if self.preformatted > 0 {
            self.push_gap();
            self.text.extend_from_slice(text);
        } else {
            self.push_words(text);
        }
    }

    fn init_start_tag(&mut self) {
        (self.tag, self.is_end, self.is_self_closing) = (Name::default(), false, false);
    }

    fn init_end_tag(&mut self) {
        (self.tag, self.is_end, self.is_self_closing) = (Name::default(), true, false);
    }

    fn push_tag_name(&mut self, part: &[u8]) {
        self.tag.push(part);
    }

    fn set_self_closing(&mut self) {
        self.is_self_closing = true;
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        let element = self.tag.element();
        if self.is_end {
            self.end(element);
            return None;
        }
        self.start_tag = self.tag;
        self.start(element)
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.is_end && self.tag == self.start_tag
    }

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn pop_token(&mut self) -> Option<Infallible> {
        None
    }

    // These tokens have no text.
    fn set_last_start_tag(&mut self, _: Option<&[u8]>) {}
    fn emit_eof(&mut self) {}
    fn emit_error(&mut self, _: Error) {}
    fn init_comment(&mut self) {}
    fn emit_current_comment(&mut self) {}
    fn emit_current_doctype(&mut self) {}
    fn set_force_quirks(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn init_doctype(&mut self) {}
    fn init_attribute(&mut self) {}
    fn push_attribute_name(&mut self, _: &[u8]) {}
    fn push_attribute_value(&mut self, _: &[u8]) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
}

#[cfg(test)]
mod tests;
