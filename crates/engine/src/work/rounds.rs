//! Finished rounds of the comparison: a run with a folder puts them into a log.

use crate::error::Error;
use crate::progress::Monitor;
use crate::work::{RunLog, Work};
use lookalike::search::Tally;
use lookalike::{Match, Score};
use lookalike_store::{Log, bytes_of};

/// The name of the log. A record has the counts of candidates and comparisons, the documents of pairs, and their scores.
const LOG: &str = "rounds";

/// The log of finished rounds, if the run has a folder.
pub struct Rounds(Option<(Log, RunLog)>);

impl Rounds {
    /// Starts with the rounds of an earlier run.
    pub fn new(work: &Work, monitor: &Monitor) -> Result<Self, Error> {
        Ok(Rounds(work.folder().map(|folder| folder.log(LOG, monitor)).transpose()?))
    }

    /// The matches of `round`: from the log of an earlier run, or from `find`. Rounds must come in order.
    pub fn take(
        &mut self,
        round: usize,
        find: impl FnOnce() -> Result<(Vec<Match>, Tally), Error>,
    ) -> Result<(Vec<Match>, Tally), Error> {
        let Some((done, log)) = &mut self.0 else { return find() };
        if round < done.len() {
            let record = done.record(round);
            let &[candidates, compared] = record.values::<u64>(0)? else {
                return Err(record.damaged("two counts belong here").into());
            };
            let (documents, scores): (&[[u32; 2]], &[u64]) = (record.values(1)?, record.values(2)?);
            let pair = |(&[a, b], &bits): (&[u32; 2], &u64)| Match { a, b, score: Score::from_bits(bits) };
            let found = documents.iter().zip(scores).map(pair).collect();
            return Ok((found, Tally { candidates, compared }));
        }
        let (found, tally) = find()?;
        let documents: Vec<[u32; 2]> = found.iter().map(|pair| [pair.a, pair.b]).collect();
        let scores: Vec<u64> = found.iter().map(|pair| pair.score.to_bits()).collect();
        let counts = [tally.candidates, tally.compared];
        log.append(&[bytes_of(&counts), bytes_of(&documents), bytes_of(&scores)])?;
        Ok((found, tally))
    }
}
