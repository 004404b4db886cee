//! Decoding the bytes of a page to characters.

use std::{borrow::Cow, str};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use memchr::{memchr, memmem};

/// Browsers look for the declaration in the first 1,024 bytes. Some pages have long comments before it.
const DECLARED_WITHIN: usize = 4096;

/// The bytes by which an encoding is detected. More of a page change the result no more.
const DETECTED_WITHIN: usize = 1 << 18;

/// The characters of several bytes that are valid, for each sequence that is not, in a page that is UTF-8 but for some damage.
const VALID_FOR_INVALID: usize = 8;

/// Decodes a page. A byte order mark decides on the encoding, then `declared`, which came with the page, then the declaration
/// in the page, if it is `markup`. Undeclared bytes are UTF-8 if they are valid, and otherwise what a detector says, as in Firefox.
pub(crate) fn decode<'a>(bytes: &'a [u8], declared: Option<&str>, markup: bool) -> Cow<'a, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0;
    }
    let declared = declared.and_then(|label| Encoding::for_label(label.as_bytes()));
    let encoding = declared.or_else(|| if markup { declared_in(bytes) } else { None });
    match encoding {
        Some(encoding) => encoding.decode_without_bom_handling(bytes).0,
        None => undeclared(bytes),
    }
}

fn undeclared(bytes: &[u8]) -> Cow<'_, str> {
    match simdutf8::compat::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        // The end is in the middle of a character: crawlers cut off long pages.
        Err(error) if error.error_len().is_none() => UTF_8.decode_without_bom_handling(bytes).0,
        Err(_) if is_nearly_utf_8(bytes) => UTF_8.decode_without_bom_handling(bytes).0,
        Err(_) => detected(bytes).decode_without_bom_handling(bytes).0,
    }
}

/// Whether characters of several bytes that are valid UTF-8 are far more than the invalid bytes. Other encodings have hardly any by chance. Programs
/// that cut a text at some byte leave such pages.
fn is_nearly_utf_8(bytes: &[u8]) -> bool {
    let (mut valid, mut invalid) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        valid += chunk.valid().chars().filter(|character| !character.is_ascii()).count();
        invalid += usize::from(!chunk.invalid().is_empty());
    }
    valid >= VALID_FOR_INVALID * invalid
}

/// The encoding of bytes that are not UTF-8, by the frequencies of letters and their pairs.
fn detected(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&bytes[..bytes.len().min(DETECTED_WITHIN)], bytes.len() <= DETECTED_WITHIN);
    detector.guess(None, Utf8Detection::Deny)
}

/// The encoding that a page declares: in a `<meta>` tag, or else in an XML declaration, which pages of XHTML start with.
///
/// Source: HTML Standard, "prescan a byte stream to determine its encoding".
fn declared_in(page: &[u8]) -> Option<&'static Encoding> {
    match &page[..page.len().min(DECLARED_WITHIN)] {
        // `<?x` in the two encodings that no tag could be read in.
        [b'<', 0, b'?', 0, b'x', 0, ..] => Some(UTF_16LE),
        [0, b'<', 0, b'?', 0, b'x', ..] => Some(UTF_16BE),
        start => declared_by_meta(start).or_else(|| declared_by_xml(start)),
    }
}

/// The encoding that an XML declaration names. Nothing may stand before it.
///
/// Source: HTML Standard, "get an XML encoding". The declaration ends at the first `>`.
fn declared_by_xml(start: &[u8]) -> Option<&'static Encoding> {
    let is_space = |byte: &u8| *byte <= b' ';
    let skip_spaces = |bytes: &[u8]| bytes.iter().take_while(|byte| is_space(byte)).count();
    let declaration = start.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr(b'>', declaration)?];
    let name = b"encoding";
    let value = &declaration[memmem::find(declaration, name)? + name.len()..];
    let value = value[skip_spaces(value)..].strip_prefix(b"=")?;
    let (&quote, value) = value[skip_spaces(value)..].split_first()?;
    let label = &value[..memchr(quote, value).filter(|_| matches!(quote, b'"' | b'\''))?];
    if label.iter().any(is_space) {
        return None;
    }
    Encoding::for_label(label).map(readable_as_ascii)
}

/// A page whose declaration was read as ASCII is not UTF-16, whatever it says.
fn readable_as_ascii(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16LE || encoding == UTF_16BE { UTF_8 } else { encoding }
}

