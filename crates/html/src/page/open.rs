//! The open elements at a place in a page, and what they say about the text there.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::tree::Tree;
use super::{
    Area, BlockKind,
    attributes::{Attribute, TagAttributes},
    group::{
        CELL_SCOPES, DESCRIPTION_SCOPES, ITEM_END_SCOPES, LIST_SCOPES, Nesting, NestingSet, PARAGRAPH_SCOPES,
        ROW_SCOPES, SCOPES, TABLE_SCOPES,
    },
};
use crate::tokens::MarkupName;

/// Browsers nest no deeper: further elements become siblings of the last one.
const MAX_DEPTH: usize = 512;

/// What the open elements say about the text in them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TextContext {
    pub(super) area: Area,
    pub(super) kind: BlockKind,
    pub(super) path: u64,
    /// The number of the form, if it is one that is around content. Forms count from one.
    pub(super) form: u32,
    pub(super) element: u32,
    pub(super) is_hidden: bool,
    pub(super) is_preformatted: bool,
    /// Whether an article or a section is open.
    in_section: bool,
}

#[derive(Debug)]
struct OpenElement {
    name: MarkupName,
    group: Nesting,
    context: TextContext,
}

/// The open elements, from the outermost to the innermost.
#[derive(Debug, Default)]
pub(super) struct OpenElements {
    open: Vec<OpenElement>,
    /// The number of open elements of each group. A group without any is not searched for.
    counts: [u32; Nesting::COUNT],
    forms: u32,
    pub(super) tree: Tree,
}

impl OpenElements {
    pub(super) fn context(&self) -> TextContext {
        self.open.last().map(|open| open.context).unwrap_or_default()
    }

    /// Whether the current place is in a drawing.
    pub(super) fn is_drawing(&self) -> bool {
        self.counts[Nesting::Svg as usize] > 0
    }

    /// Opens an element, and closes those that its start tag ends.
    pub(super) fn start(&mut self, name: MarkupName, attributes: &TagAttributes, is_self_closing: bool) {
        let group = Nesting::named(name.known());
        if matches!(group, Nesting::Root | Nesting::Void) {
            return;
        }
        if self.is_drawing() {
            if is_self_closing {
                return;
            }
            // Browsers end a drawing at a block, unless the drawing asks for one.
            if group.ends_paragraph() && self.counts[Nesting::ForeignObject as usize] == 0 {
                self.close(NestingSet::of(&[Nesting::Svg]), NestingSet::of(&[]));
            }
        } else if is_self_closing && group == Nesting::Svg {
            return;
        }
        self.close_before(group);
        let context = self.entered(name, group, attributes);
        if self.open.len() == MAX_DEPTH {
            self.truncate(MAX_DEPTH - 1);
        }
        self.counts[group as usize] += 1;
        self.open.push(OpenElement { name, group, context });
    }

    /// Closes the element of an end tag, with all in it.
    pub(super) fn end(&mut self, name: MarkupName) {
        let group = Nesting::named(name.known());
        match group {
            Nesting::Root | Nesting::Void => {}
            Nesting::Inline => self.close_inline(name),
            Nesting::Paragraph => self.close(NestingSet::of(&[group]), PARAGRAPH_SCOPES),
            Nesting::ListItem => self.close(NestingSet::of(&[group]), ITEM_END_SCOPES),
            Nesting::Heading => self.close(NestingSet::of(&[group]), SCOPES),
            Nesting::Cell | Nesting::Row | Nesting::Rows | Nesting::Caption | Nesting::Table => {
                self.close_named(name, group, TABLE_SCOPES)
            }
            _ => self.close_named(name, group, SCOPES),
        }
    }

    fn close_before(&mut self, group: Nesting) {
        let top = self.open.last().map(|open| open.group);
        if group.ends_paragraph() {
            self.close(NestingSet::of(&[Nesting::Paragraph]), PARAGRAPH_SCOPES);
        }
        let same = NestingSet::of(&[group]);
        match group {
            Nesting::ListItem => self.close(same, LIST_SCOPES),
            Nesting::Description => self.close(same, DESCRIPTION_SCOPES),
            Nesting::Choice | Nesting::Heading if top == Some(group) => self.close(same, SCOPES),
            Nesting::Button => self.close(same, SCOPES),
            Nesting::Cell => self.close(same, CELL_SCOPES),
            Nesting::Row => self.close(NestingSet::of(&[Nesting::Row, Nesting::Caption]), ROW_SCOPES),
            Nesting::Rows => self.close(NestingSet::of(&[Nesting::Rows, Nesting::Caption]), TABLE_SCOPES),
            _ => {}
        }
    }

