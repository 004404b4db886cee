//! The document of a message.

use crate::batch::Message;
use crate::picker::Picker;
use crate::time::Time;
use lookalike::text::SECTION_SEPARATOR;
use lookalike_html::{html_text, html_title, normalised_url};
use lookalike_index::About;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Fields of a message that are named in a complaint about a missing one, at most.
const NAMED_FIELDS: usize = 8;

/// The type of a page in a field. JSON is in UTF-8, whatever the page says of itself.
const JSON_PAGE: &str = "text/html; charset=utf-8";

/// The form of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MessageFormat {
    /// A JSON object.
    #[default]
    Json,
    /// A page. Its key is its id and its URL.
    Html,
    /// A text. Its key is its id.
    Text,
}

/// The fields of a JSON message. Each may be nested, such as `page.body`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageFields {
    /// The text.
    pub text: String,
    /// Whether the text is HTML, and its visible text is compared.
    pub is_html: bool,
    /// The id. A message without it has its key as the id, or its topic, partition and offset.
    pub id: String,
    /// The URL.
    pub url: String,
    /// The title.
    pub title: String,
    /// The priority as canonical document.
    pub priority: String,
    /// The time, from which on the document lives until it expires. Without it, a document lives from when it was read.
    pub time: Option<String>,
}

impl Default for MessageFields {
    fn default() -> Self {
        let [text, id, url, title, priority] = ["text", "id", "url", "title", "priority"].map(str::to_owned);
        MessageFields { text, is_html: false, id, url, title, priority, time: None }
    }
}

/// The document of a message.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MessageDocument {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) about: About,
    /// Its time, if the fields name one and it has it.
    pub(crate) time: Option<Time>,
}

/// Finds the fields of messages.
#[derive(Debug)]
pub(crate) struct Parser {
    format: MessageFormat,
    fields: MessageFields,
    picker: Picker,
    /// Fields that the destination fills in. No message may have them.
    taken: &'static [&'static str],
}

/// The fields that are always picked.
const FIELDS: usize = 5;

impl Parser {
    pub(crate) fn new(format: MessageFormat, fields: MessageFields, taken: &'static [&'static str]) -> Self {
        let names: [&str; FIELDS] = [&fields.text, &fields.id, &fields.url, &fields.title, &fields.priority];
        let picker = Picker::new(&[&names, taken, fields.time.as_deref().as_slice()].concat());
        Parser { format, picker, fields, taken }
    }

    /// The document of a message that has a value.
    ///
    /// # Errors
    /// Why it cannot be used, for a person.
    pub(crate) fn parse(&self, message: Message<'_>) -> Result<MessageDocument, String> {
        let value = message.value.unwrap_or_default();
        let mut document = match self.format {
            MessageFormat::Json => self.parse_json(value, message)?,
            MessageFormat::Html => {
                let mut text = String::new();
                html_text(value, None, &mut text);
                let id = id_of(message)?;
                let url = normalised_url(&id).map(|_| id.clone());
                let about = About { url, title: html_title(value, None), ..About::default() };
                MessageDocument { id, text, about, time: None }
            }
            MessageFormat::Text => {
                let text = utf8(value, "the value")?.to_owned();
                MessageDocument { id: id_of(message)?, text, about: About::default(), time: None }
            }
        };
        check_id(&document.id)?;
        // A message has one text. In one of strangers, the separator would hide a copy: each part has shingles of its own.
        if document.text.contains(SECTION_SEPARATOR) {
            document.text = document.text.replace(SECTION_SEPARATOR, " ");
        }
        Ok(document)
    }

    fn parse_json(&self, value: &[u8], message: Message<'_>) -> Result<MessageDocument, String> {
        if value.first() == Some(&0) {
            let reason =
                "it begins as messages of a schema registry do, so it is Avro or Protobuf; send JSON";
            return Err(reason.to_owned());
        }
        let json = utf8(value, "the value")?;
        let picked = self.picker.pick(json, FIELDS + self.taken.len() + 1).map_err(not_an_object)?;
        let (picked, taken) = picked.split_at(FIELDS);
        let (taken, time) = taken.split_at(self.taken.len());
        if let Some((field, _)) = self.taken.iter().zip(taken).find(|(_, value)| value.is_some()) {
            return Err(format!("it has the field {field}, which this stream fills in; rename it"));
        }
        let [text, id, url, title, priority] = picked[..] else { return Err(self.without_text(json)) };
        let Some(text) = text else { return Err(self.without_text(json)) };
        let Some(text) = string(text) else {
            return Err(format!("the field {} is not a text", self.fields.text));
        };
        let mut title = title.and_then(string);
        let text = match self.fields.is_html {
            true => {
                let mut visible = String::new();
                html_text(text.as_bytes(), Some(JSON_PAGE), &mut visible);
                title = title.or_else(|| html_title(text.as_bytes(), Some(JSON_PAGE)));
                visible
            }
            false => text,
        };
        let id = match id.map(|id| (id.get(), string(id))) {
            None | Some(("null", _)) => id_of(message)?,
            Some((_, Some(id))) => id,
            Some((number, None))
                if number.starts_with(|first: char| first == '-' || first.is_ascii_digit()) =>
            {
                number.to_owned()
            }
            Some(_) => return Err(format!("the field {} is neither a text nor a number", self.fields.id)),
        };
        // One that is no URL is no reason to lose the document.
        let url = url.and_then(string).filter(|url| normalised_url(url).is_some());
        let priority = priority
            .and_then(|priority| priority.get().parse().ok())
            .filter(|priority: &f64| priority.is_finite());
        let time = time[0].map(|time| Time::read(time.get()));
        Ok(MessageDocument { id, text, about: About { meta: None, url, title, priority }, time })
    }

    fn without_text(&self, json: &str) -> String {
        let names = serde_json::from_str::<BTreeMap<String, IgnoredAny>>(json).unwrap_or_default();
        let names: Vec<String> = names.into_keys().take(NAMED_FIELDS).collect();
        let has = if names.is_empty() {
            "no fields".to_owned()
        } else {
            format!("the fields {}", names.join(", "))
        };
        format!("it has no field {}; it has {has}", self.fields.text)
    }
}

