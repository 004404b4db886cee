//! The dictionary of the texts. The first client that has added enough texts trains it, and all others take it from Redis.

use super::error::RedisError;
use super::functions::{Connection, Repeat};
use super::layout::KeyNames;
use crate::log::texts::{Dictionary, SAMPLE_BYTES};
use std::sync::{Arc, Mutex, PoisonError};

/// The number of the one dictionary that an index in Redis gets.
const NUMBER: u8 = 1;

/// The dictionaries that this client knows.
#[derive(Debug, Default)]
pub(crate) struct Dictionaries {
    state: Mutex<KnownDictionaries>,
}

#[derive(Debug, Default)]
struct KnownDictionaries {
    known: Vec<Arc<Dictionary>>,
    /// Texts that a dictionary is trained on, until there is one.
    sample: Vec<String>,
    sample_bytes: usize,
    /// Whether a sample was full. One whose texts have nothing in common makes no dictionary, and no other is tried.
    was_tried: bool,
}

impl Dictionaries {
    fn state(&self) -> std::sync::MutexGuard<'_, KnownDictionaries> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All that are known.
    pub(crate) fn known(&self) -> Vec<Arc<Dictionary>> {
        self.state().known.clone()
    }

    /// The dictionary for new texts.
    pub(crate) fn newest(&self) -> Option<Arc<Dictionary>> {
        self.state().known.last().cloned()
    }

    /// Adds `text` to the sample. Returns the sample if it is full.
    fn take_sample(&self, text: &str) -> Option<Vec<String>> {
        let mut state = self.state();
        if state.was_tried || !state.known.is_empty() {
            return None;
        }
        state.sample_bytes += text.len();
        state.sample.push(text.to_owned());
        state.was_tried = state.sample_bytes >= SAMPLE_BYTES;
        state.was_tried.then(|| std::mem::take(&mut state.sample))
    }

    /// Takes note of a text to be added, and trains the dictionary if there are enough.
    ///
    /// # Errors
    /// [`RedisError`] if the dictionary cannot be stored.
    pub(crate) async fn learn(
        &self,
        text: &str,
        connection: &Connection,
        keys: &KeyNames,
    ) -> Result<(), RedisError> {
        let Some(sample) = self.take_sample(text) else { return Ok(()) };
        // It takes tens of milliseconds.
        let trained = tokio::task::spawn_blocking(move || {
            let sample: Vec<&str> = sample.iter().map(|text| &text[..]).collect();
            Dictionary::train(NUMBER, &sample)
        });
        if let Ok(Some(trained)) = trained.await {
            let mut store = ::redis::cmd("SETNX");
            store.arg(keys.dictionary(NUMBER)).arg(&trained.bytes);
            connection.send::<i64>(&store, Repeat::Safe).await?;
            // Another client may have been first.
            self.load(NUMBER, connection, keys).await?;
        }
        Ok(())
    }

    /// Loads a dictionary if it is not known. Returns whether it is known now.
    ///
    /// # Errors
    /// [`RedisError`] if it cannot be read.
    pub(crate) async fn load(
        &self,
        number: u8,
        connection: &Connection,
        keys: &KeyNames,
    ) -> Result<bool, RedisError> {
        let is_known = |state: &KnownDictionaries| state.known.iter().any(|known| known.number == number);
        if is_known(&self.state()) {
            return Ok(true);
        }
        let mut read = ::redis::cmd("GET");
        read.arg(keys.dictionary(number));
        let Some(bytes) = connection.send::<Option<Vec<u8>>>(&read, Repeat::Safe).await? else {
            return Ok(false);
        };
        let mut state = self.state();
        if !is_known(&state) {
            state.known.push(Arc::new(Dictionary::new(number, bytes)));
            state.sample = Vec::new();
        }
        Ok(true)
    }

    /// Loads the dictionary if the index has one.
    pub(crate) async fn load_newest(
        &self,
        connection: &Connection,
        keys: &KeyNames,
    ) -> Result<(), RedisError> {
        self.load(NUMBER, connection, keys).await.map(|_| ())
    }
}
