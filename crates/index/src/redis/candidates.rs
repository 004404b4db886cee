//! Looks a text up, and adds a document if the client has compared it with every candidate.

use super::document::{RedisDocument, RedisEncodedDocument};
use super::error::RedisError;
use super::functions::Repeat;
use super::index::RedisIndex;
use super::layout::{pack_numbers, unpack_numbers};
use crate::keys::key;
use ::redis::{Cmd, Value};
use lookalike::Plan;

/// What happens to a document that is similar to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddMode {
    /// It is not added.
    Refuse,
    /// It is added, and nothing is compared.
    Ignore,
    /// It is added, and linked to all that it is similar to.
    Store,
}

/// The documents that a text was compared with.
#[derive(Clone, Debug, Default)]
pub struct ComparedDocuments {
    /// The numbers of the documents that are not similar.
    pub refuted: Vec<u64>,
    /// The numbers of the similar documents.
    pub similar: Vec<u64>,
}

/// The documents that a text is to be compared with, or the answer to an addition.
#[derive(Debug)]
pub struct RedisCandidates {
    /// What the addition has led to. A look-up is [`AddStep::Compare`] always.
    pub step: AddStep,
    /// The number of changes of the index before it.
    pub sequence: u64,
    /// The number of documents whose sketches match.
    pub candidates: u64,
    /// How many of them have not expired and have similar signatures. So many documents are compared.
    pub compared: u64,
    /// Whether there were more candidates than a text is compared with.
    pub is_capped: bool,
    /// Whether there are more documents to compare than are in `documents`.
    pub has_more: bool,
    /// Those of [`ComparedDocuments::similar`] that are still there.
    pub similar: Vec<u64>,
    /// The documents that were not compared yet.
    pub documents: Vec<RedisDocument>,
}

/// What an addition has led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddStep {
    /// The documents must be compared before it can be decided. Nothing was changed.
    Compare,
    /// The document was added, and has this number.
    Added(u64),
    /// The document with this number has the same id and the same content.
    Unchanged(u64),
    /// The document with this number has the same id and other content.
    OtherText(u64),
    /// One of [`RedisCandidates::similar`] is still there.
    Duplicate,
}

impl RedisIndex {
    /// The documents whose sketches match by `keys` or by `signature`, have not expired at second `now` since 1970, and have a similar signature by `plan`, which
    /// has the sketches of the index. Those that were `compared` are left out.
    ///
    /// # Errors
    /// [`RedisError`] if there is no answer, or a damaged one.
    pub async fn candidates(
        &self,
        plan: &Plan,
        keys: &[u64],
        signature: &[u8],
        compared: &ComparedDocuments,
        now: u32,
    ) -> Result<RedisCandidates, RedisError> {
        let call = self.look_up(keys, signature, least_equal(plan), compared, now);
        self.answer(self.connection.call(&call, Repeat::Safe).await?).await
    }

    /// Like [`RedisIndex::candidates`], whether or not the signatures are similar.
    ///
    /// # Errors
    /// [`RedisError`] if there is no answer, or a damaged one.
    pub async fn all_candidates(
        &self,
        keys: &[u64],
        signature: &[u8],
        now: u32,
    ) -> Result<RedisCandidates, RedisError> {
        let call = self.look_up(keys, signature, 0, &ComparedDocuments::default(), now);
        self.answer(self.connection.call(&call, Repeat::Safe).await?).await
    }

    fn look_up(
        &self,
        keys: &[u64],
        signature: &[u8],
        least: u32,
        compared: &ComparedDocuments,
        now: u32,
    ) -> Cmd {
        let keys = &keys[..self.tables.logged_keys()];
        let mut packed = Vec::with_capacity(key::packed_bytes(keys.len()));
        key::pack(keys, &mut packed);
        let mut call = self.function("check");
        call.arg(now).arg(least).arg(packed).arg(signature);
        push_compared(&mut call, compared);
        call
    }