/// The id of the document that a message without a value removes.
///
/// # Errors
/// Why it cannot be used, for a person.
pub(crate) fn removed_id(message: Message<'_>) -> Result<String, String> {
    let key = message.key.ok_or("it has neither a key nor a value")?;
    let id = utf8(key, "the key")?.to_owned();
    check_id(&id)?;
    Ok(id)
}

/// The id of a message that does not say it.
fn id_of(message: Message<'_>) -> Result<String, String> {
    match message.key {
        Some(key) => Ok(utf8(key, "the key")?.to_owned()),
        None => Ok(format!("{}/{}/{}", message.partition.topic, message.partition.number, message.offset)),
    }
}

fn check_id(id: &str) -> Result<(), String> {
    if id.is_empty() { Err("its id is empty".to_owned()) } else { Ok(()) }
}

fn utf8<'b>(bytes: &'b [u8], part: &str) -> Result<&'b str, String> {
    simdutf8::compat::from_utf8(bytes)
        .map_err(|error| format!("{part} is not UTF-8 at byte {}", error.valid_up_to()))
}

/// Why a value is not a JSON object. Most messages are one line, and its number says nothing.
fn not_an_object(error: serde_json::Error) -> String {
    format!("it is not a JSON object: {error}").replace(" at line 1 column ", " at column ")
}

