//! The samples of a tar archive, as WebDataset has them: members that follow one another and differ only behind the first dot of their names.

use std::{borrow::Cow, io::Read, path::Path};

use super::member::{MemberAt, key_of, member_at};
use crate::{
    Compression, Format, Problem, TextFields,
    formats::{DEFAULT_WINDOW, compression_of, damage, decoder, of_name},
    read::lines::without_marks,
};
use lookalike_html::{Extract, html_text_by};

/// What a member of a sample holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    Object,
    Text,
    Page,
    /// Records, each of which would be a document.
    Records,
    Other,
}

fn holds(name: &str) -> Holds {
    match of_name(Path::new(name)).0 {
        Some(Format::Json) => Holds::Object,
        Some(Format::Text) => Holds::Text,
        Some(Format::Html) => Holds::Page,
        Some(_) => Holds::Records,
        None => Holds::Other,
    }
}

/// The members of a sample that count.
#[derive(Debug)]
pub(super) struct TarSample<'s> {
    pub(super) key: String,
    /// The object of its JSON.
    object: Option<Content<'s>>,
    /// Texts and pages.
    texts: Vec<Content<'s>>,
    records: Option<String>,
}

#[derive(Debug)]
struct Content<'s> {
    name: String,
    bytes: &'s [u8],
    is_page: bool,
}

impl<'s> TarSample<'s> {
    /// The sample in these bytes. They are whole members, or none of them counts.
    pub(super) fn of(bytes: &'s [u8]) -> TarSample<'s> {
        let mut sample = TarSample { key: String::new(), object: None, texts: Vec::new(), records: None };
        let mut at = 0;
        while let MemberAt::Member(member) = member_at(bytes, at, true, u64::MAX) {
            at = member.end;
            let Some(key) = key_of(&member) else { continue };
            sample.key = key.to_owned();
            let content = |is_page| Content {
                name: member.name.clone(),
                bytes: &bytes[member.content.clone()],
                is_page,
            };
            match holds(&member.name) {
                Holds::Object if sample.object.is_none() => sample.object = Some(content(false)),
                Holds::Text => sample.texts.push(content(false)),
                Holds::Page => sample.texts.push(content(true)),
                Holds::Records => sample.records = Some(member.name),
                Holds::Object | Holds::Other => {}
            }
        }
        sample
    }

    /// Whether it has members that hold a text or records.
    pub(super) fn is_document(&self) -> bool {
        self.object.is_some() || !self.texts.is_empty() || self.records.is_some()
    }

    /// Refuses a file of records.
    pub(super) fn check(&self) -> Result<(), Problem> {
        match &self.records {
            Some(name) => Err(Problem::RecordsInTar { name: name.clone() }),
            None => Ok(()),
        }
    }

    /// The name of its JSON.
    pub(super) fn name_of_object(&self) -> String {
        self.object.as_ref().map(|object| object.name.clone()).unwrap_or_default()
    }

    /// Refuses a text of fields of its JSON and of members beside it.
    pub(super) fn check_names(&self, fields: &TextFields) -> Result<(), Problem> {
        let is_named = |content: &&Content<'_>| {
            let extension = content.extension(&self.key);
            fields.names().iter().any(|name| Some(name.as_str()) == extension)
        };
        match self.texts.iter().find(is_named) {
            Some(_) if fields.names().len() > 1 => {
                let names = self.texts.iter().map(|content| content.name.clone()).collect();
                Err(Problem::SeveralTexts { names })
            }
            _ => Ok(()),
        }
    }

    /// The text of its JSON, if there is one.
    pub(super) fn object(&self, max_record: u64) -> Result<Option<Cow<'s, [u8]>>, Problem> {
        self.object.as_ref().map(|object| object.decoded(max_record)).transpose()
    }

    /// Puts its text into `text`: the members whose extensions are `fields`, or the only text. Returns `false` if it has no text.
    pub(super) fn read_text(
        &self,
        fields: &TextFields,
        extract: Extract,
        max_record: u64,
        text: &mut String,
    ) -> Result<bool, Problem> {
        let named = |field: &String| {
            self.texts.iter().find(|content| content.extension(&self.key) == Some(field.as_str()))
        };
        let mut contents: Vec<_> = fields.names().iter().filter_map(named).collect();
        match &self.texts[..] {
            _ if !contents.is_empty() => {}
            [] => return Ok(false),
            [content] => contents.push(content),
            several => {
                let names = several.iter().map(|content| content.name.clone()).collect();
                return Err(Problem::SeveralTexts { names });
            }
        }
        let mut joined = fields.start(text);
        for content in contents {
            let bytes = content.decoded(max_record)?;
            if content.is_page {
                let mut page = String::new();
                html_text_by(extract, &bytes, None, &mut page);
                joined.push(&page);
                continue;
            }
            let found = simdutf8::compat::from_utf8(&bytes);
            let found = found.map_err(|error| Problem::InvalidUtf8 { byte: error.valid_up_to() })?;
            joined.push(without_marks(found));
        }
        Ok(true)
    }
}

impl<'s> Content<'s> {
    fn extension(&self, key: &str) -> Option<&str> {
        let path = self.name.strip_prefix("./").unwrap_or(&self.name);
        path.strip_prefix(key)?.strip_prefix('.')
    }

    fn decoded(&self, max_record: u64) -> Result<Cow<'s, [u8]>, Problem> {
        let compression = compression_of(self.bytes);
        if compression == Compression::None {
            return Ok(Cow::Borrowed(self.bytes));
        }
        let mut bytes = Vec::new();
        let stored = std::io::Cursor::new(self.bytes.to_vec());
        let decoded = decoder(stored, compression, DEFAULT_WINDOW)
            .and_then(|decoder| decoder.take(max_record + 1).read_to_end(&mut bytes));
        decoded.map_err(|error| damage(&error))?;
        match bytes.len() as u64 > max_record {
            true => Err(Problem::RecordTooLong { length: bytes.len() as u64, limit: max_record }),
            false => Ok(Cow::Owned(bytes)),
        }
    }
}
