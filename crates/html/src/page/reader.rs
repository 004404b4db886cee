//! Turns the tags of a page into what it says.

use std::mem;

use html5gum::State;

use super::{
    Area, Block, BlockKind, HtmlLink, HtmlPage, WORDS_WITHOUT_SCRIPTS,
    attributes::{Attribute, TagAttributes},
    count::count_words,
    declared::{declare, has_word},
    open::{OpenElements, TextContext},
};
use crate::{
    elements::ElementEffect,
    tokens::{MarkupName, Receiver},
    words::{Gap, WordCollector},
};

/// A page hides itself, and not only menus, if it hides so many times the words that it shows.
const HIDDEN_TIMES: u32 = 3;

/// What is shown of a page, beside what browsers show at once.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ShownParts {
    /// What attributes hide.
    hidden: bool,
    /// The content of `<noscript>`.
    noscript: bool,
}

/// Receives the tokens of a page.
#[derive(Default)]
pub(super) struct PageReader {
    page: HtmlPage,
    shown: ShownParts,
    /// The words that attributes hide, and those in `<noscript>` with its markup.
    hidden_words: u32,
    noscript_words: u32,
    open: OpenElements,
    /// The number of open templates, which may be nested.
    templates: u32,
    content: TextKind,
    title: WordCollector,
    block: WordCollector,
    /// Where the current block started.
    context: TextContext,
    /// The text of the open link, which is the last of the page.
    link: Option<WordCollector>,
    /// The words of the block in links before the open one.
    linked: u32,
    /// The place in the block where the open link starts.
    linked_from: usize,
    /// The forms of the blocks and of the links, and the words of each form.
    forms_of_blocks: Vec<u32>,
    forms_of_links: Vec<u32>,
    words_of_forms: Vec<u32>,
    elements_of_blocks: Vec<u32>,
}

/// What the current text is. The next tag ends all but the first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum TextKind {
    #[default]
    Markup,
    Title,
    Hidden,
    NoScript,
    /// The text in a field of a form.
    Field,
    /// Text in which nothing is markup.
    Code,
}

impl PageReader {
    pub(super) fn showing(shown: ShownParts) -> Self {
        PageReader { shown, ..PageReader::default() }
    }

    /// What else to show if the page shows next to nothing. Many pages hide themselves until their scripts have run, and forums of one
    /// wide-spread kind have their posts in `<noscript>` only.
    pub(super) fn shows_too_little(&self) -> Option<ShownParts> {
        let words = self.page.words().saturating_add(count_words(&self.block.text));
        let hidden = self.hidden_words / HIDDEN_TIMES > words;
        let noscript = words < WORDS_WITHOUT_SCRIPTS && self.noscript_words > WORDS_WITHOUT_SCRIPTS;
        (hidden || noscript).then_some(ShownParts { hidden, noscript })
    }

    /// What the page says.
    pub(super) fn finish(mut self) -> HtmlPage {
        self.end_title();
        self.end_link();
        self.end_block();
        self.give_back_forms();
        self.page.elements = self.elements_of_blocks;
        self.page.tree = mem::take(&mut self.open.tree);
        self.page
    }

    /// A form with more than half of the words is no form to fill in, but one around the page.
    fn give_back_forms(&mut self) {
        let words = self.page.words();
        let is_form = |form: u32| {
            let in_form = self.words_of_forms.get(form as usize).copied().unwrap_or_default();
            form > 0 && u64::from(in_form) * 2 <= u64::from(words)
        };
        for (block, _) in
            self.page.blocks.iter_mut().zip(&self.forms_of_blocks).filter(|(_, form)| is_form(**form))
        {
            block.area = Area::Form;
        }
        for (link, _) in
            self.page.links.iter_mut().zip(&self.forms_of_links).filter(|(_, form)| is_form(**form))
        {
            link.area = Area::Form;
        }
    }

    fn end_title(&mut self) {
        if self.page.title.is_none() {
            self.page.title = Some(self.title.take()).filter(|title| !title.is_empty());
        }
    }

    /// The words of the block since the open link started.
    fn words_in_link(&self) -> u32 {
        self.link
            .as_ref()
            .map_or(0, |_| count_words(self.block.text.get(self.linked_from..).unwrap_or_default()))
    }

    fn end_block(&mut self) {
        let linked = mem::take(&mut self.linked) + self.words_in_link();
        self.linked_from = 0;
        let text = self.block.take();
        let text = text.trim_start_matches(['\n', '\r']).trim_end();
        if text.trim_start().is_empty() {
            return;
        }
        let TextContext { area, kind, path, form, .. } = self.context;
        let words = count_words(text.as_bytes());
        if kind == BlockKind::Heading(1) && self.page.heading.is_none() {
            self.page.heading = Some(text.replace('\n', " "));
        }
        let form = form as usize;
        if self.words_of_forms.len() <= form {
            self.words_of_forms.resize(form + 1, 0);
        }
        self.words_of_forms[form] = self.words_of_forms[form].saturating_add(words);
        self.forms_of_blocks.push(self.context.form);
        self.elements_of_blocks.push(self.context.element);
        self.page.blocks.push(Block {
            text: text.to_owned(),
            area,
            kind,
            words,
            linked: linked.min(words),
            path,
        });
    }

