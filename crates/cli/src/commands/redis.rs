//! The plan of an index in Redis, for the commands that may make one.

use crate::args::{self, SimilarityArgs, SizeArg};
use lookalike::Plan;
use lookalike_seen::redis::{RedisAddress, RedisError, RedisIndex};

/// The plan of an index that is to be made in Redis, if options say one. An index that is there has its own, and options must agree with it.
pub(super) async fn plan(
    redis: &RedisAddress,
    similarity: &mut SimilarityArgs,
    similar_from: Option<f64>,
    size: Option<SizeArg>,
) -> anyhow::Result<Option<Plan>> {
    let index = match RedisIndex::open(redis).await {
        Ok(index) => index,
        Err(RedisError::NoIndex { .. }) => return similarity.plan_if_given_from(similar_from),
        Err(error) => return Err(error.into()),
    };
    let (plan, name) = (index.plan(), redis.to_string());
    args::check_size(size, &plan, &name)?;
    args::check_beside(similarity, similar_from, &plan, &name)?;
    Ok(None)
}