/// The encoding that a `<meta>` tag declares, in either form.
fn declared_by_meta(start: &[u8]) -> Option<&'static Encoding> {
    let mut rest = start;
    while let Some(start) = memchr(b'<', rest) {
        rest = &rest[start + 1..];
        if rest.starts_with(b"!--") {
            let end = memmem::find(rest, b"-->")?;
            rest = &rest[end..];
            continue;
        }
        if !rest.get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"meta")) {
            continue;
        }
        let (tag, behind) = rest.split_at(memchr(b'>', rest).unwrap_or(rest.len()));
        let label = declared_by(&String::from_utf8_lossy(&tag[4..]));
        if let Some(encoding) = label.and_then(|label| Encoding::for_label(label.as_bytes())) {
            return Some(readable_as_ascii(encoding));
        }
        // Each tag is scanned once. Many tags therefore take no longer than one long tag.
        rest = behind;
    }
    None
}

/// The label that the attributes of a `<meta>` tag declare: that of `charset`, or of a content type in `content`.
fn declared_by(attributes: &str) -> Option<String> {
    let (mut charset, mut content, mut is_content_type) = (None, None, false);
    for (name, value) in attributes_of(attributes) {
        match () {
            () if name.eq_ignore_ascii_case("charset") => charset = charset.or(Some(value)),
            () if name.eq_ignore_ascii_case("content") => content = content.or_else(|| charset_in(value)),
            () if name.eq_ignore_ascii_case("http-equiv") => {
                is_content_type |= value.eq_ignore_ascii_case("content-type");
            }
            () => {}
        }
    }
    charset.or(content.filter(|_| is_content_type)).map(|label| label.trim_end_matches('/').trim().to_owned())
}

/// The attributes of a tag, each with its value, or an empty one.
fn attributes_of(mut text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_between = |character: char| character.is_ascii_whitespace() || character == '/';
    std::iter::from_fn(move || {
        text = text.trim_start_matches(is_between);
        let end = text.find(|end: char| end == '=' || is_between(end)).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let Some(value) = rest.trim_ascii_start().strip_prefix('=').map(str::trim_ascii_start) else {
            text = rest;
            return (!name.is_empty()).then_some((name, ""));
        };
        let (value, rest) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
            _ => value.split_at(value.find(|end: char| end.is_ascii_whitespace()).unwrap_or(value.len())),
        };
        text = rest;
        Some((name, value))
    })
}

