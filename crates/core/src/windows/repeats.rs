//! The spans of one text, from what is known of its windows.

use std::ops::Range;

/// Which occurrences of a repeated window stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeptOccurrence {
    /// The first in input order.
    #[default]
    First,
    /// None: a window is removed wherever it is, if two of its occurrences do not overlap.
    None,
}

/// The first and the last place of equal windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowPlaces {
    /// The place of the first.
    pub first: u64,
    /// The place of the last. It counts only for [`KeptOccurrence::None`], and where first places stay whole.
    pub last: u64,
}

/// A run of removed tokens, and where they occur elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The tokens.
    pub tokens: Range<usize>,
    /// The place of the first of them in the other occurrence.
    pub source: u64,
}

/// What is removed of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextSpans {
    /// The maximal runs of removed tokens, in order.
    pub spans: Vec<Range<usize>>,
    /// Their links, in order. They may overlap. Each is within one span, and together they have all tokens of all spans.
    pub links: Vec<Link>,
}

/// The repeated windows of one text that are known so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextRepeats {
    links: Vec<Link>,
    /// The tokens of windows that stay whole.
    protected: Vec<Range<usize>>,
}

/// Collects the repeated windows of one text.
#[derive(Clone, Debug)]
pub struct Repeats {
    length: usize,
    keep: KeptOccurrence,
    whole: bool,
    found: TextRepeats,
}

impl Repeats {
    /// Of windows of `length` tokens. If `whole`, no token of the first occurrence of a repeated window is removed.
    pub fn new(length: usize, keep: KeptOccurrence, whole: bool) -> Self {
        Repeats { length, keep, whole, found: TextRepeats::default() }
    }

    /// Whether [`WindowPlaces::last`] counts.
    pub fn needs_last(&self) -> bool {
        self.whole || self.keep == KeptOccurrence::None
    }

    /// Adds consecutive windows. `place` is the place of the first of them, and `known` tells where it occurs. The others occur in the same
    /// distances. Windows are added in order.
    pub fn add(&mut self, windows: Range<usize>, place: u64, known: WindowPlaces) {
        let length = self.length as u64;
        let WindowPlaces { first, last } = known;
        let is_behind = first + length <= place;
        let occurs_twice = self.needs_last() && first + length <= last;
        let tokens = windows.start..windows.end - 1 + self.length;
        if self.whole && place == first && occurs_twice {
            push_merged(&mut self.found.protected, tokens.clone());
        }
        let is_removed = match self.keep {
            KeptOccurrence::First => is_behind,
            KeptOccurrence::None => occurs_twice,
        };
        if !is_removed {
            return;
        }
        let source = if !is_behind && place + length <= last { last } else { first };
        push_link(&mut self.found.links, Link { tokens, source }, self.length);
    }

    /// The repeated windows of the text. The next text may then be added.
    pub fn finish(&mut self) -> TextRepeats {
        std::mem::take(&mut self.found)
    }
}

impl TextRepeats {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.links.is_empty() && self.protected.is_empty()
    }

    /// Adds other windows of the same text. `length` is that of a window.
    pub fn join(&mut self, other: TextRepeats, length: usize) {
        let mut links = std::mem::take(&mut self.links);
        links.extend(other.links);
        links.sort_unstable_by_key(|link| (link.tokens.start, link.source));
        links.into_iter().for_each(|link| push_link(&mut self.links, link, length));
        let mut protected = std::mem::take(&mut self.protected);
        protected.extend(other.protected);
        protected.sort_unstable_by_key(|tokens| tokens.start);
        protected.into_iter().for_each(|tokens| push_merged(&mut self.protected, tokens));
    }

    /// What is removed of the text, if no other of its windows is repeated.
    pub fn into_spans(self) -> TextSpans {
        let TextRepeats { mut links, protected } = self;
        drop_needless(&mut links);
        let mut spans: Vec<Range<usize>> = Vec::new();
        for link in &links {
            push_merged(&mut spans, link.tokens.clone());
        }
        if protected.is_empty() {
            return TextSpans { spans, links };
        }
        let spans = without(spans, &protected);
        let links = links.iter().flat_map(|link| link.within(&spans)).collect();
        TextSpans { spans, links }
    }
}

/// Removes links whose tokens are in the links before and behind them. In a text that repeats a word, each window is a link of its own, and
/// without this they would have the square of its tokens.
fn drop_needless(links: &mut Vec<Link>) {
    let all = std::mem::take(links);
    let mut following = all.iter().skip(1).map(|link| link.tokens.start).collect::<Vec<_>>().into_iter();
    for link in all {
        let next = following.next();
        let is_needless = links.last().zip(next).is_some_and(|(last, next)| last.tokens.end >= next);
        if !is_needless {
            links.push(link);
        }
    }
}

/// Appends a link, or lengthens the last one: of consecutive windows with consecutive sources.
fn push_link(links: &mut Vec<Link>, next: Link, length: usize) {
    match links.last_mut() {
        Some(link)
            if link.tokens.end + 1 == next.tokens.start + length
                && link.source + (next.tokens.start - link.tokens.start) as u64 == next.source =>
        {
            link.tokens.end = next.tokens.end;
        }
        _ => links.push(next),
    }
}

/// Appends a range, or lengthens the last one. Starts ascend.
fn push_merged(ranges: &mut Vec<Range<usize>>, next: Range<usize>) {
    match ranges.last_mut() {
        Some(last) if next.start <= last.end => last.end = last.end.max(next.end),
        _ => ranges.push(next),
    }
}

/// The parts of `ranges` that are in no range of `taken`. The ranges of each ascend, and do not overlap.
fn without(ranges: Vec<Range<usize>>, taken: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut left = Vec::with_capacity(ranges.len());
    for range in ranges {
        let mut start = range.start;
        let first = taken.partition_point(|taken| taken.end <= start);
        for taken in taken[first..].iter().take_while(|taken| taken.start < range.end) {
            if start < taken.start {
                left.push(start..taken.start);
            }
            start = start.max(taken.end);
        }
        if start < range.end {
            left.push(start..range.end);
        }
    }
    left
}

impl Link {
    /// The parts of the link that are in `spans`, which ascend.
    pub fn within(&self, spans: &[Range<usize>]) -> impl Iterator<Item = Link> {
        let Range { start, end } = self.tokens;
        let first = spans.partition_point(|span| span.end <= start);
        let here = spans[first..].iter().take_while(move |span| span.start < end);
        let parts = here.map(move |span| span.start.max(start)..span.end.min(end));
        parts
            .filter(|tokens| !tokens.is_empty())
            .map(move |tokens| Link { source: self.source + (tokens.start - start) as u64, tokens })
    }
}

#[cfg(test)]
mod tests;
