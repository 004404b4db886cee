//! The list of links.

use super::{integer, list, text};
use crate::crawled::Crawled;
use crate::error::Error;
use crate::visit::{Outcome, Visit};
use lookalike_corpus::{Cell, ColumnKind, Completed, Waiting};
use std::collections::HashMap;
use std::path::Path;

const COLUMNS: [(&str, ColumnKind); 7] = [
    ("from", ColumnKind::Text),
    ("to", ColumnKind::Text),
    ("text", ColumnKind::Text),
    ("nofollow", ColumnKind::Bool),
    ("result", ColumnKind::Text),
    ("status", ColumnKind::Integer),
    ("target", ColumnKind::Text),
];

/// The status of most pages.
const USUAL_STATUS: Option<u16> = Some(200);

/// What a link leads to.
#[derive(Clone, Debug)]
struct Target {
    result: &'static str,
    status: Option<u16>,
    redirect: Option<String>,
}

/// Writes all links of all pages. `result` is page, file, redirect, broken, failed, or empty if the link was not visited; `target` is where a
/// redirect leads to.
///
/// # Errors
/// [`Error`].
pub fn write_links(path: &Path, crawled: &Crawled, waiting: &Waiting) -> Result<Completed, Error> {
    let mut targets: HashMap<u32, Target> = HashMap::new();
    for &number in crawled.numbers() {
        // Most visits are pages, and need no memory here.
        let is_usual = |visit: &Visit| visit.is_page() && visit.status == USUAL_STATUS;
        if let Some(visit) = crawled.visit(number)?.filter(|visit| !is_usual(visit)) {
            targets.insert(number, Target::of(&visit));
        }
    }
    let mut table = list(path, &COLUMNS, waiting)?;
    for &number in crawled.numbers() {
        let Some(visit) = crawled.visit(number)? else { continue };
        for link in visit.page.iter().flat_map(|page| &page.links) {
            let visited = crawled.number_of(&link.url);
            let target = visited.and_then(|number| targets.get(&number));
            let result = match (target, visited) {
                (Some(target), _) => Cell::Text(target.result),
                (None, Some(_)) => Cell::Text("page"),
                (None, None) => Cell::Absent,
            };
            table.row(&[
                Cell::Text(&visit.url),
                Cell::Text(link.written.as_deref().unwrap_or(&link.url)),
                Cell::Text(&link.text),
                Cell::Bool(link.nofollow),
                result,
                integer(target.map_or(visited.and(USUAL_STATUS), |target| target.status)),
                text(target.and_then(|target| target.redirect.as_deref())),
            ])?;
        }
    }
    Ok(table.complete()?)
}

impl Target {
    fn of(visit: &Visit) -> Self {
        let (result, redirect) = match &visit.outcome {
            Outcome::Page => ("page", None),
            Outcome::Resource => ("file", None),
            Outcome::Redirect { target } => ("redirect", Some(target.clone())),
            Outcome::Broken => ("broken", None),
            Outcome::Failed(_) => ("failed", None),
        };
        Target { result, status: visit.status, redirect }
    }
}
