//! Elements by how they nest.

/// How an element nests in others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nesting {
    /// The document: its tags open and close nothing.
    Root,
    /// Without content, and so without an end tag.
    Void,
    /// Inside a block. Its end tag closes no block.
    Inline,
    Svg,
    /// HTML inside a drawing.
    ForeignObject,
    Paragraph,
    ListItem,
    /// `<dt>` and `<dd>`.
    Description,
    List,
    Choice,
    Heading,
    Button,
    Caption,
    Cell,
    Row,
    /// The head, the body or the foot of a table.
    Rows,
    Table,
    /// May stand between a list and its item: a tag of an item closes the last item through it.
    Division,
    /// All other blocks.
    Block,
}

/// A set of nestings.
#[derive(Debug, Clone, Copy)]
pub(super) struct NestingSet(u32);

impl NestingSet {
    pub(super) const fn of(groups: &[Nesting]) -> NestingSet {
        let (mut bits, mut at) = (0, 0);
        while at < groups.len() {
            bits |= 1 << groups[at] as u32;
            at += 1;
        }
        NestingSet(bits)
    }

    pub(super) fn has(self, group: Nesting) -> bool {
        self.has_number(group as usize)
    }

    pub(super) fn has_number(self, group: usize) -> bool {
        self.0 & (1 << group) != 0
    }
}

use Nesting::*;

/// No end tag inside these closes an element outside them.
pub(super) const SCOPES: NestingSet = NestingSet::of(&[Table, Cell, Caption, ForeignObject]);
/// Nor, in these, is a paragraph outside them closed.
pub(super) const PARAGRAPH_SCOPES: NestingSet =
    NestingSet::of(&[Table, Cell, Caption, ForeignObject, Button]);
/// Nor a last item outside them.
pub(super) const ITEM_END_SCOPES: NestingSet =
    NestingSet::of(&[Table, Cell, Caption, ForeignObject, Button, List]);
/// What the start of an item does not close.
pub(super) const LIST_SCOPES: NestingSet =
    NestingSet::of(&[List, Block, Table, Cell, Caption, Button, ForeignObject, Description]);
/// What the start of a term or its description does not close.
pub(super) const DESCRIPTION_SCOPES: NestingSet =
    NestingSet::of(&[List, Block, Table, Cell, Caption, Button, ForeignObject, ListItem]);
pub(super) const ROW_SCOPES: NestingSet = NestingSet::of(&[Table, Rows]);
pub(super) const CELL_SCOPES: NestingSet = NestingSet::of(&[Table, Rows, Row]);
pub(super) const TABLE_SCOPES: NestingSet = NestingSet::of(&[Table]);

impl Nesting {
    pub(super) const COUNT: usize = Block as usize + 1;

    /// The group of a tag name in lower case.
    pub(super) fn named(name: &[u8]) -> Nesting {
        match name {
            b"html" | b"head" | b"body" | b"frameset" => Root,
            b"area" | b"base" | b"basefont" | b"bgsound" | b"br" | b"col" | b"embed" | b"frame" | b"hr"
            | b"img" | b"input" | b"keygen" | b"link" | b"meta" | b"param" | b"source" | b"track"
            | b"wbr" => Void,
            b"svg" => Svg,
            b"foreignobject" => ForeignObject,
            b"p" => Paragraph,
            b"li" => ListItem,
            b"dt" | b"dd" => Description,
            b"ul" | b"ol" | b"menu" | b"dir" | b"dl" => List,
            b"option" | b"optgroup" => Choice,
            b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => Heading,
            b"button" => Button,
            b"caption" => Caption,
            b"td" | b"th" => Cell,
            b"tr" => Row,
            b"tbody" | b"thead" | b"tfoot" => Rows,
            b"table" => Table,
            b"div" | b"address" => Division,
            b"article" | b"aside" | b"blockquote" | b"center" | b"details" | b"dialog" | b"fieldset"
            | b"figcaption" | b"figure" | b"footer" | b"form" | b"header" | b"hgroup" | b"legend"
            | b"listing" | b"main" | b"nav" | b"pre" | b"search" | b"section" | b"select" | b"summary" => {
                Block
            }
            _ => Inline,
        }
    }

    /// Whether a start tag of the group ends the open paragraph.
    pub(super) fn ends_paragraph(self) -> bool {
        matches!(self, Paragraph | ListItem | Description | List | Heading | Table | Division | Block)
    }
}