/// The value of `charset=` in a content type.
pub(crate) fn charset_in(text: &str) -> Option<&str> {
    const NAME: &str = "charset";
    let start =
        text.as_bytes().windows(NAME.len()).position(|name| name.eq_ignore_ascii_case(NAME.as_bytes()))?;
    let value = text.get(start + NAME.len()..)?.trim_ascii_start().strip_prefix('=')?.trim_ascii_start();
    let value = value.trim_start_matches(['"', '\'']);
    let end =
        value.find(|end: char| matches!(end, '"' | '\'' | ';' | '/' | '>') || end.is_ascii_whitespace());
    Some(&value[..end.unwrap_or(value.len())]).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_has_precedence_over_declarations() {
        assert_eq!(decode(b"\xef\xbb\xbf\xc3\xa9", Some("latin1"), true), "é");
        assert_eq!(decode(b"\xff\xfea\0\xe9\0", Some("utf-8"), false), "aé");
    }

    #[test]
    fn the_header_has_precedence_over_the_page() {
        assert_eq!(decode(b"<meta charset=utf-8>\xe9", Some("ISO-8859-1"), true), "<meta charset=utf-8>é");
        assert!(decode(b"<meta charset=koi8-r>\xc1", Some("no such"), true).ends_with('а'));
    }

    #[test]
    fn a_page_declares_its_encoding_in_either_form() {
        for meta in [
            "<META CHARSET='koi8-r' />",
            "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=koi8-r\">",
            "<!-- <meta charset=utf-8> --><p><meta name=x content='a'><meta charset = koi8-r>",
        ] {
            let page = [meta.as_bytes(), b"\xc1"].concat();
            assert!(decode(&page, None, true).ends_with('а'), "{meta}");
            assert!(!decode(&page, None, false).ends_with('а'), "{meta}");
        }
        assert!(decode("<meta charset=utf-16>é".as_bytes(), None, true).ends_with('é'));
        for meta in [
            "<meta name=description content='How to set charset=windows-1251'><meta charset=koi8-r>",
            "<meta content='text/html;charset=windows-1251'><meta charset=koi8-r>",
            "<meta content = 'x' data-charset=windows-1251 charset=\"koi8-r\" charset=windows-1251>",
            "<meta content='text/html; charset=windows-1251' charset=koi8-r http-equiv=content-type>",
            "<meta / charset=koi8-r/ >",
        ] {
            let page = [meta.as_bytes(), b"\xc1"].concat();
            assert!(decode(&page, None, true).ends_with('а'), "{meta}");
        }
    }

    #[test]
    fn an_xml_declaration_at_the_start_names_the_encoding() {
        for declaration in [
            "<?xml version=\"1.0\" encoding=\"koi8-r\"?>",
            "<?xml version='1.0' encoding = 'KOI8-R' standalone='yes'?>",
            "<?xml encoding\n=\t\"koi8-r\">",
            "<?xml version=\"1.0\" encoding=\"koi8-r\"?><meta charset=unknown>",
        ] {
            let page = [declaration.as_bytes(), b"<p>\xc1"].concat();
            assert!(decode(&page, None, true).ends_with('а'), "{declaration}");
            assert!(!decode(&page, None, false).ends_with('а'), "{declaration}");
        }
        for other in [
            " <?xml version=\"1.0\" encoding=\"koi8-r\"?>",
            "<?XML version=\"1.0\" encoding=\"koi8-r\"?>",
            "<?xml version=\"1.0\"?><p encoding=\"koi8-r\">",
            "<?xml version=\"1.0\" encoding=koi8-r?>",
            "<?xml version=\"1.0\" encoding=\"koi8-r?>",
            "<?xml version=\"1.0\" encoding=\"koi8 -r\"?>",
            "<?xml version=\"1.0\" encoding=\"unknown\"?>",
            "<?xml encoding",
        ] {
            let page = [other.as_bytes(), b"<p>\xc1"].concat();
            assert!(decode(&page, None, true).ends_with('Á'), "{other}");
        }
    }

    #[test]
    fn an_xml_declaration_is_weaker_than_a_mark_a_header_and_a_tag() {
        let declaration = "<?xml version=\"1.0\" encoding=\"koi8-r\"?>";
        let marked = ["\u{feff}", declaration, "é"].concat();
        assert!(decode(marked.as_bytes(), None, true).ends_with('é'));
        let latin = [declaration.as_bytes(), b"\xe9"].concat();
        assert!(decode(&latin, Some("latin1"), true).ends_with('é'));
        let tagged = [declaration, "<meta charset=utf-8>é"].concat();
        assert!(decode(tagged.as_bytes(), None, true).ends_with('é'));
    }

    #[test]
    fn an_xml_declaration_may_be_utf_16_and_only_its_bytes_say_so() {
        let page = "<?xml version=\"1.0\"?>é";
        let bytes = |unit: fn(u16) -> [u8; 2]| page.encode_utf16().flat_map(unit).collect::<Vec<_>>();
        assert_eq!(decode(&bytes(u16::to_le_bytes), None, true), page);
        assert_eq!(decode(&bytes(u16::to_be_bytes), None, true), page);
        let page = "<?xml version=\"1.0\" encoding=\"utf-16\"?>é";
        assert_eq!(decode(page.as_bytes(), None, true), page);
    }

    #[test]
    fn undeclared_bytes_are_in_the_encoding_of_their_language() {
        for (label, text) in [
            ("windows-1251", "Совет города решил закрыть старый мост на ремонт до конца марта"),
            ("koi8-r", "Совет города решил закрыть старый мост на ремонт до конца марта"),
            ("shift_jis", "市議会は春まで古い橋を修理のために閉鎖することを決めた。"),
            ("euc-jp", "市議会は春まで古い橋を修理のために閉鎖することを決めた。"),
            ("gb18030", "市议会决定在春天之前关闭旧桥进行维修，居民需要绕行。"),
            ("big5", "市議會決定在春天之前關閉舊橋進行維修，居民需要繞行。"),
            ("euc-kr", "시의회는 봄까지 낡은 다리를 수리하기 위해 폐쇄하기로 결정했다"),
            ("windows-1253", "Το δημοτικό συμβούλιο αποφάσισε να κλείσει την παλιά γέφυρα"),
            ("windows-1255", "מועצת העיר החליטה לסגור את הגשר הישן לתיקונים עד האביב"),
            ("windows-1250", "Zastupitelstvo města rozhodlo uzavřít starý most kvůli opravě, řidiči čekají"),
        ] {
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            let page = ["<p>", text, "</p>"].concat();
            let (bytes, ..) = encoding.encode(&page);
            assert_eq!(decode(&bytes, None, true), page, "{label}");
        }
    }

    #[test]
    fn a_page_of_utf_8_with_a_wrong_byte_is_utf_8() {
        let text = "Совет города решил закрыть старый мост";
        let page = [text.as_bytes(), b"\xd0<p>", text.as_bytes()].concat();
        assert_eq!(decode(&page, None, true), format!("{text}\u{fffd}<p>{text}"));
    }

    #[test]
    fn undeclared_bytes_are_utf_8_if_valid() {
        assert_eq!(decode("naïve".as_bytes(), None, true), "naïve");
        let french = decode(
            b"le conseil a d\xe9cid\xe9 de fermer le vieux pont pr\xe8s de la for\xeat pour 3 \x80",
            None,
            true,
        );
        assert_eq!(french, "le conseil a décidé de fermer le vieux pont près de la forêt pour 3 €");
        assert_eq!(decode(&"naïf é".as_bytes()[..7], None, true), "naïf \u{fffd}");
    }
}
