//! How much was found, and how right is it?

pub(crate) mod agreement;
pub(crate) mod probability;
pub(crate) mod recall;
