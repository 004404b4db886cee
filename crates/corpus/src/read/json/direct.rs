//! The direct parser: one pass over a line in the form in which nearly every program writes it.
//!
//! A general parser unescapes into memory of its own, and the text must be copied out of it again. On prose whose line ends are
//! escapes, that takes half as long again. The direct parser does not decide on unusual lines: it returns `None`, and the
//! careful parser accepts the line or explains what is wrong. Every line that this parser accepts, the careful parser accepts
//! with the same result.

use super::{
    ValueBuffers,
    buffer::{Buffer, is_special},
    found::{FieldNames, FieldValue, FieldValues, KeyPurpose},
};

/// The maximum depth of lists and objects within a line.
const DEPTH: u32 = 16;

/// Reads the wanted fields of a line; `None` if the careful parser must read it.
pub(super) fn parse<'a>(
    line: &'a str,
    names: FieldNames<'_>,
    buffers: &mut ValueBuffers,
) -> Option<FieldValues<'a>> {
    let line = line.trim_matches([' ', '\t', '\r', '\n']);
    let mut scanner = Scanner { line, bytes: line.as_bytes(), at: 0 };
    let mut found = FieldValues::default();
    scanner.object(names, &mut found, buffers, DEPTH)?;
    (scanner.at == line.len()).then_some(found)
}

/// Reads a value that is known to be JSON. `None` if it is a text with an unpaired surrogate.
pub(super) fn value_of<'a>(written: &'a str, buffer: &mut Buffer) -> Option<FieldValue<'a>> {
    let mut scanner = Scanner { line: written, bytes: written.as_bytes(), at: 0 };
    match written.as_bytes().first()? {
        b'"' => scanner.text(buffer),
        b'n' => Some(FieldValue::Null),
        b't' | b'f' => Some(FieldValue::Boolean(written)),
        b'[' => Some(FieldValue::List(written)),
        b'{' => Some(FieldValue::Object(written)),
        _ => Some(FieldValue::Number(written)),
    }
}

/// The elements of a list, as they are written; `None` if the careful parser must read it.
pub(super) fn elements<'a>(list: &'a str, buffer: &mut Buffer) -> Option<Vec<&'a str>> {
    let mut scanner = Scanner { line: list, bytes: list.as_bytes(), at: 0 };
    let mut elements = Vec::new();
    scanner.list(buffer, DEPTH, |element| elements.push(element))?;
    (scanner.at == list.len()).then_some(elements)
}

