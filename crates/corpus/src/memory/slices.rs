//! Slices, vectors and shared texts, which are UTF-8 already.

use std::sync::Arc;

use super::{Texts, UnreadableText};
use crate::Rank;

impl<S: AsRef<str> + Send + Sync> Texts for [S] {
    fn rows(&self) -> usize {
        self.len()
    }

    fn length(&self, row: usize) -> u64 {
        self[row].as_ref().len() as u64
    }

    fn texts<'t>(
        &'t self,
        rows: &[usize],
        _: &'t mut Vec<u8>,
    ) -> Result<Vec<Option<&'t str>>, UnreadableText> {
        Ok(rows.iter().map(|&row| Some(self[row].as_ref())).collect())
    }
}

impl<S: AsRef<str> + Send + Sync> Texts for Vec<S> {
    fn rows(&self) -> usize {
        self.len()
    }

    fn length(&self, row: usize) -> u64 {
        self.as_slice().length(row)
    }

    fn texts<'t>(
        &'t self,
        rows: &[usize],
        buffer: &'t mut Vec<u8>,
    ) -> Result<Vec<Option<&'t str>>, UnreadableText> {
        self.as_slice().texts(rows, buffer)
    }
}

impl<T: Texts + ?Sized> Texts for Arc<T> {
    fn rows(&self) -> usize {
        (**self).rows()
    }

    fn length(&self, row: usize) -> u64 {
        (**self).length(row)
    }

    fn texts<'t>(
        &'t self,
        rows: &[usize],
        buffer: &'t mut Vec<u8>,
    ) -> Result<Vec<Option<&'t str>>, UnreadableText> {
        (**self).texts(rows, buffer)
    }

    fn has_sections(&self) -> bool {
        (**self).has_sections()
    }

    fn bytes(&self) -> u64 {
        (**self).bytes()
    }

    fn id(&self, row: usize) -> Option<&str> {
        (**self).id(row)
    }

    fn number(&self, row: usize) -> Option<Rank> {
        (**self).number(row)
    }

    fn within(&self, row: usize, field: usize) -> Option<&str> {
        (**self).within(row, field)
    }
}
