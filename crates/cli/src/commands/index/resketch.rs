//! `lookalike index resketch`

use crate::args::{ResketchArgs, Usage};
use crate::exit::Exit;
use lookalike_engine::Error as EngineError;
use lookalike_engine::features::frequencies::LEAST;
use lookalike_engine::index::Index;
use lookalike_index::unix_seconds;
use lookalike_report::several;
use lookalike_seen::{count_frequencies, resketch};
use std::io::Write;
use std::sync::Arc;

pub(crate) fn run(mut arguments: ResketchArgs) -> anyhow::Result<Exit> {
    super::refuse_redis(&arguments.index)?;
    super::refuse_redis(&arguments.output)?;
    arguments.similarity.sign_for(arguments.new.plan)?;
    let index = Index::open(&arguments.index).map_err(EngineError::from)?;
    if !index.made_with().stores_texts {
        let name = arguments.index.display();
        return Err(
            Usage(format!("{name}: this index stores no texts, so it cannot be sketched again")).into()
        );
    }
    let now = unix_seconds();
    let new = arguments.new.new_index_with(&mut arguments.similarity, |plan| {
        Ok(Some(Arc::new(count_frequencies(&index, plan, now)?.pruned(LEAST))))
    })?;
    let documents = resketch(&index, super::create("-o", &arguments.output, new)?, now)?;
    let _ = writeln!(std::io::stderr(), "sketched {} again", several(documents, "document"));
    Ok(Exit::Done)
}
