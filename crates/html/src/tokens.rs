//! The tags and texts of a page, given to a receiver.

use std::convert::Infallible;

use html5gum::{Emitter, Error, State, Tokenizer};

/// What reads a page: it gets each tag and each piece of text, in order.
pub(super) trait Receiver {
    /// The attributes of a start tag that the receiver reads.
    type Attributes: Attributes;

    /// Receives characters. The pieces of one text may come in several calls.
    fn text(&mut self, text: &[u8]);

    /// Receives a start tag. Returns the state in which the tokenizer reads its content, if it is not markup.
    fn start(
        &mut self,
        tag: MarkupName,
        attributes: &Self::Attributes,
        is_self_closing: bool,
    ) -> Option<State>;

    /// Receives an end tag.
    fn end(&mut self, tag: MarkupName);
}

/// Collects the attributes of a tag.
pub(super) trait Attributes: Default {
    /// Forgets those of the last tag.
    fn clear(&mut self);
    /// Starts the next attribute of the tag.
    fn next(&mut self);
    /// Appends to the name of the attribute.
    fn push_name(&mut self, part: &[u8]);
    /// Appends to its value.
    fn push_value(&mut self, part: &[u8]);
    /// Ends the last attribute of the tag.
    fn finish(&mut self);
}

/// Attributes are not even collected.
impl Attributes for () {
    fn clear(&mut self) {}
    fn next(&mut self) {}
    fn push_name(&mut self, _: &[u8]) {}
    fn push_value(&mut self, _: &[u8]) {}
    fn finish(&mut self) {}
}

/// The name of a tag or of an attribute. Its first bytes are stored, as many as the longest known name has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct MarkupName {
    bytes: [u8; NAME_BYTES],
    /// The length of the whole name.
    length: usize,
}

/// The longest known names are `foreignobject` and `aria-hidden`.
const NAME_BYTES: usize = 14;

impl MarkupName {
    pub(super) fn push(&mut self, part: &[u8]) {
        let kept = part.len().min(NAME_BYTES.saturating_sub(self.length));
        if kept > 0 {
            self.bytes[self.length..self.length + kept].copy_from_slice(&part[..kept]);
        }
        self.length += part.len();
    }

    /// The name, or nothing if it is longer than all known names.
    pub(super) fn known(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// The first bytes of the name.
    pub(super) fn start(&self) -> &[u8] {
        &self.bytes[..self.length.min(NAME_BYTES)]
    }
}

/// Gives the tokens of a page to a receiver. It takes time linear in the length of any page, if the receiver does.
pub(super) struct MarkupTokens<R: Receiver> {
    receiver: R,
    attributes: R::Attributes,
    tag: MarkupName,
    /// The last start tag. Inside an element that holds no tags, only an end tag of this name ends it.
    start_tag: MarkupName,
    is_end: bool,
    is_self_closing: bool,
}

impl<R: Receiver> MarkupTokens<R> {
    /// Reads a whole page.
    pub(super) fn read(page: &str, receiver: R) -> R {
        let mut tokens = MarkupTokens {
            receiver,
            attributes: R::Attributes::default(),
            tag: MarkupName::default(),
            start_tag: MarkupName::default(),
            is_end: false,
            is_self_closing: false,
        };
        let Ok(()) = Tokenizer::new_with_emitter(page, &mut tokens).finish();
        tokens.receiver
    }
}

impl<R: Receiver> Emitter for &mut MarkupTokens<R> {
    type Token = Infallible;

    fn emit_string(&mut self, text: &[u8]) {
        // The tokenizer gives a NUL on its own. It is never part of the text.
        if text != b"\0" {
            self.receiver.text(text);
        }
    }

    fn init_start_tag(&mut self) {
        (self.tag, self.is_end, self.is_self_closing) = (MarkupName::default(), false, false);
        self.attributes.clear();
    }

    fn init_end_tag(&mut self) {
        (self.tag, self.is_end, self.is_self_closing) = (MarkupName::default(), true, false);
        self.attributes.clear();
    }

    fn push_tag_name(&mut self, part: &[u8]) {
        self.tag.push(part);
    }

    fn set_self_closing(&mut self) {
        self.is_self_closing = true;
    }

    fn init_attribute(&mut self) {
        self.attributes.next();
    }

    fn push_attribute_name(&mut self, part: &[u8]) {
        self.attributes.push_name(part);
    }

    fn push_attribute_value(&mut self, part: &[u8]) {
        self.attributes.push_value(part);
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        if self.is_end {
            self.receiver.end(self.tag);
            return None;
        }
        self.attributes.finish();
        self.start_tag = self.tag;
        self.receiver.start(self.tag, &self.attributes, self.is_self_closing)
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
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
}