    /// Ends a line, or the block if the line is already ended.
    fn end_line(&mut self) {
        if self.block.is_at_line_start() {
            self.end_block();
        } else {
            self.block.widen(Gap::Line);
        }
        self.widen_link();
    }

    fn widen_link(&mut self) {
        if let Some(link) = &mut self.link {
            link.widen(Gap::Space);
        }
    }

    fn start_link(&mut self, attributes: &TagAttributes) {
        self.end_link();
        let Some(href) = attributes.get(Attribute::Href) else {
            return;
        };
        if self.open.is_drawing() {
            return;
        }
        let context = self.open.context();
        self.page.links.push(HtmlLink {
            href: href.trim_ascii().to_owned(),
            text: String::new(),
            nofollow: has_word(attributes.get(Attribute::Rel), "nofollow"),
            area: context.area,
        });
        self.forms_of_links.push(context.form);
        self.link = Some(WordCollector::default());
        self.linked_from = self.block.text.len();
    }

    fn end_link(&mut self) {
        self.linked += self.words_in_link();
        let Some(mut text) = self.link.take() else {
            return;
        };
        if let Some(link) = self.page.links.last_mut() {
            link.text = text.take();
        }
    }
}

impl Receiver for PageReader {
    type Attributes = TagAttributes;

    fn text(&mut self, text: &[u8]) {
        match self.content {
            _ if self.templates > 0 => return,
            TextKind::NoScript => {
                self.noscript_words = self.noscript_words.saturating_add(count_words(text));
                return;
            }
            TextKind::Hidden => return,
            TextKind::Title if self.page.title.is_none() => return self.title.push(text),
            TextKind::Title => return,
            TextKind::Markup | TextKind::Field | TextKind::Code => {}
        }
        if let Some(link) = &mut self.link {
            link.push(text);
        }
        let context = self.open.context();
        if context.is_hidden && (!self.shown.hidden || self.open.is_drawing()) {
            self.hidden_words = self.hidden_words.saturating_add(count_words(text));
            return;
        }
        if self.block.text.is_empty() {
            self.context = context;
            match self.content {
                TextKind::Field if context.area.is_content() => {
                    (self.context.area, self.context.form) = (Area::Form, 0);
                }
                TextKind::Code => self.context.kind = BlockKind::Code,
                _ => {}
            }
        }
        if context.is_preformatted {
            self.block.push_verbatim(text);
        } else {
            self.block.push(text);
        }
    }

    fn start(&mut self, tag: MarkupName, attributes: &TagAttributes, is_self_closing: bool) -> Option<State> {
        let element = ElementEffect::named(tag.known());
        if self.templates == 0 {
            declare(&mut self.page, tag.known(), attributes);
        }
        match element {
            ElementEffect::Template => {
                self.templates += u32::from(!is_self_closing);
                return None;
            }
            ElementEffect::Hidden(_) if self.shown.noscript && tag.known() == b"noscript" => return None,
            ElementEffect::Hidden(_) if is_self_closing => {
                self.count_script(tag, attributes);
                return None;
            }
            ElementEffect::Hidden(state) => {
                self.count_script(tag, attributes);
                self.content = match tag.known() {
                    b"title" if !self.open.is_drawing() => TextKind::Title,
                    b"noscript" => TextKind::NoScript,
                    _ => TextKind::Hidden,
                };
                return Some(state);
            }
            ElementEffect::Verbatim(state) => {
                if self.templates == 0 {
                    self.end_block();
                }
                self.content = if tag.known() == b"textarea" { TextKind::Field } else { TextKind::Code };
                return Some(state);
            }
            _ if self.templates > 0 => return None,
            ElementEffect::Inline => {}
            ElementEffect::Block if tag.known() == b"br" => self.end_line(),
            ElementEffect::Block | ElementEffect::Cell | ElementEffect::Preformatted => {
                self.end_block();
                self.widen_link();
            }
        }
        self.open.start(tag, attributes, is_self_closing);
        if matches!(tag.known(), b"a" | b"area") {
            self.start_link(attributes);
        }
        if tag.known() == b"area" {
            self.end_link();
        }
        None
    }

    fn end(&mut self, tag: MarkupName) {
        self.content = TextKind::Markup;
        match ElementEffect::named(tag.known()) {
            ElementEffect::Template => self.templates = self.templates.saturating_sub(1),
            _ if self.templates > 0 => {}
            ElementEffect::Hidden(_) => self.end_title(),
            ElementEffect::Inline => {
                if tag.known() == b"a" {
                    self.end_link();
                }
                self.open.end(tag);
            }
            ElementEffect::Block if tag.known() == b"br" => self.end_line(),
            ElementEffect::Block
            | ElementEffect::Cell
            | ElementEffect::Preformatted
            | ElementEffect::Verbatim(_) => {
                self.end_block();
                self.widen_link();
                self.open.end(tag);
            }
        }
    }
}

impl PageReader {
    fn count_script(&mut self, tag: MarkupName, attributes: &TagAttributes) {
        let kind = attributes.get(Attribute::Type).unwrap_or_default().to_ascii_lowercase();
        let runs =
            kind.is_empty() || kind == "module" || kind.contains("javascript") || kind.contains("ecmascript");
        self.page.scripts += u32::from(self.templates == 0 && tag.known() == b"script" && runs);
    }
}
