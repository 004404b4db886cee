//! `lookalike index resketch`

use super::whole::WholeIndex;
use crate::args::{ResketchArgs, Usage};
use crate::exit::Exit;
use crate::note::note;
use lookalike::{DocumentFrequencies, Plan};
use lookalike_engine::Error as EngineError;
use lookalike_engine::features::frequencies::LEAST;
use lookalike_engine::index::{Index, NewIndex};
use lookalike_index::unix_seconds;
use lookalike_report::several;
use lookalike_seen::{count_frequencies, resketch};
use std::io::Write;
use std::sync::Arc;

pub(crate) fn run(mut arguments: ResketchArgs) -> anyhow::Result<Exit> {
    super::refuse_redis(&arguments.index)?;
    super::refuse_redis(&arguments.output)?;
    arguments.new.put_into(&mut arguments.similarity)?;
    let index = Index::open(&arguments.index).map_err(EngineError::from)?;
    if !index.made_with().stores_texts {
        let message = "this index stores no texts, so it cannot be sketched again; build the new one from the documents";
        return Err(Usage(format!("{}: {message}", arguments.index.display())).into());
    }
    let (now, counts) = (unix_seconds(), arguments.similarity.counts_frequencies());
    let (new_index, output) = (arguments.new, &arguments.output);
    let drops_frequent = arguments.similarity.drop_frequent().is_some();
    let table = |plan: &Plan| {
        if drops_frequent {
            // Before all texts are read.
            let new = NewIndex { plan: plan.clone(), stores_texts: true, frequencies: None };
            WholeIndex::check("-o", output, new)?;
            return Ok(Arc::new(count_frequencies(&index, plan, now)?));
        }
        let mut table = DocumentFrequencies::new(plan.feature_id());
        (0..3).for_each(|_| table.push(&[0]));
        Ok(Arc::new(table))
    };
    let mut new = new_index.new_index_with(&mut arguments.similarity, table)?;
    // Before all texts are read.
    let whole = WholeIndex::check("-o", &arguments.output, new.clone())?;
    if counts {
        new.frequencies = Some(Arc::new(count_frequencies(&index, &new.plan, now)?.pruned(LEAST)));
    }
    let made = whole.start(new).and_then(|new| Ok(resketch(&index, new, now)?));
    let documents = whole.finish(made)?;
    let _ = writeln!(std::io::stderr(), "sketched {} again", several(documents, "document"));
    if index.plan().frequent().is_some() && !drops_frequent {
        note("all shingles count in the new index; --drop-frequent leaves out frequent ones");
    }
    if index.payload().is_some() {
        note("the new index does not know where a stream has stopped: a stream with it begins at the start");
    }
    Ok(Exit::Done)
}
