use crate::error::Error;
use string_interner::{DefaultBackend, StringInterner, Symbol, symbol::SymbolU32};

/// Ids, numbered in order of appearance.
#[derive(Debug, Default)]
pub(super) struct NumberedIds(StringInterner<DefaultBackend>);

/// The interner has no more numbers.
const MOST: usize = u32::MAX as usize - 1;

impl NumberedIds {
    /// The number of `name`. The caller ensures that there are fewer than [`MOST`]; a chunk has fewer.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        self.0.get_or_intern(name).to_usize() as u32
    }

    /// The numbers of all names of `others`, in their order.
    ///
    /// # Errors
    /// [`TooMany`](lookalike_engine::Error::TooMany) if there may be too many.
    pub(super) fn take(&mut self, others: &NumberedIds) -> Result<Vec<u32>, Error> {
        match self.0.len() + others.0.len() {
            names if names > MOST => Err(lookalike_engine::Error::TooMany { documents: names as u64 }.into()),
            _ => Ok(others.0.iter().map(|(_, name)| self.number(name)).collect()),
        }
    }

    pub(super) fn name(&self, number: u32) -> &str {
        SymbolU32::try_from_usize(number as usize)
            .and_then(|symbol| self.0.resolve(symbol))
            .unwrap_or_default()
    }

    /// How many there are.
    pub(super) fn count(&self) -> u32 {
        self.0.len() as u32
    }
}
