use super::{
    FieldNames, ValueBuffers, careful, id_and_number, parse, parse_joined, read_groups, stored::read_stored,
};
use crate::{
    BadRecord, Fields, GroupValues, Place, Problem, Record, StoredValues, problem::MAX_TEXT_BYTES,
    read::scan::Scan, text_fields::NameStep,
};

/// Makes records of JSON objects.
#[derive(Debug)]
pub(crate) struct RecordParser<'s> {
    names: FieldNames<'s>,
    fields: &'s Fields,
    /// The groups of the last record.
    groups: GroupValues,
    /// The values of the last record that are stored.
    stored: StoredValues,
    scan: Scan,
    /// Longer objects are skipped.
    max_record: u64,
    buffers: &'s mut ValueBuffers,
}

impl<'s> RecordParser<'s> {
    pub(crate) fn new(
        fields: &'s Fields,
        scan: Scan,
        max_record: u64,
        buffers: &'s mut ValueBuffers,
    ) -> RecordParser<'s> {
        let (names, groups, stored) =
            (FieldNames::of(fields), GroupValues::default(), StoredValues::default());
        RecordParser { names, fields, groups, stored, scan, max_record, buffers }
    }

    /// The record of an object. `length` is the number of bytes of the object and the space around it.
    pub(crate) fn record<'a>(
        &'a mut self,
        object: &'a str,
        length: usize,
        place: Place,
    ) -> Result<Record<'a>, BadRecord> {
        let bad = |problem| BadRecord { line: place.line, problem };
        let (length, limit) = (length as u64, self.max_record);
        if length > limit {
            return Err(bad(Problem::RecordTooLong { length, limit }));
        }
        read_groups(object, &self.fields.within, self.buffers, &mut self.groups).map_err(bad)?;
        read_stored(object, &self.fields.stored, self.buffers, &mut self.stored);
        let wanted = match self.names.text {
            Some(_) => parse(object, self.names, self.scan, self.buffers),
            None => parse_joined(object, self.fields, self.names, self.buffers),
        };
        let wanted = wanted.map_err(bad)?;
        if wanted.text.len() > MAX_TEXT_BYTES {
            return Err(bad(Problem::TooLong));
        }
        Ok(Record {
            text: wanted.text,
            is_null: wanted.is_null,
            id: wanted.id,
            number: wanted.number,
            within: Some(&self.groups),
            stored: Some(&self.stored),
            place,
        })
    }

    /// Whether an object has a field of the text, even if its value is no text.
    pub(crate) fn has_text(&mut self, object: &str) -> Result<bool, Problem> {
        for name in self.fields.text.names() {
            let NameStep::Field { field, .. } = NameStep::of(name) else { continue };
            let found = careful::parse(object, FieldNames::of_text(field), self.buffers)?;
            if found.text.value.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The record of an object without a text, and of a text that stands elsewhere.
    pub(crate) fn record_of_text<'a>(
        &'a mut self,
        object: &'a str,
        text: &'a str,
        place: Place,
    ) -> Result<Record<'a>, BadRecord> {
        let bad = |problem| BadRecord { line: place.line, problem };
        read_groups(object, &self.fields.within, self.buffers, &mut self.groups).map_err(bad)?;
        read_stored(object, &self.fields.stored, self.buffers, &mut self.stored);
        let found = careful::parse(object, self.names, self.buffers).map_err(bad)?;
        let (id, number) = id_and_number(self.names, found.id.value, found.number.value, None, self.buffers);
        let (within, stored) = (Some(&self.groups), Some(&self.stored));
        Ok(Record { text, is_null: false, id, number, within, stored, place })
    }
}
