//! Sitemaps: lists of the pages of a site, as XML or text, compressed or not.

use flate2::bufread::MultiGzDecoder;
use quick_xml::events::Event;
use quick_xml::{Reader, XmlVersion};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader, Read};
use url::Url;

/// The most bytes of a sitemap after decompression: the limit of the protocol.
pub(crate) const SITEMAP_BYTES: usize = 50 << 20;

/// The most entries of a sitemap: the limit of the protocol.
const SITEMAP_ENTRIES: usize = 50_000;

/// The most bytes of an entry: the limit of the protocol.
const ENTRY_BYTES: usize = 2048;

/// A sitemap, as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sitemap {
    /// Where it is.
    pub url: String,
    /// The pages that it lists, as absolute URLs in the form in which they are crawled.
    pub pages: Vec<String>,
    /// The sitemaps that it lists.
    pub sitemaps: Vec<String>,
    /// What is wrong with it.
    pub problem: Option<String>,
}

impl Sitemap {
    /// Reads the sitemap at `url`. What was read before an error is kept.
    pub(crate) fn read(url: &Url, bytes: &[u8]) -> Self {
        let mut sitemap = Sitemap { url: url.as_str().to_owned(), ..Sitemap::default() };
        let gzip = bytes.starts_with(&[0x1f, 0x8b]);
        let plain: Box<dyn Read + '_> =
            if gzip { Box::new(MultiGzDecoder::new(bytes)) } else { Box::new(bytes) };
        let mut input = BufReader::new(plain.take(SITEMAP_BYTES as u64));
        let start = input.fill_buf().map(|start| start.trim_ascii_start().to_owned());
        let read = match start {
            Ok(start)
                if start.starts_with(b"<") || start.starts_with(b"\xef\xbb\xbf") && start.contains(&b'<') =>
            {
                sitemap.read_xml(url, input)
            }
            Ok(_) => sitemap.read_text(url, input),
            Err(error) => Err(error.to_string()),
        };
        sitemap.problem = read.err().or(sitemap.problem);
        sitemap
    }

    fn read_xml(&mut self, base: &Url, input: impl BufRead) -> Result<(), String> {
        let mut reader = Reader::from_reader(input);
        let (mut buffer, mut place, mut text) = (Vec::new(), LocPlace::default(), None);
        loop {
            match reader.read_event_into(&mut buffer).map_err(|error| error.to_string())? {
                Event::Start(tag) => match tag.local_name().as_ref() {
                    b"url" => place = LocPlace::Page,
                    b"sitemap" => place = LocPlace::Sitemap,
                    b"loc" if place != LocPlace::Elsewhere && !is_extension(tag.name().as_ref()) => {
                        text = Some(String::new())
                    }
                    _ => {}
                },
                Event::Text(part) => {
                    if let Some(text) = &mut text {
                        text.push_str(
                            &part.xml_content(XmlVersion::Explicit1_0).map_err(|error| error.to_string())?,
                        );
                    }
                }
                Event::CData(part) => {
                    if let Some(text) = &mut text {
                        text.push_str(&String::from_utf8_lossy(&part));
                    }
                }
                Event::GeneralRef(reference) => {
                    if let Some(text) = &mut text {
                        text.push_str(&resolved(&reference));
                    }
                }
                Event::End(tag) if tag.local_name().as_ref() == b"loc" => {
                    if let Some(text) = text.take() {
                        self.push(base, &text, place)?;
                    }
                }
                Event::End(tag) if matches!(tag.local_name().as_ref(), b"url" | b"sitemap") => {
                    place = LocPlace::Elsewhere;
                }
                Event::Eof => return Ok(()),
                _ => {}
            }
            buffer.clear();
        }
    }

    fn read_text(&mut self, base: &Url, input: impl BufRead) -> Result<(), String> {
        for line in input.split(b'\n') {
            let line = line.map_err(|error| error.to_string())?;
            let line = String::from_utf8_lossy(&line);
            let line = line.trim().trim_start_matches('\u{feff}');
            if line.starts_with("http://") || line.starts_with("https://") {
                self.push(base, line, LocPlace::Page)?;
            }
        }
        Ok(())
    }