struct Scanner<'a> {
    line: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    fn skip_spaces(&mut self) {
        // Line ends are skipped too, because an element of an array may have several lines.
        while let Some(&byte) = self.bytes.get(self.at)
            && byte <= b' '
            && matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
        {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (*self.bytes.get(self.at)? == byte).then(|| self.at += 1)
    }

    /// Reads an object that may hold wanted fields.
    fn object(
        &mut self,
        names: FieldNames<'_>,
        found: &mut FieldValues<'a>,
        buffers: &mut ValueBuffers,
        depth: u32,
    ) -> Option<()> {
        self.members(|scanner, name| {
            let key = KeyPurpose::of(name, names);
            if names.has_path
                && let Some(inside) = names.inside(name, found)
                && scanner.bytes.get(scanner.at) == Some(&b'{')
            {
                let start = scanner.at;
                scanner.object(inside, found, buffers, depth.checked_sub(1)?)?;
                found.put(key, FieldValue::Object(&scanner.line[start..scanner.at]), names);
                return Some(());
            }
            let buffer = match key {
                KeyPurpose::Text => &mut buffers.text,
                KeyPurpose::Id | KeyPurpose::IdAndNumber => &mut buffers.id,
                KeyPurpose::Number => &mut buffers.number,
                KeyPurpose::Other => &mut buffers.other,
            };
            found.put(key, scanner.value(buffer, depth)?, names);
            Some(())
        })
    }

    /// Reads an object. `member` is called behind the colon of each key, and must consume the value.
    fn members(&mut self, mut member: impl FnMut(&mut Self, &'a str) -> Option<()>) -> Option<()> {
        self.take(b'{')?;
        self.skip_spaces();
        if self.take(b'}').is_some() {
            return Some(());
        }
        loop {
            let key = self.key()?;
            self.skip_spaces();
            self.take(b':')?;
            self.skip_spaces();
            member(self, key)?;
            self.skip_spaces();
            if self.take(b'}').is_some() {
                return Some(());
            }
            self.take(b',')?;
            self.skip_spaces();
        }
    }

    /// Reads a key without escapes.
    fn key(&mut self) -> Option<&'a str> {
        self.take(b'"')?;
        let length = self.bytes[self.at..].iter().position(|&byte| is_special(byte))?;
        let key = &self.line[self.at..self.at + length];
        self.at += length;
        self.take(b'"')?;
        Some(key)
    }

    /// Reads a value, with the same result as the careful parser.
    fn value(&mut self, buffer: &mut Buffer, depth: u32) -> Option<FieldValue<'a>> {
        match self.bytes.get(self.at)? {
            b'"' => self.text(buffer),
            b'-' | b'0'..=b'9' => self.number(),
            b'n' => self.literal("null", FieldValue::Null),
            b't' => self.literal("true", FieldValue::Boolean("true")),
            b'f' => self.literal("false", FieldValue::Boolean("false")),
            b'[' => self.list(buffer, depth.checked_sub(1)?, |_| {}),
            b'{' => {
                let (start, depth) = (self.at, depth.checked_sub(1)?);
                self.members(|scanner, _| scanner.value(buffer, depth).map(drop))?;
                Some(FieldValue::Object(&self.line[start..self.at]))
            }
            _ => None,
        }
    }

    fn literal(&mut self, name: &str, value: FieldValue<'a>) -> Option<FieldValue<'a>> {
        self.bytes[self.at..].starts_with(name.as_bytes()).then(|| self.at += name.len())?;
        Some(value)
    }

    /// Reads a list. `element` is called with each of its elements, as it is written.
    fn list(
        &mut self,
        buffer: &mut Buffer,
        depth: u32,
        mut element: impl FnMut(&'a str),
    ) -> Option<FieldValue<'a>> {
        let start = self.at;
        self.take(b'[')?;
        self.skip_spaces();
        if self.take(b']').is_some() {
            return Some(FieldValue::List(&self.line[start..self.at]));
        }
        loop {
            let start_of_element = self.at;
            self.value(buffer, depth)?;
            element(&self.line[start_of_element..self.at]);
            self.skip_spaces();
            if self.take(b']').is_some() {
                return Some(FieldValue::List(&self.line[start..self.at]));
            }
            self.take(b',')?;
            self.skip_spaces();
        }
    }

    fn number(&mut self) -> Option<FieldValue<'a>> {
        let start = self.at;
        let _ = self.take(b'-');
        let whole = self.digits()?;
        if whole > 1 && self.bytes[self.at - whole] == b'0' {
            return None;
        }
        if self.take(b'.').is_some() {
            self.digits()?;
        }
        if self.take(b'e').or_else(|| self.take(b'E')).is_some() {
            let _ = self.take(b'-').or_else(|| self.take(b'+'));
            self.digits()?;
        }
        Some(FieldValue::Number(&self.line[start..self.at]))
    }

    /// Reads one or more digits, and returns their number.
    fn digits(&mut self) -> Option<usize> {
        let count = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        (count > 0).then_some(count)
    }

    fn text(&mut self, buffer: &mut Buffer) -> Option<FieldValue<'a>> {
        self.take(b'"')?;
        buffer.restart(self.bytes.len() - self.at);
        let start = self.at;
        let mut at = start + buffer.push_text(&self.line[start..])?;
        while self.bytes.get(at)? == &b'\\' {
            at = self.escape(at, buffer)?;
            // Some programs write texts in which escapes follow each other directly.
            if self.bytes.get(at)? != &b'\\' {
                at += buffer.push_text(&self.line[at..])?;
            }
        }
        self.bytes[at..].starts_with(b"\"").then_some(())?;
        self.at = at + 1;
        // Every escape is longer than its character, so equal lengths mean that there was none.
        let is_plain = buffer.len() == at - start;
        Some(if is_plain { FieldValue::Borrowed(&self.line[start..at]) } else { FieldValue::Copied })
    }

    /// Appends the character of the escape at `at`, and returns the position behind the escape.
    fn escape(&self, at: usize, buffer: &mut Buffer) -> Option<usize> {
        let character = match self.bytes.get(at + 1)? {
            b'n' => '\n',
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => return self.unicode_escape(at, buffer),
            _ => return None,
        };
        buffer.push(character);
        Some(at + 2)
    }

    fn unicode_escape(&self, at: usize, buffer: &mut Buffer) -> Option<usize> {
        let first = self.code_unit(at)?;
        if !(0xd800..0xe000).contains(&first) {
            buffer.push(char::from_u32(first)?);
            return Some(at + 6);
        }
        let second = self.code_unit(at + 6)?;
        if !(0xdc00..0xe000).contains(&second) {
            return None;
        }
        // If the first unit was a low surrogate, the result is beyond all characters, and `None`.
        buffer.push(char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))?);
        Some(at + 12)
    }

    /// The code unit of the `\u` escape at `at`.
    fn code_unit(&self, at: usize) -> Option<u32> {
        let escape = self.bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        escape.iter().try_fold(0, |unit, &byte| Some(unit << 4 | char::from(byte).to_digit(16)?))
    }
}
