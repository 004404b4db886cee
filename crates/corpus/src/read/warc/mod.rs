//! Web archives, WARC and ARC. Some of their records are documents.

mod arc;
mod body;
mod boundary;
mod brotli;
mod headers;
mod kind;
mod page;
mod responses;
mod stream;

use std::borrow::Cow;

pub use self::body::decoded_body;
pub use self::responses::{WarcResponse, WarcResponses};
pub(crate) use self::stream::{Records, WarcStream};
use self::{
    headers::Head,
    page::{TARGET, WarcPage},
    stream::Span,
};
use crate::{
    BadRecord, Fields, GroupValues, Inputs, Place, Problem, Rank, Record, StoredValue, StoredValues,
};
use lookalike_html::Extract;

/// The default names of the fields of the id and the URL in other formats. No WARC header has these names, so here they stand for [`TARGET`],
/// the most readable header that every document has.
const NAMES_OF_PAGE: [&str; 2] = ["id", "url"];

/// The records of a chunk.
#[derive(Debug)]
pub(crate) struct Archive<'s> {
    bytes: &'s [u8],
    spans: Vec<Result<Span, Problem>>,
    fields: &'s Fields,
    max_record: u64,
    extract: Extract,
    all_records: bool,
    /// The number of records that are not documents. It is known after all records were visited.
    others: u32,
    /// The text, id and groups of the last record.
    text: &'s mut String,
    id: Option<String>,
    within: GroupValues,
    stored: StoredValues,
}

impl<'s> Archive<'s> {
    /// Makes an archive. The bytes of its records are moved into `bytes`.
    pub(super) fn new(
        records: Records,
        fields: &'s Fields,
        inputs: &Inputs,
        bytes: &'s mut Vec<u8>,
        text: &'s mut String,
    ) -> Archive<'s> {
        *bytes = records.bytes;
        Archive {
            bytes,
            spans: records.spans,
            fields,
            max_record: inputs.max_record(),
            extract: inputs.extracted(),
            all_records: inputs.has_all_records(),
            others: 0,
            text,
            id: None,
            within: GroupValues::default(),
            stored: StoredValues::default(),
        }
    }

    /// The number of records, including those that are not documents.
    pub(super) fn count(&self) -> u32 {
        self.spans.len() as u32
    }

    pub(super) fn others(&self) -> u32 {
        self.others
    }

    pub(super) fn for_each(&mut self, visit: &mut dyn FnMut(Result<Record<'_>, BadRecord>)) -> u32 {
        let mut others = 0;
        for line in 0..self.count() {
            match self.read(line).transpose() {
                Some(record) => visit(record),
                None => others += 1,
            }
        }
        self.others = others;
        self.count()
    }

    pub(super) fn record(&mut self, place: Place) -> Result<Record<'_>, BadRecord> {
        let problem = Problem::Gone;
        self.read(place.line)?.ok_or(BadRecord { line: place.line, problem })
    }

    /// The bytes of the record at `place`, with two line ends behind it.
    pub(super) fn raw(&self, place: Place) -> Option<&'s [u8]> {
        let span = self.spans.get(place.line as usize)?.as_ref().ok()?;
        Some(self.whole(*span))
    }

    /// The records to write if the documents at `kept` are kept, which must be in order. Records that are not documents are
    /// kept too, and so are those whose content cannot be read: they are whole, and other programs may read them.
    pub(crate) fn kept(&self, kept: &[Place]) -> impl Iterator<Item = &'s [u8]> {
        let good = (0..).zip(&self.spans).filter_map(|(line, span)| Some((line, *span.as_ref().ok()?)));
        good.filter(move |&(line, span)| {
            kept.binary_search_by_key(&line, |place| place.line).is_ok() || !self.is_document(span)
        })
        .map(|(_, span)| self.whole(span))
    }

    /// Whether a record is a document that can be read.
    fn is_document(&self, span: Span) -> bool {
        let page = WarcPage::of(&self.head(span), self.block(span), self.all_records);
        matches!(page, Ok(Some(page)) if page.content(self.max_record).is_ok())
    }

    /// The document in a record; `None` if the record is not a document.
    fn read(&mut self, line: u32) -> Result<Option<Record<'_>>, BadRecord> {
        let bad = |problem| BadRecord { line, problem };
        let span = self.spans.get(line as usize).ok_or_else(|| bad(Problem::Gone))?;
        let span = *span.as_ref().map_err(|problem| bad(problem.clone()))?;
        let head = self.head(span);
        let Some(page) = WarcPage::of(&head, self.block(span), self.all_records).map_err(bad)? else {
            return Ok(None);
        };
        page.read(self.extract, self.max_record, self.text).map_err(bad)?;
        self.id = self.fields.id.as_deref().and_then(|field| page_field(&head, field));
        let number = self.fields.number.as_deref().and_then(|field| Rank::of_text(&head.field(field)?));
        self.within.clear();
        for field in &self.fields.within {
            self.within.push(head.field(field).as_deref().map(str::as_bytes));
        }
        self.stored.clear();
        for field in &self.fields.stored {
            self.stored.push(page_field(&head, field).as_deref().map(StoredValue::Text));
        }
        let place = Place { offset: span.start, line };
        let (id, within, stored) = (self.id.as_deref(), Some(&self.within), Some(&self.stored));
        Ok(Some(Record { text: self.text, is_null: false, id, number, within, stored, place }))
    }

    fn head(&self, span: Span) -> Head<'s> {
        Head::new(&self.bytes[span.head as usize..span.head_end as usize])
    }

    fn block(&self, span: Span) -> &'s [u8] {
        &self.bytes[span.block as usize..span.end as usize]
    }

    fn whole(&self, span: Span) -> &'s [u8] {
        &self.bytes[span.start as usize..span.next as usize]
    }
}

/// The value of a header, without angle brackets. The standard puts them around some ids, and old programs around all.
fn page_field(head: &Head<'_>, field: &str) -> Option<String> {
    let value = head.field(if NAMES_OF_PAGE.contains(&field) { TARGET } else { field })?;
    let bare = value.strip_prefix('<').and_then(|value| value.strip_suffix('>'));
    Some(bare.map_or_else(|| Cow::into_owned(value.clone()), str::to_owned))
}

#[cfg(test)]
mod tests;