    /// Closes the innermost element of these groups, unless an element of `scopes` is open in it.
    fn close(&mut self, groups: NestingSet, scopes: NestingSet) {
        if !(0..Nesting::COUNT).any(|group| groups.has_number(group) && self.counts[group] > 0) {
            return;
        }
        for (at, open) in self.open.iter().enumerate().rev() {
            if groups.has(open.group) {
                return self.truncate(at);
            }
            if scopes.has(open.group) {
                return;
            }
        }
    }

    fn close_named(&mut self, name: MarkupName, group: Nesting, scopes: NestingSet) {
        if self.counts[group as usize] == 0 {
            return;
        }
        for (at, open) in self.open.iter().enumerate().rev() {
            if open.name == name {
                return self.truncate(at);
            }
            if scopes.has(open.group) {
                return;
            }
        }
    }

    fn close_inline(&mut self, name: MarkupName) {
        for (at, open) in self.open.iter().enumerate().rev() {
            if open.group != Nesting::Inline {
                return;
            }
            if open.name == name {
                return self.truncate(at);
            }
        }
    }

    fn truncate(&mut self, length: usize) {
        for open in self.open.drain(length..) {
            self.counts[open.group as usize] -= 1;
        }
    }

    /// What holds inside an element that is opened here.
    fn entered(&mut self, name: MarkupName, group: Nesting, attributes: &TagAttributes) -> TextContext {
        let mut context = self.context();
        let role = attributes.bytes(Attribute::Role).unwrap_or_default();
        context.is_hidden |= group == Nesting::Svg || (attributes.hide() && !is_streamed(attributes));
        let area = context.area.within(name.known(), role, context.in_section);
        if area != context.area {
            (context.area, context.form) = (area, 0);
        }
        if group == Nesting::Inline {
            return context;
        }
        match name.known() {
            b"article" | b"aside" | b"main" | b"nav" | b"section" => context.in_section = true,
            b"form" if context.area.is_content() => {
                self.forms += 1;
                context.form = self.forms;
            }
            _ => {}
        }
        context.kind = match group {
            Nesting::Heading => BlockKind::Heading(name.known()[1] - b'0'),
            Nesting::Paragraph => BlockKind::Paragraph,
            Nesting::ListItem | Nesting::Description => BlockKind::ListItem,
            Nesting::Cell => BlockKind::Cell,
            // A wrapper inside an item is still the item.
            Nesting::Division => context.kind,
            _ if matches!(name.known(), b"pre" | b"listing") => BlockKind::Code,
            _ => BlockKind::Other,
        };
        context.is_preformatted |= context.kind == BlockKind::Code;
        context.path = path_within(context.path, name, attributes);
        let labels = match name.known() {
            // Its labels tell where it is quoted from: `twitter-tweet` is no button to share the page.
            b"blockquote" => [&[][..]; 2],
            _ => [Attribute::Class, Attribute::Id].map(|label| attributes.bytes(label).unwrap_or_default()),
        };
        context.element = self.tree.push(context.element, name.known(), labels);
        context
    }
}

/// The hash of a path with one more element. Digits are left out: classes such as `post-1234` differ between pages of one template.
fn path_within(path: u64, name: MarkupName, attributes: &TagAttributes) -> u64 {
    let path = xxh3_64_with_seed(name.start(), path);
    let mut class = attributes.bytes(Attribute::Class).unwrap_or_default();
    if class.is_empty() {
        return path;
    }
    let letters: Vec<u8>;
    if class.iter().any(u8::is_ascii_digit) {
        letters = class.iter().copied().filter(|byte| !byte.is_ascii_digit()).collect();
        class = &letters;
    }
    xxh3_64_with_seed(class, path)
}

/// Whether scripts will show the element at once: React sends late parts of a page in hidden elements with such ids.
fn is_streamed(attributes: &TagAttributes) -> bool {
    let number = attributes.get(Attribute::Id).and_then(|id| id.strip_prefix("S:"));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
