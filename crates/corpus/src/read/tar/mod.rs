//! Tar archives. A document is a sample: members that differ only behind the first dot of their names, such as `a/1.txt` and `a/1.jpg`.
//!
//! Its text is a field of its JSON (`1.json`), or the content of its text file or page. Samples without any of these are no documents.

mod member;
mod pax;
mod sample;
mod stream;

use std::borrow::Cow;

pub(crate) use self::{
    member::{BLOCK, MAX_HEADER_BYTES, MemberAt, is_header, key_of_name, member_at},
    pax::pax_records,
    stream::{Samples, TarStream},
};
use self::{sample::TarSample, stream::SampleSpan};
use super::json::RecordParser;
use crate::{
    BadRecord, Fields, GroupValues, Inputs, Place, Problem, Record, StoredValues, problem::MAX_TEXT_BYTES,
};
use lookalike_html::Extract;

/// The samples of a chunk, and the members that are none.
#[derive(Debug)]
pub(crate) struct TarSamples<'s> {
    bytes: &'s [u8],
    spans: Vec<Result<SampleSpan, Problem>>,
    parser: RecordParser<'s>,
    fields: &'s Fields,
    max_record: u64,
    extract: Extract,
    /// The samples of the last visit that are no documents.
    others: u32,
    text: &'s mut String,
    /// The JSON of the last sample.
    object: Vec<u8>,
    key: String,
    /// For samples without fields.
    within: GroupValues,
    stored: StoredValues,
}

impl<'s> TarSamples<'s> {
    pub(super) fn new(
        samples: Samples,
        parser: RecordParser<'s>,
        fields: &'s Fields,
        inputs: &Inputs,
        bytes: &'s mut Vec<u8>,
        text: &'s mut String,
    ) -> TarSamples<'s> {
        *bytes = samples.bytes;
        let (mut within, mut stored) = (GroupValues::default(), StoredValues::default());
        fields.within.iter().for_each(|_| within.push(None));
        fields.stored.iter().for_each(|_| stored.push(None));
        TarSamples {
            bytes,
            spans: samples.spans,
            parser,
            fields,
            max_record: inputs.max_record(),
            extract: inputs.extracted(),
            others: 0,
            text,
            object: Vec::new(),
            key: String::new(),
            within,
            stored,
        }
    }

    pub(super) fn count(&self) -> u32 {
        self.spans.len() as u32
    }

    /// The samples and members that are no documents. It is known after [`TarSamples::for_each`].
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

    pub(super) fn raw(&self, place: Place) -> Option<&'s [u8]> {
        self.spans.get(place.line as usize)?.as_ref().ok().map(|span| self.whole(*span))
    }

    /// The kept samples, and all members that are no documents. Each has its key, if it is a sample.
    pub(crate) fn kept(&self, kept: &[Place]) -> impl Iterator<Item = (Option<String>, &'s [u8])> {
        let good = (0..).zip(&self.spans).filter_map(|(line, span)| Some((line, *span.as_ref().ok()?)));
        good.filter(move |&(line, span)| {
            kept.binary_search_by_key(&line, |place| place.line).is_ok()
                || !(span.is_sample && TarSample::of(self.whole(span)).is_document())
        })
        .map(|(_, span)| {
            let bytes = self.whole(span);
            (span.is_sample.then(|| TarSample::of(bytes).key), bytes)
        })
    }

    /// The sample at an index, if it is a document.
    fn read(&mut self, line: u32) -> Result<Option<Record<'_>>, BadRecord> {
        let bad = |problem| BadRecord { line, problem };
        let span = self.spans.get(line as usize).ok_or_else(|| bad(Problem::Gone))?;
        let span = *span.as_ref().map_err(|problem| bad(problem.clone()))?;
        let sample = TarSample::of(self.whole(span));
        if !span.is_sample || !sample.is_document() {
            return Ok(None);
        }
        sample.check().map_err(bad)?;
        let place = Place { offset: span.start, line };
        let object = sample.object(self.max_record).map_err(bad)?;
        self.key.clone_from(&sample.key);
        let key = self.fields.id.is_some().then_some(&*self.key);
        let Some(object) = object.map(Cow::into_owned) else {
            let (fields, limit) = (&self.fields.text, self.max_record);
            sample.read_text(fields, self.extract, limit, self.text).map_err(bad)?;
            check_length(self.text, limit).map_err(bad)?;
            let (within, stored) = (Some(&self.within), Some(&self.stored));
            let text = self.text.as_str();
            return Ok(Some(Record { text, is_null: false, id: key, number: None, within, stored, place }));
        };
        self.object = object;
        let object = simdutf8::compat::from_utf8(&self.object)
            .map_err(|error| bad(Problem::InvalidUtf8 { byte: error.valid_up_to() }))?;
        let object = super::lines::without_marks(object);
        // The field of the JSON comes first: the user names it.
        if object.trim_ascii_start().starts_with('[') {
            return Err(bad(Problem::RecordsInTar { name: sample.name_of_object() }));
        }
        let text = match self.parser.has_text(object).map_err(bad)? {
            true => {
                sample.check_names(&self.fields.text).map_err(bad)?;
                None
            }
            false => {
                let (fields, limit) = (&self.fields.text, self.max_record);
                let found = sample.read_text(fields, self.extract, limit, self.text).map_err(bad)?;
                check_length(self.text, limit).map_err(bad)?;
                found.then_some(self.text.as_str())
            }
        };
        let record = match text {
            Some(text) => self.parser.record_of_text(object, text, place)?,
            None => self.parser.record(object, object.len(), place)?,
        };
        Ok(Some(Record { id: record.id.or(key), ..record }))
    }

    fn whole(&self, span: SampleSpan) -> &'s [u8] {
        &self.bytes[span.start as usize..span.end as usize]
    }
}

/// Refuses a text that several members make too long.
fn check_length(text: &str, limit: u64) -> Result<(), Problem> {
    let length = text.len() as u64;
    match length > limit {
        true => Err(Problem::RecordTooLong { length, limit }),
        false if text.len() > MAX_TEXT_BYTES => Err(Problem::TooLong),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests;
