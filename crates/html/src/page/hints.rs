//! What the names of classes and the ids of elements tell about them.

/// What a name tells, by the words in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hint {
    Comments,
    Related,
    Sharing,
    Navigation,
    Footer,
    Header,
    Advertising,
    Overlay,
    About,
    Control,
    Hidden,
    Content,
    Forum,
    Card,
    Caption,
}

impl Hint {
    pub(super) const COUNT: usize = Hint::Caption as usize + 1;

    /// The hint of a word in lower case.
    fn of(word: &[u8]) -> Option<Hint> {
        Some(match word {
            b"comment" | b"comments" | b"commentlist" | b"commenter" | b"disqus" | b"respond" => {
                Hint::Comments
            }
            b"aside" | b"sidebar" | b"related" | b"recommended" | b"recommendation" | b"recommendations"
            | b"more" | b"popular" | b"trending" | b"latest" | b"also" | b"next" | b"prev" | b"previous"
            | b"pagination" | b"pager" | b"similar" | b"upsell" | b"upsells" => Hint::Related,
            b"share" | b"sharing" | b"social" | b"follow" | b"twitter" | b"facebook" | b"whatsapp"
            | b"sharedaddy" | b"addtoany" => Hint::Sharing,
            b"nav" | b"navigation" | b"navbar" | b"menu" | b"submenu" | b"breadcrumb" | b"breadcrumbs"
            | b"crumb" | b"crumbs" | b"toc" | b"skip" => Hint::Navigation,
            b"footer" | b"foot" | b"copyright" | b"legal" | b"bottom" | b"colophon" => Hint::Footer,
            b"header" | b"head" | b"masthead" | b"topbar" | b"banner" | b"hero" => Hint::Header,
            b"ad" | b"ads" | b"advert" | b"advertisement" | b"promo" | b"promotion" | b"sponsor"
            | b"sponsored" | b"cta" | b"newsletter" | b"subscribe" | b"subscription" | b"signup"
            | b"login" | b"donate" => Hint::Advertising,
            b"cookie" | b"cookies" | b"consent" | b"gdpr" | b"modal" | b"popup" | b"overlay" | b"dialog"
            | b"lightbox" | b"toast" => Hint::Overlay,
            b"meta" | b"byline" | b"author" | b"authors" | b"date" | b"time" | b"timestamp" | b"tag"
            | b"tags" | b"category" | b"categories" | b"rating" | b"bio" | b"avatar" | b"posted" => {
                Hint::About
            }
            b"widget" | b"widgets" | b"tool" | b"tools" | b"toolbar" | b"button" | b"buttons" | b"btn"
            | b"filter" | b"filters" | b"facet" | b"sort" | b"search" | b"form" | b"select" | b"dropdown"
            | b"accordion" | b"tab" | b"tabs" | b"slider" | b"carousel" | b"swiper" | b"slick" => {
                Hint::Control
            }
            b"hidden" | b"invisible" | b"sr" | b"visually" | b"collapse" | b"collapsed" | b"print" => {
                Hint::Hidden
            }
            b"article" | b"content" | b"post" | b"entry" | b"story" | b"main" | b"text" | b"body"
            | b"markdown" | b"prose" | b"description" | b"detail" | b"details" => Hint::Content,
            b"forum" | b"thread" | b"topic" | b"message" | b"discussion" | b"question" | b"answer"
            | b"posts" | b"reply" | b"replies" => Hint::Forum,
            b"card" | b"cards" | b"item" | b"items" | b"teaser" | b"tile" | b"grid" | b"list"
            | b"product" | b"products" | b"thumb" | b"thumbnail" => Hint::Card,
            b"caption" | b"captions" | b"figcaption" | b"credit" | b"credits" => Hint::Caption,
            _ => return None,
        })
    }

    /// The hint of an element, by its tag.
    pub(super) fn of_tag(tag: &[u8]) -> Option<Hint> {
        Some(match tag {
            b"figcaption" | b"figure" | b"caption" => Hint::Caption,
            b"button" | b"select" | b"label" | b"legend" => Hint::Control,
            _ => return None,
        })
    }
}

/// The longest known word is `recommendations`.
const WORD_BYTES: usize = 16;

/// Visits the hints in the words of a name. Words end at all but letters, and before capitals: `relatedPosts post-list`.
pub(super) fn hints_in(name: &[u8], mut visit: impl FnMut(Hint)) {
    let (mut word, mut length) = ([0; WORD_BYTES], 0);
    let mut was_lower = false;
    for &byte in name.iter().chain(b" ") {
        let starts_word = byte.is_ascii_uppercase() && was_lower;
        if starts_word || !byte.is_ascii_alphabetic() {
            if let Some(hint) = word.get(..length).and_then(Hint::of) {
                visit(hint);
            }
            length = 0;
        }
        if byte.is_ascii_alphabetic() {
            if let Some(place) = word.get_mut(length) {
                *place = byte.to_ascii_lowercase();
            }
            length += 1;
        }
        was_lower = byte.is_ascii_lowercase();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_word_by_word() {
        let hints = |name: &str| {
            let mut hints = Vec::new();
            hints_in(name.as_bytes(), |hint| hints.push(hint));
            hints
        };
        assert_eq!(
            hints("relatedPosts post_12 site-footer"),
            [Hint::Related, Hint::Forum, Hint::Content, Hint::Footer]
        );
        assert_eq!(hints("adjacent COMMENTS"), [Hint::Comments]);
        assert_eq!(hints(&"x".repeat(40)), []);
    }
}
