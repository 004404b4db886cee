//! The index in Redis.

use super::{Answer, Changed, DocumentName, IndexFigures, NotReady, SeenIndex, Submitted, Then};
use crate::changes::{Added, NewText, Touched};
use crate::check::{Checked, DocumentMatch};
use crate::error::SeenError;
use crate::redis::{RedisDocument, RedisError, RedisSeen};
use crate::sketched::SketchedText;
use crate::stored::StoredDocument;
use crate::{MOST_TOGETHER, Prepared, PreparedTexts, Seen};
use lookalike::{Plan, Score, Weights};
use lookalike_index::unix_seconds;
use std::pin::Pin;

impl SeenIndex for RedisSeen {
    fn plan(&self) -> &Plan {
        RedisSeen::plan(self)
    }

    fn weights(&self) -> &Weights {
        self.index().weights()
    }

    fn stores_texts(&self) -> bool {
        self.index().tables().stores_texts()
    }

    fn folder(&self) -> Option<&Seen> {
        None
    }

    fn sketch(&self, text: &str) -> SketchedText {
        RedisSeen::sketch(self, text)
    }

    fn sketch_of<'a>(&'a self, name: DocumentName<'a>) -> Answer<'a, Option<(StoredDocument, SketchedText)>> {
        Box::pin(async move {
            let sketch = |document: RedisDocument| {
                Ok((StoredDocument::of_either(&document), self.sketch_again(&document)?))
            };
            self.document(name).await?.map(sketch).transpose()
        })
    }

    fn check<'a>(&'a self, text: &'a SketchedText, threshold: f64, now: u32) -> Answer<'a, Checked> {
        Box::pin(self.check_sketch(text, threshold, now))
    }

    fn nearest<'a>(
        &'a self,
        text: &'a SketchedText,
        except: Option<&'a str>,
        now: u32,
    ) -> Answer<'a, Option<DocumentMatch>> {
        Box::pin(RedisSeen::nearest(self, text, except, now))
    }

    fn find<'a>(
        &'a self,
        name: DocumentName<'a>,
        with_text: bool,
    ) -> Answer<'a, Option<(StoredDocument, Option<String>)>> {
        Box::pin(async move {
            let with_text = with_text && self.stores_texts();
            let document = self.document(name).await?;
            document.map(|document| StoredDocument::read(&document, with_text)).transpose()
        })
    }

    fn members(&self, number: u64, now: u32) -> Answer<'_, Vec<StoredDocument>> {
        Box::pin(RedisSeen::members(self, number, now))
    }

    fn scores<'a>(&'a self, to: u64, others: &'a [u64]) -> Answer<'a, Vec<Score>> {
        Box::pin(RedisSeen::scores(self, to, others))
    }

    fn figures(&self) -> Answer<'_, IndexFigures> {
        Box::pin(async move {
            let counts = self.index().counts().await?;
            let (documents, sequence) = (counts.documents, counts.sequence);
            Ok(IndexFigures { documents, sequence, ..IndexFigures::default() })
        })
    }

    fn durability(&self) -> Answer<'_, Result<String, NotReady>> {
        Box::pin(async move {
            match self.index().check().await {
                Ok(()) => {}
                Err(error @ RedisError::Gone) => {
                    return Ok(Err(NotReady::Gone(error.to_string())));
                }
                Err(error @ (RedisError::Full { .. } | RedisError::Refused { .. })) => {
                    return Ok(Err(NotReady::NotWriting(error.to_string())));
                }
                Err(error) => return Err(error.into()),
            }
            let durability = self.index().durability().await?;
            if durability.may_evict() {
                let policy = durability.maxmemory_policy.unwrap_or_default();
                let detail = format!(
                    "Redis removes parts of the index when its memory is full; set maxmemory-policy noeviction in place of {policy}"
                );
                return Ok(Err(NotReady::Evicts(detail)));
            }
            Ok(Ok(match (durability.appendonly, durability.appendfsync) {
                (Some(false), _) => "appendonly no".to_owned(),
                (_, Some(appendfsync)) => format!("appendfsync {appendfsync}"),
                (_, None) => "appendfsync unknown".to_owned(),
            }))
        })
    }

    fn prepare(&self, texts: Vec<NewText>, _now: u32) -> Result<PreparedTexts, SeenError> {
        assert!(texts.len() <= MOST_TOGETHER, "as many as in a folder");
        Ok(PreparedTexts(Prepared::Sketched(self.sketch_all(texts))))
    }

    /// Redis decides one text after the other.
    fn submit(&self, texts: PreparedTexts, mut then: Then<Added>) -> Submitted<'_, PreparedTexts, Added> {
        let Prepared::Sketched(texts) = texts.0 else { panic!("another index has prepared these texts") };
        Box::pin(async move {
            for (text, sketch) in texts {
                then(vec![self.add_sketched(text, &sketch, unix_seconds()).await]);
            }
            Ok(())
        })
    }

    fn submit_alone(&self, texts: PreparedTexts, then: Then<Added>) -> Submitted<'_, PreparedTexts, Added> {
        SeenIndex::submit(self, texts, then)
    }

    fn remove(
        &self,
        ids: Vec<String>,
        mut then: Then<Option<u64>>,
    ) -> Submitted<'_, Vec<String>, Option<u64>> {
        Box::pin(async move {
            for id in &ids {
                then(vec![RedisSeen::remove(self, id).await]);
            }
            Ok(())
        })
    }

    /// Redis forgets the text of a removed document at once.
    fn purge(&self, ids: Vec<String>, then: Then<Option<u64>>) -> Submitted<'_, Vec<String>, Option<u64>> {
        SeenIndex::remove(self, ids, then)
    }

    fn touch<'a>(&'a self, id: &'a str, expires: u32, now: u32) -> Changed<'a, Option<Touched>> {
        Box::pin(RedisSeen::touch(self, id, expires, now))
    }

    fn sweep(&self) -> Option<Pin<Box<dyn Future<Output = ()> + Send>>> {
        Some(Box::pin(self.clone().sweep_for_ever()))
    }
}

impl RedisSeen {
    /// The newest document that has this name.
    async fn document(&self, name: DocumentName<'_>) -> Result<Option<RedisDocument>, SeenError> {
        Ok(match name {
            DocumentName::Id(id) => self.index().find(id).await?,
            DocumentName::Url(url) => self.index().find_url(url).await?,
        })
    }
}
