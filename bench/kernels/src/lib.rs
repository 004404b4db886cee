//! Shared parts of the benchmark programs: reading a corpus, features in a flat file for other programs, and threads.

mod threads;

pub use threads::Threads;

use std::borrow::Cow;
use std::fs;
use std::io::{self, BufWriter, Write};

/// One document of a JSONL corpus.
#[derive(serde::Deserialize)]
pub struct Document {
    /// The document's name.
    pub id: String,
    /// The measured text.
    pub text: String,
}

/// A document whose strings are copied only if the parser has to.
#[derive(serde::Deserialize)]
pub struct Borrowed<'a> {
    /// The document's name.
    #[serde(borrow)]
    pub id: Cow<'a, str>,
    /// The measured text.
    #[serde(borrow)]
    pub text: Cow<'a, str>,
}

/// The documents of a JSONL corpus, in order.
///
/// # Errors
/// If the file cannot be read, or a line is not an object with `id` and `text`.
pub fn documents(path: &str) -> io::Result<Vec<Document>> {
    let data = fs::read(path).map_err(|error| io::Error::other(format!("{path}: {error}")))?;
    data.split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .enumerate()
        .map(|(index, line)| {
            sonic_rs::from_slice(line)
                .map_err(|error| io::Error::other(format!("{path}, document {}: {error}", index + 1)))
        })
        .collect()
}

/// The features of many documents, one document after the other.
///
/// The file has the number of documents, `offsets` (one more than documents) and `features`, all as little-endian u64.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Flat {
    offsets: Vec<u64>,
    features: Vec<u64>,
}

impl Flat {
    /// A collection without documents.
    pub fn new() -> Self {
        Flat { offsets: vec![0], features: Vec::new() }
    }

    /// Appends a document.
    pub fn push(&mut self, features: &[u64]) {
        self.features.extend_from_slice(features);
        self.offsets.push(self.features.len() as u64);
    }

    /// The number of documents.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The features of all documents together.
    pub fn features(&self) -> &[u64] {
        &self.features
    }

    /// The features of each document, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u64]> {
        self.offsets.windows(2).map(|ends| &self.features[ends[0] as usize..ends[1] as usize])
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &str) -> io::Result<()> {
        let mut file = BufWriter::new(fs::File::create(path)?);
        for value in [self.len() as u64].iter().chain(&self.offsets).chain(&self.features) {
            file.write_all(&value.to_le_bytes())?;
        }
        file.flush()
    }

    /// Reads the file.
    ///
    /// # Errors
    /// If it cannot be read or has another format.
    pub fn read(path: &str) -> io::Result<Self> {
        let data = fs::read(path)?;
        let wrong = || io::Error::other(format!("{path} is not a flat file of features"));
        let (words, []) = data.as_chunks::<8>() else { return Err(wrong()) };
        let values: Vec<u64> = words.iter().map(|&word| u64::from_le_bytes(word)).collect();
        let (&count, rest) = values.split_first().ok_or_else(wrong)?;
        let (offsets, features) = usize::try_from(count)
            .ok()
            .and_then(|count| rest.split_at_checked(count + 1))
            .ok_or_else(wrong)?;
        if offsets[0] != 0 || !offsets.is_sorted() || offsets[offsets.len() - 1] != features.len() as u64 {
            return Err(wrong());
        }
        Ok(Flat { offsets: offsets.to_vec(), features: features.to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_file_is_read_as_it_was_written() {
        let mut flat = Flat::new();
        for features in [&[3, 1, u64::MAX][..], &[], &[7]] {
            flat.push(features);
        }
        let path = std::env::temp_dir().join(format!("lookalike-kernels-{}.flat", std::process::id()));
        let path = path.to_str().expect("a UTF-8 temporary folder");
        flat.write(path).unwrap();
        let back = Flat::read(path);
        fs::write(path, [0; 12]).unwrap();
        let broken = Flat::read(path);
        fs::remove_file(path).unwrap();
        assert_eq!(back.unwrap(), flat);
        assert!(broken.is_err());
    }
}
