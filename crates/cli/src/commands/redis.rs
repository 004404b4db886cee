//! An index in Redis, for the commands that may make one.

use crate::args::{self, NewIndexArgs, SimilarityArgs};
use lookalike_index::NewIndex;
use lookalike_seen::redis::{RedisAddress, RedisError, RedisIndex};

/// What an index is to be made with in Redis, if options say it. An index that is there has its own plan, and options must agree with it.
pub(super) async fn wanted(
    redis: &RedisAddress,
    similarity: &mut SimilarityArgs,
    new: NewIndexArgs,
) -> anyhow::Result<Option<NewIndex>> {
    let index = match RedisIndex::open(redis).await {
        Ok(index) => index,
        Err(RedisError::NoIndex { .. }) => return new.new_index_if_given(similarity),
        Err(error) => return Err(error.into()),
    };
    args::check_beside(similarity, new, &index.made_with(), &redis.to_string())?;
    Ok(None)
}
