//! A count with a name.

use serde::Serialize;

/// A name, and how many there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Count {
    /// The name in lists.
    pub name: String,
    /// The number.
    pub count: u64,
}