/// The text that a value is.
fn string(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::TopicPartition;

    fn parse(
        format: MessageFormat,
        fields: MessageFields,
        key: Option<&str>,
        value: &[u8],
    ) -> Result<MessageDocument, String> {
        let partition = &TopicPartition { topic: "pages".into(), number: 2 };
        let key = key.map(str::as_bytes);
        Parser::new(format, fields, &["duplicates"]).parse(Message {
            partition,
            offset: 9,
            key,
            value: Some(value),
        })
    }

    fn json(value: &str) -> Result<MessageDocument, String> {
        parse(MessageFormat::Json, MessageFields::default(), None, value.as_bytes())
    }

    #[test]
    fn fields_are_found_by_name_and_by_path() {
        let page = r#" {"page": {"body": "<p>a <b>b</b>", "n": [1, {"x": "}"}]}, "meta.id": 17, "url": "https://e.org/", "title": "T\n", "priority": 2.5}"#;
        let fields = MessageFields {
            text: "page.body".into(),
            is_html: true,
            id: "meta.id".into(),
            ..MessageFields::default()
        };
        let document = parse(MessageFormat::Json, fields, None, page.as_bytes()).unwrap();
        assert_eq!((&document.id[..], &document.text[..]), ("17", "a b"));
        let about = document.about;
        let flat = br#"{"page": "none", "meta": {"id": 1}, "id": {}, "title": null, "priority": "x", "text": "t", "meta.id": "i"}"#;
        let fields =
            MessageFields { id: "meta.id".into(), url: "page.url".into(), ..MessageFields::default() };
        let expected =
            MessageDocument { id: "i".into(), text: "t".into(), about: About::default(), time: None };
        assert_eq!(parse(MessageFormat::Json, fields, None, flat).unwrap(), expected);
        assert_eq!(
            (about.url.as_deref(), about.title.as_deref(), about.priority),
            (Some("https://e.org/"), Some("T\n"), Some(2.5))
        );
    }

    #[test]
    fn a_separator_of_sections_in_a_message_is_a_space() {
        assert_eq!(json(r#"{"text": "one\ufdd0two"}"#).unwrap().text, "one two");
        let html =
            parse(MessageFormat::Html, MessageFields::default(), Some("k"), b"<p>one&#xFDD0;two").unwrap();
        assert_eq!(html.text, "one two");
        let text =
            parse(MessageFormat::Text, MessageFields::default(), Some("k"), "one\u{fdd0}two".as_bytes());
        assert_eq!(text.unwrap().text, "one two");
    }

    #[test]
    fn a_message_without_an_id_has_its_key_or_its_place() {
        assert_eq!(json(r#"{"text": "t"}"#).unwrap().id, "pages/2/9");
        assert_eq!(json(r#"{"text": "t", "id": null}"#).unwrap().id, "pages/2/9");
        let keyed = parse(MessageFormat::Json, MessageFields::default(), Some("k"), br#"{"text": "\u00e9"}"#)
            .unwrap();
        assert_eq!((&keyed.id[..], &keyed.text[..]), ("k", "é"));
        let page = parse(
            MessageFormat::Html,
            MessageFields::default(),
            Some("https://e.org/p"),
            b"<title>T</title><p>x",
        )
        .unwrap();
        assert_eq!(
            (&page.id[..], &page.text[..], page.about.url.as_deref(), page.about.title.as_deref()),
            ("https://e.org/p", "x", Some("https://e.org/p"), Some("T"))
        );
    }

    #[test]
    fn a_page_in_a_field_has_its_own_title_if_the_message_says_none() {
        let fields = || MessageFields { text: "page".into(), is_html: true, ..MessageFields::default() };
        let title =
            |value: &str| parse(MessageFormat::Json, fields(), None, value.as_bytes()).unwrap().about.title;
        assert_eq!(title(r#"{"page": "<title>A\u00e9</title>b"}"#).as_deref(), Some("Aé"));
        assert_eq!(title(r#"{"page": "<title>A</title>b", "title": "M"}"#).as_deref(), Some("M"));
    }

    #[test]
    fn the_time_is_read_only_if_a_field_is_named() {
        let value = br#"{"text": "t", "page": {"at": "2026-11-26T10:00:00Z"}}"#;
        let fields = MessageFields { time: Some("page.at".into()), ..MessageFields::default() };
        let time = |fields| parse(MessageFormat::Json, fields, None, value).unwrap().time;
        assert_eq!(time(fields), Some(Time::Second(1_795_687_200)));
        assert_eq!(time(MessageFields::default()), None);
    }

    #[test]
    fn a_message_that_cannot_be_used_has_a_reason() {
        let reasons = [
            ("[1]", "it is not a JSON object: invalid type: sequence, expected a JSON object at column 0"),
            ("{\"text\": \"t\"} x", "it is not a JSON object: trailing characters at column 15"),
            ("{\"body\": 1, \"x\": 2}", "it has no field text; it has the fields body, x"),
            ("{}", "it has no field text; it has no fields"),
            ("{\"text\": 1}", "the field text is not a text"),
            ("{\"text\": \"t\", \"id\": []}", "the field id is neither a text nor a number"),
            ("{\"text\": \"t\", \"id\": \"\"}", "its id is empty"),
            (
                "{\"text\": \"t\", \"duplicates\": []}",
                "it has the field duplicates, which this stream fills in; rename it",
            ),
            (
                "\0\0\0\0\u{1}x",
                "it begins as messages of a schema registry do, so it is Avro or Protobuf; send JSON",
            ),
        ];
        for (value, reason) in reasons {
            assert_eq!(json(value).unwrap_err(), reason, "{value}");
        }
        let latin = parse(MessageFormat::Json, MessageFields::default(), None, b"{\"text\": \"\xe9\"}");
        assert_eq!(latin.unwrap_err(), "the value is not UTF-8 at byte 10");
        assert_eq!(
            json("{").unwrap_err(),
            "it is not a JSON object: EOF while parsing an object at column 1"
        );
    }
}
