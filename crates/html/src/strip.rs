use html5gum::State;

use super::{
    elements::ElementEffect,
    tokens::{MarkupName, MarkupTokens, Receiver},
    words::{Gap, WordCollector},
};

/// Appends the visible text of a page. It takes time linear in the length of any page. Attributes are not even collected.
pub(crate) fn text_of(page: &str, text: &mut String) {
    let strip = Strip {
        text: WordCollector::behind(std::mem::take(text).into_bytes()),
        is_hidden: false,
        templates: 0,
        preformatted: 0,
    };
    *text = MarkupTokens::read(page, strip).text.take();
}

/// Receives the tokens of a page, and keeps its visible text.
struct Strip {
    text: WordCollector,
    /// Whether this is inside an element that is not shown and holds no tags. The next tag is then its end.
    is_hidden: bool,
    /// The number of open templates, which may be nested.
    templates: u32,
    /// The number of open elements in which white space counts.
    preformatted: u32,
}

impl Strip {
    fn widen(&mut self, gap: Gap) {
        if self.templates == 0 {
            self.text.widen(gap);
        }
    }
}

impl Receiver for Strip {
    type Attributes = ();

    fn text(&mut self, text: &[u8]) {
        if self.is_hidden || self.templates > 0 {
            return;
        }
        if self.preformatted > 0 {
            self.text.push_verbatim(text);
        } else {
            self.text.push(text);
        }
    }

    fn start(&mut self, tag: MarkupName, (): &(), is_self_closing: bool) -> Option<State> {
        match ElementEffect::named(tag.known()) {
            ElementEffect::Inline => {}
            ElementEffect::Block => self.widen(Gap::Line),
            ElementEffect::Cell => self.widen(Gap::Tab),
            ElementEffect::Preformatted => {
                self.widen(Gap::Line);
                self.preformatted += u32::from(!is_self_closing && self.templates == 0);
            }
            ElementEffect::Template => self.templates += u32::from(!is_self_closing),
            // Browsers read XHTML in this way. A page that is not XHTML seldom hides much behind such a tag.
            ElementEffect::Hidden(_) if is_self_closing => {}
            ElementEffect::Hidden(content) => {
                self.is_hidden = true;
                return Some(content);
            }
            ElementEffect::Verbatim(content) => {
                self.widen(Gap::Line);
                return Some(content);
            }
        }
        None
    }

    fn end(&mut self, tag: MarkupName) {
        self.is_hidden = false;
        match ElementEffect::named(tag.known()) {
            ElementEffect::Inline | ElementEffect::Hidden(_) => {}
            ElementEffect::Block | ElementEffect::Verbatim(_) => self.widen(Gap::Line),
            ElementEffect::Cell => self.widen(Gap::Tab),
            ElementEffect::Preformatted => {
                self.widen(Gap::Line);
                self.preformatted = self.preformatted.saturating_sub(u32::from(self.templates == 0));
            }
            ElementEffect::Template => self.templates = self.templates.saturating_sub(1),
        }
    }
}

#[cfg(test)]
mod tests;
