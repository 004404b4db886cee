//! The parts of a page.

use serde::{Deserialize, Serialize};

/// The part of a page that a block or a link is in, told by elements and ARIA roles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Area {
    /// `<main>`, `<article>` and `role=main`.
    Main,
    /// No area of its own.
    #[default]
    Body,
    /// `<nav>` and `role=navigation`.
    Navigation,
    /// The `<header>` of the page, and `role=banner`. The header of an article or a section belongs to its content.
    Header,
    /// The `<footer>` of the page, and `role=contentinfo`. The footer of an article or a section belongs to its content.
    Footer,
    /// `<aside>`, `<dialog>` and `role=complementary`.
    Aside,
    /// `<form>`, `<search>` and their roles. A form around most of the page is no area: some systems put one around every page.
    Form,
}

impl Area {
    /// Whether text in this area may be content: [`Area::Main`] or [`Area::Body`].
    pub fn is_content(self) -> bool {
        matches!(self, Area::Main | Area::Body)
    }

    /// The area of an element inside `self`. `in_section` says whether an article or a section is around it.
    pub(super) fn within(self, tag: &[u8], role: &[u8], in_section: bool) -> Area {
        match Area::of_role(role) {
            Some(area) => return area,
            None if role.eq_ignore_ascii_case(b"presentation") || role.eq_ignore_ascii_case(b"none") => {
                return self;
            }
            None => {}
        }
        match tag {
            b"main" => Area::Main,
            b"nav" => Area::Navigation,
            // What has a place already is part of that place.
            _ if !self.is_content() => self,
            b"article" => Area::Main,
            b"aside" | b"dialog" => Area::Aside,
            b"search" => Area::Form,
            b"header" if !in_section => Area::Header,
            b"footer" if !in_section => Area::Footer,
            _ => self,
        }
    }

    fn of_role(role: &[u8]) -> Option<Area> {
        // Further roles are for browsers that do not know the first one.
        let role = role.split(u8::is_ascii_whitespace).find(|role| !role.is_empty())?;
        let areas: [(&[u8], Area); 9] = [
            (b"main", Area::Main),
            (b"navigation", Area::Navigation),
            (b"banner", Area::Header),
            (b"contentinfo", Area::Footer),
            (b"complementary", Area::Aside),
            (b"dialog", Area::Aside),
            (b"alertdialog", Area::Aside),
            (b"search", Area::Form),
            (b"form", Area::Form),
        ];
        areas.iter().find(|(name, _)| role.eq_ignore_ascii_case(name)).map(|(_, area)| *area)
    }
}