    /// Adds a document, unless there are documents that it must be compared with. It must have been `compared` with those of all answers
    /// before.
    ///
    /// # Errors
    /// [`RedisError`]. After [`RedisError::NotAnswered`] the document may have been added. To add it again is safe: if it was added, the
    /// answer is [`AddStep::Unchanged`].
    pub async fn try_add(
        &self,
        document: &RedisEncodedDocument,
        mode: AddMode,
        compared: &ComparedDocuments,
        now: u32,
    ) -> Result<RedisCandidates, RedisError> {
        let call = self.addition(document, mode, compared, now);
        self.answer(self.connection.call(&call, Repeat::Unsafe).await?).await
    }

    /// Adds documents in this order, whatever they are similar to. Returns the step of each.
    ///
    /// # Errors
    /// As [`RedisIndex::try_add`].
    pub async fn put_all(
        &self,
        documents: &[RedisEncodedDocument],
        now: u32,
    ) -> Result<Vec<AddStep>, RedisError> {
        let mut pipeline = ::redis::pipe();
        for document in documents {
            pipeline.add_command(self.addition(
                document,
                AddMode::Ignore,
                &ComparedDocuments::default(),
                now,
            ));
        }
        let answers: Vec<Vec<Value>> = self.connection.send_all(&pipeline).await?;
        answers.into_iter().map(|answer| Ok(figures(&answer)?.0)).collect()
    }

    fn addition(
        &self,
        document: &RedisEncodedDocument,
        mode: AddMode,
        compared: &ComparedDocuments,
        now: u32,
    ) -> Cmd {
        let mode = match mode {
            AddMode::Refuse => "refuse",
            AddMode::Ignore => "ignore",
            AddMode::Store => "store",
        };
        let mut call = self.function("add");
        call.arg(now).arg(self.least).arg(mode);
        call.arg(self.tables.signature_bytes()).arg(&document.0[..]);
        push_compared(&mut call, compared);
        call
    }

    async fn answer(&self, answer: Vec<Value>) -> Result<RedisCandidates, RedisError> {
        let (step, [sequence, candidates, compared, capped, more]) = figures(&answer)?;
        let mut values = answer.into_iter().skip(FIGURES);
        let similar = match values.next() {
            Some(Value::BulkString(bytes)) => unpack_numbers(&bytes).collect(),
            _ => return Err(unexpected()),
        };
        let mut documents = Vec::new();
        while let Some(number) = values.next() {
            match (number, values.next()) {
                (Value::Int(number), Some(Value::BulkString(bytes))) => {
                    documents.push((number as u64, bytes))
                }
                _ => return Err(unexpected()),
            }
        }
        let documents = self.read_documents(documents).await?;
        let (is_capped, has_more) = (capped != 0, more != 0);
        Ok(RedisCandidates { step, sequence, candidates, compared, is_capped, has_more, similar, documents })
    }
}

/// The least number of equal parts of two signatures that are compared: values by MinHash, bits by SimHash.
pub(super) fn least_equal(plan: &Plan) -> u32 {
    let values = plan.num_perm() as u32;
    match plan.simhash() {
        Some(simhash) => simhash.bits.count() - simhash.hamming,
        // No signature passes if none does.
        None => (0..=values).find(|&equal| plan.signature_filter().passes(equal)).unwrap_or(u32::MAX),
    }
}

/// Integers before the rest of an answer.
const FIGURES: usize = 7;

/// The step, the sequence number, and the figures of an answer.
fn figures(answer: &[Value]) -> Result<(AddStep, [u64; 5]), RedisError> {
    let numbers: Option<Vec<u64>> = answer
        .iter()
        .take(FIGURES)
        .map(|value| if let Value::Int(number) = value { u64::try_from(*number).ok() } else { None })
        .collect();
    let [step, sequence, number, candidates, compared, capped, more] =
        numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(unexpected)?;
    let step = match step {
        0 => AddStep::Compare,
        1 => AddStep::Added(number),
        2 => AddStep::Unchanged(number),
        3 => AddStep::OtherText(number),
        4 => AddStep::Duplicate,
        _ => return Err(unexpected()),
    };
    Ok((step, [sequence, candidates, compared, capped, more]))
}

fn push_compared(call: &mut Cmd, compared: &ComparedDocuments) {
    call.arg(pack_numbers(&compared.refuted)).arg(pack_numbers(&compared.similar));
}

fn unexpected() -> RedisError {
    RedisError::damaged("a function has given an answer of another form")
}
