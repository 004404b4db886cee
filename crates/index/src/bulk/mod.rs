//! Many documents at once: what a batch looks up, and what it adds.

pub(crate) mod gather;
mod heads;
pub(crate) mod linked;
pub(crate) mod update;
pub(crate) mod update_writer;

#[cfg(test)]
mod tests;
