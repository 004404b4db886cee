//! Reads documents and links.

use super::document::RedisDocument;
use super::error::RedisError;
use super::functions::Repeat;
use super::index::RedisIndex;
use super::layout::{CHUNK_DOCUMENTS, id_key, unpack_numbers, url_key};
use crate::log::record::url_hash;
use ::redis::Value;

impl RedisIndex {
    /// The document that has this id, also if it has expired.
    ///
    /// # Errors
    /// [`RedisError`] if there is no answer, or a damaged one.
    pub async fn find(&self, id: &str) -> Result<Option<RedisDocument>, RedisError> {
        let mut call = self.function("find");
        call.arg(id).arg(id_key(id));
        let answer: Vec<Value> = self.connection.call(&call, Repeat::Safe).await?;
        let found = match &answer[..] {
            [Value::Int(number), Value::BulkString(bytes)] => vec![(*number as u64, bytes.clone())],
            _ => Vec::new(),
        };
        Ok(self.read_documents(found).await?.pop())
    }

    /// The newest document that has this URL, in any spelling: see [`normalised_url`](lookalike_html::normalised_url). It may have expired.
    ///
    /// # Errors
    /// [`RedisError`] if there is no answer, or a damaged one.
    pub async fn find_url(&self, url: &str) -> Result<Option<RedisDocument>, RedisError> {
        let (hash, mut call) = (url_hash(url), self.function("find_url"));
        call.arg(url_key(hash));
        let answer: Vec<Value> = self.connection.call(&call, Repeat::Safe).await?;
        let found = answer.as_chunks().0.iter().filter_map(|pair| match pair {
            [Value::Int(number), Value::BulkString(bytes)] => Some((*number as u64, bytes.clone())),
            _ => None,
        });
        let documents = self.read_documents(found.collect()).await?;
        Ok(documents.into_iter().find(|document| document.url_hash() == Some(hash)))
    }

    /// The documents with these numbers, or `None` for those that were removed.
    ///
    /// # Errors
    /// [`RedisError`] if there is no answer, or a damaged one.
    pub async fn documents(&self, numbers: &[u64]) -> Result<Vec<Option<RedisDocument>>, RedisError> {
        let mut pipeline = ::redis::pipe();
        for number in numbers {
            let (chunk, field) = (number / CHUNK_DOCUMENTS, [(number % CHUNK_DOCUMENTS) as u8]);
            pipeline.cmd("HGET").arg(self.keys.documents(chunk)).arg(&field[..]);
        }
        let answers: Vec<Option<Vec<u8>>> = self.connection.send_all(&pipeline).await?;
        let mut documents = Vec::with_capacity(numbers.len());
        for (&number, bytes) in numbers.iter().zip(answers) {
            let bytes = bytes.map(|bytes| (number, bytes)).into_iter().collect();
            documents.push(self.read_documents(bytes).await?.pop());
        }
        Ok(documents)
    }

    /// The documents of a chunk, 256 at most, in the order of their numbers. Chunks are numbered from 0 on. The last one is that of the
    /// [newest document](super::status::RedisCounts::documents).
    ///
    /// # Errors
    /// [`RedisError`] if there is no answer, or a damaged one.
    pub async fn chunk(&self, chunk: u64) -> Result<Vec<RedisDocument>, RedisError> {
        let entries = self.entries(self.keys.documents(chunk), chunk).await?;
        self.read_documents(entries).await
    }

    /// The links of the documents of a chunk: an older document of the cluster, and the document. Documents that were removed have theirs.
    ///
    /// # Errors
    /// [`RedisError`] if there is no answer, or a damaged one.
    pub async fn links_of_chunk(&self, chunk: u64) -> Result<Vec<[u64; 2]>, RedisError> {
        let entries = self.entries(self.keys.parents(chunk), chunk).await?;
        let link = |(member, parent): (u64, Vec<u8>)| {
            let parent = unpack_numbers(&parent).next();
            parent.map(|parent| [parent, member]).ok_or_else(|| RedisError::damaged("a link has no document"))
        };
        entries.into_iter().map(link).collect()
    }

    /// The entries of a hash whose fields are the lowest bytes of numbers, by number.
    async fn entries(&self, key: String, chunk: u64) -> Result<Vec<(u64, Vec<u8>)>, RedisError> {
        let mut read = ::redis::cmd("HGETALL");
        read.arg(key);
        let fields: Vec<(Vec<u8>, Vec<u8>)> = self.connection.send(&read, Repeat::Safe).await?;
        let number = |field: &[u8]| match field {
            [byte] => Ok(chunk * CHUNK_DOCUMENTS + u64::from(*byte)),
            _ => Err(RedisError::damaged(format!("chunk {chunk} has a field of another length"))),
        };
        let entries = fields.into_iter().map(|(field, value)| Ok((number(&field)?, value)));
        let mut entries: Vec<(u64, Vec<u8>)> = entries.collect::<Result<_, RedisError>>()?;
        entries.sort_unstable_by_key(|(number, _)| *number);
        Ok(entries)
    }

    /// The documents of the cluster of a document that were not removed, ascending, and whether these are all. There are `most` at most.
    ///
    /// # Errors
    /// [`RedisError`] if there is no answer.
    pub async fn cluster(&self, number: u64, most: u32) -> Result<(Vec<u64>, bool), RedisError> {
        let mut call = self.function("cluster");
        call.arg(number).arg(most);
        let (members, is_all): (Vec<u8>, u64) = self.connection.call(&call, Repeat::Safe).await?;
        let mut members: Vec<u64> = unpack_numbers(&members).collect();
        members.sort_unstable();
        Ok((members, is_all == 1))
    }

    /// Reads documents from their bytes, with the dictionaries that they need.
    pub(crate) async fn read_documents(
        &self,
        found: Vec<(u64, Vec<u8>)>,
    ) -> Result<Vec<RedisDocument>, RedisError> {
        let documents =
            found.into_iter().map(|(number, bytes)| RedisDocument::read(number, bytes, &self.tables));
        let mut documents: Vec<RedisDocument> = documents.collect::<Result<_, RedisError>>()?;
        for number in documents.iter().filter_map(RedisDocument::dictionary) {
            if !self.dictionaries.load(number, &self.connection, &self.keys).await? {
                return Err(RedisError::damaged(format!("there is no dictionary {number}")));
            }
        }
        let known = self.dictionaries.known();
        documents.iter_mut().for_each(|document| document.set_dictionaries(&known));
        Ok(documents)
    }
}
