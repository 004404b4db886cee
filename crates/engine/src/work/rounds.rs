//! Rounds of the comparison that are done: where a run may be resumed, they are put into a log.

use crate::error::Error;
use crate::progress::Monitor;
use crate::work::{Part, Work};
use lookalike::search::Tally;
use lookalike::{Match, Score};
use lookalike_store::{Log, bytes_of};

/// The log's name. Its records: how many were looked at and compared; documents of pairs; how similar they are.
const LOG: &str = "rounds";

/// What rounds have found, or a place to put it.
pub struct Rounds(Option<(Log, Part)>);

impl Rounds {
    /// None yet, but for those that an earlier run has done.
    pub fn new(work: &Work, monitor: &Monitor) -> Result<Self, Error> {
        Ok(Rounds(work.folder().map(|folder| folder.log(LOG, monitor)).transpose()?))
    }

    /// What `round` finds: as an earlier run has found it, or as `find` does. Rounds come in order.
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