    fn push(&mut self, base: &Url, text: &str, place: LocPlace) -> Result<(), String> {
        if self.pages.len() + self.sitemaps.len() >= SITEMAP_ENTRIES {
            return Err(format!("it has more than {SITEMAP_ENTRIES} entries"));
        }
        let url = match base.join(text.trim()) {
            Ok(url) if url.as_str().len() <= ENTRY_BYTES => url,
            Ok(_) => {
                let problem = || format!("an entry has more than {ENTRY_BYTES} bytes");
                self.problem.get_or_insert_with(problem);
                return Ok(());
            }
            Err(_) => return Ok(()),
        };
        match place {
            LocPlace::Page => self.pages.push(lookalike_html::crawled_url(url).into()),
            LocPlace::Sitemap => self.sitemaps.push(url.into()),
            LocPlace::Elsewhere => {}
        }
        Ok(())
    }
}

/// The element that a `<loc>` is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LocPlace {
    #[default]
    Elsewhere,
    Page,
    Sitemap,
}

/// Whether an element is of an extension for images or videos, which have a `<image:loc>`.
fn is_extension(name: &[u8]) -> bool {
    name.starts_with(b"image:") || name.starts_with(b"video:") || name.starts_with(b"news:")
}

/// The character of a reference such as `&amp;`.
fn resolved(reference: &quick_xml::events::BytesRef<'_>) -> String {
    if let Ok(Some(char)) = reference.resolve_char_ref() {
        return char.to_string();
    }
    let name = String::from_utf8_lossy(reference);
    quick_xml::escape::resolve_predefined_entity(&name).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(bytes: &[u8]) -> Sitemap {
        Sitemap::read(&Url::parse("http://example.org/sitemap.xml").unwrap(), bytes)
    }

    const PAGES: &str = "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
        <url><loc> http://example.org/a?x=1&amp;y=&#50; </loc><image:image><image:loc>http://example.org/i.png</image:loc></image:image></url>
        <url><loc><![CDATA[http://example.org/b#top]]></loc></url></urlset>";

    #[test]
    fn pages_and_sitemaps_are_read() {
        assert_eq!(read(PAGES.as_bytes()).pages, ["http://example.org/a?x=1&y=2", "http://example.org/b"]);
        let index = read(b"<sitemapindex><sitemap><loc>/more.xml.gz</loc></sitemap></sitemapindex>");
        assert_eq!(
            (index.sitemaps, index.problem),
            (vec!["http://example.org/more.xml.gz".to_owned()], None)
        );
        let text = read(b"\xef\xbb\xbfhttp://example.org/a\r\n\nno url\nhttps://example.org/b\n");
        assert_eq!(text.pages, ["http://example.org/a", "https://example.org/b"]);
    }

    #[test]
    fn a_compressed_sitemap_is_read() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(PAGES.as_bytes()).unwrap();
        assert_eq!(read(&encoder.finish().unwrap()).pages.len(), 2);
    }

    #[test]
    fn a_broken_sitemap_is_read_up_to_the_error() {
        let broken = read(b"<urlset><url><loc>http://example.org/a</loc></url><url><loc>x</lo></url>");
        assert_eq!(broken.pages, ["http://example.org/a"]);
        assert!(broken.problem.is_some());
    }

    #[test]
    fn an_entry_has_so_many_bytes() {
        let text = format!("http://example.org/{}\nhttp://example.org/a\n", "x".repeat(2048));
        let read = read(text.as_bytes());
        assert_eq!((read.pages.len(), read.pages[0].as_str()), (1, "http://example.org/a"));
        assert_eq!(read.problem.unwrap(), "an entry has more than 2048 bytes");
    }

    #[test]
    fn a_sitemap_has_so_many_entries() {
        let long = read("http://example.org/a\n".repeat(50_001).as_bytes());
        assert_eq!(long.pages.len(), 50_000);
        assert_eq!(long.problem.unwrap(), "it has more than 50000 entries");
    }
}
