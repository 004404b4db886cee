//! The effect of a tag on the text around it.

use html5gum::State;

/// The effect of an element on text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ElementEffect {
    /// Part of a line.
    Inline,
    /// On lines of its own.
    Block,
    /// A cell in a line of a table.
    Cell,
    /// A block in which white space counts.
    Preformatted,
    /// Not shown, including all elements in it.
    Template,
    /// Not shown. Its content has no tags, and the tokenizer reads it in this state.
    Hidden(State),
    /// Shown as written. The tokenizer reads its content in this state.
    Verbatim(State),
}

impl ElementEffect {
    /// The element of a tag name in lower case.
    pub(super) fn named(name: &[u8]) -> ElementEffect {
        match name {
            b"address" | b"article" | b"aside" | b"blockquote" | b"body" | b"br" | b"button" | b"caption"
            | b"center" | b"dd" | b"details" | b"dialog" | b"dir" | b"div" | b"dl" | b"dt" | b"fieldset"
            | b"figcaption" | b"figure" | b"footer" | b"form" | b"frameset" | b"h1" | b"h2" | b"h3"
            | b"h4" | b"h5" | b"h6" | b"head" | b"header" | b"hgroup" | b"hr" | b"html" | b"legend"
            | b"li" | b"main" | b"menu" | b"nav" | b"ol" | b"optgroup" | b"option" | b"p" | b"search"
            | b"section" | b"select" | b"summary" | b"table" | b"tbody" | b"tfoot" | b"thead" | b"tr"
            | b"ul" => ElementEffect::Block,
            b"td" | b"th" => ElementEffect::Cell,
            b"pre" | b"listing" => ElementEffect::Preformatted,
            b"template" => ElementEffect::Template,
            b"script" => ElementEffect::Hidden(State::ScriptData),
            b"title" => ElementEffect::Hidden(State::RcData),
            // Browsers that run scripts do not show the content of noscript. It usually asks for scripts, or counts visitors.
            b"style" | b"iframe" | b"noembed" | b"noframes" | b"noscript" => {
                ElementEffect::Hidden(State::RawText)
            }
            b"textarea" => ElementEffect::Verbatim(State::RcData),
            b"xmp" => ElementEffect::Verbatim(State::RawText),
            b"plaintext" => ElementEffect::Verbatim(State::PlainText),
            _ => ElementEffect::Inline,
        }
    }
}
