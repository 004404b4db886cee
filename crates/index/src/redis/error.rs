//! Why an index in Redis cannot be used.

/// Why an index in Redis cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RedisError {
    /// An address is not one of an index.
    #[error("{address}: {problem}")]
    Address {
        /// The address, without its password.
        address: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// The server cannot be reached.
    #[error("{address}: cannot connect: {reason}")]
    Connect {
        /// The address, without its password.
        address: String,
        /// The reason.
        reason: String,
    },
    /// There is no index.
    #[error("{address}: this Redis has no index of the name {name}")]
    NoIndex {
        /// The address, without its password.
        address: String,
        /// The name.
        name: String,
    },
    /// The server has no functions.
    #[error("{address}: the server is older than Redis 7.0, and has no functions")]
    TooOld {
        /// The address.
        address: String,
    },
    /// The keys of the index have another layout.
    #[error(
        "{address}: the index has layout {found}, made by lookalike {lookalike}; this program knows layouts up to {known}"
    )]
    OtherLayout {
        /// The address.
        address: String,
        /// The layout of the index.
        found: String,
        /// The version of the program that made the index.
        lookalike: String,
        /// The layout that this program knows.
        known: u32,
    },
    /// The sketches of the index have another version: the same texts have other sketches now.
    #[error(
        "{address}: the sketches of the index are of version {found}, and this program makes version {known}, by which the same texts have other \
         tokens; make the index again from its documents"
    )]
    OtherSketches {
        /// The address.
        address: String,
        /// The version of its sketches.
        found: String,
        /// The version that this program makes.
        known: u64,
    },
    /// The index has another plan than the one that was asked for.
    #[error("{address}: the index has another plan: {differences}")]
    OtherPlan {
        /// The address.
        address: String,
        /// The settings that differ, with both values.
        differences: String,
    },
    /// The plan of the index has settings or values that this program does not know.
    #[error(
        "{address}: made by lookalike {lookalike}, which sketches or compares in a way that this one does not know"
    )]
    OtherProgram {
        /// The address.
        address: String,
        /// The version of the program that made the index.
        lookalike: String,
    },
    /// A text was asked for, and the index stores none.
    #[error("the index stores no texts")]
    NoTexts,
    /// An index cannot be made with this.
    #[error("{reason}")]
    NewIndex {
        /// The reason.
        reason: String,
    },
    /// An index cannot have this plan.
    #[error(
        "an index takes weights only by SimHash without verification, and only set, tf, log-tf and tf-idf; leave out --weights, or --method exact"
    )]
    UnsupportedPlan,
    /// The index was deleted, or made again by another program.
    #[error("the index in Redis was deleted or made again; start this program again")]
    Gone,
    /// The server has started, and reads its files.
    #[error("Redis has started and reads its files; try again later")]
    Loading,
    /// The connection was lost, or the server took too long. A change may have been made all the same.
    #[error("Redis has not answered: {reason}")]
    NotAnswered {
        /// The reason.
        reason: String,
    },
    /// The server has no memory for more, or the index no numbers for more documents.
    #[error("the index in Redis is full: {reason}")]
    Full {
        /// The reason.
        reason: String,
    },
    /// The server has refused a request.
    #[error("Redis has refused a request: {reason}")]
    Refused {
        /// The reason.
        reason: String,
    },
    /// A key of the index has other bytes than were written.
    #[error("the index in Redis is damaged: {what}")]
    Damaged {
        /// What is wrong.
        what: String,
    },
}

impl From<::redis::RedisError> for RedisError {
    fn from(error: ::redis::RedisError) -> Self {
        let reason = error.to_string();
        match error.code() {
            Some("LOADING") => RedisError::Loading,
            Some("GONE") => RedisError::Gone,
            Some("OOM") => {
                RedisError::Full { reason: "Redis has used all memory that its maxmemory allows".to_owned() }
            }
            Some("FULL") => RedisError::Full { reason },
            _ if error.is_io_error() || error.is_timeout() || error.is_unrecoverable_error() => {
                RedisError::NotAnswered { reason }
            }
            _ => RedisError::Refused { reason },
        }
    }
}

impl RedisError {
    /// The error for a key that has other bytes than were written.
    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        RedisError::Damaged { what: what.into() }
    }
}
