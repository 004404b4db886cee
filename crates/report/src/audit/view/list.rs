//! Lists: which part of a list is wanted, and what is answered.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Rows of a screen, unless the reader wants another number.
const SIZE: usize = 50;

/// The part of a list that is wanted. All parts can be left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ListQuery {
    /// Rows that have this text, in upper or lower case.
    pub q: String,
    /// Rows of this kind only. Each list names its kinds.
    pub show: String,
    /// The name of a column.
    pub sort: String,
    /// `asc` or `desc`.
    pub order: String,
    /// The page of the list, from 1.
    pub page: usize,
    /// Rows of a page.
    pub size: usize,
}

/// Rows of a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ListPart<T> {
    /// The rows that the query selects.
    pub total: u64,
    /// All rows, selected or not.
    pub all: u64,
    /// The page of the list, from 1.
    pub page: usize,
    /// Rows of a page.
    pub size: usize,
    /// The rows of this page.
    pub rows: Vec<T>,
    /// What the list leaves out, as a sentence.
    pub note: Option<String>,
}

impl ListQuery {
    /// Whether one of these texts has the text that is looked for.
    pub(super) fn finds<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> bool {
        let wanted = self.q.trim().to_lowercase();
        wanted.is_empty() || texts.into_iter().any(|text| text.to_lowercase().contains(&wanted))
    }

    /// Whether the greatest comes first. `by_default` holds if the query does not say.
    pub(super) fn descends(&self, by_default: bool) -> bool {
        match self.order.as_str() {
            "asc" => false,
            "desc" => true,
            _ => by_default,
        }
    }

    /// The wanted page of `selected`, as rows.
    pub(super) fn cut<T, R>(&self, selected: &[T], all: usize, row: impl Fn(&T) -> R) -> ListPart<R> {
        let size = if self.size == 0 { SIZE } else { self.size };
        let pages = selected.len().div_ceil(size).max(1);
        let page = self.page.clamp(1, pages);
        let rows = selected.iter().skip((page - 1) * size).take(size).map(row).collect();
        ListPart { total: selected.len() as u64, all: all as u64, page, size, rows, note: None }
    }
}

impl<T> ListPart<T> {
    /// The same list with other rows.
    pub fn map<R>(self, row: impl FnMut(T) -> R) -> ListPart<R> {
        let ListPart { total, all, page, size, rows, note } = self;
        ListPart { total, all, page, size, rows: rows.into_iter().map(row).collect(), note }
    }
}

/// The order of two values, the other way round if it descends.
pub(super) fn directed(order: Ordering, descends: bool) -> Ordering {
    if descends { order.reverse() } else { order }
}
