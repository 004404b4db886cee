//! Makes the search for pairs, within the memory budget: by bands, by fingerprints, or by features.

mod candidates;
pub(crate) mod choice;
pub(crate) mod contained;
pub(crate) mod monitoring;
pub(crate) mod parted;
pub(crate) mod prepared;

pub use self::choice::{Choice, NANOSECONDS};
pub use self::contained::Contained;
pub use self::monitoring::{BucketSizes, Monitoring};
pub use self::parted::PartedSearch;
pub use self::prepared::{Candidates, LoadedSearch, MarkedSearch};

use crate::documents::scanned::Scanned;
use crate::error::Error;
use crate::progress::{Monitor, Unit};
use crate::threads::{StagedThreads, Threads};
use crate::work::Work;
use lookalike::search::{
    Buckets, ExactJoin, Families, GroupedSets, Join, KeyShare, PairCandidates, PairSearch, SketchedDocuments,
};
use lookalike::{Method, Weights};
use lookalike_store::Column;
use rayon::prelude::*;

/// A corpus after its first scan, and everything else that its search needs.
#[derive(Clone, Copy)]
pub struct Sketched<'a> {
    /// The corpus.
    pub scanned: Scanned<'a>,
    /// For every document the first one with the same content.
    pub originals: &'a [u32],
    /// The weights of features.
    pub weights: &'a Weights,
    /// The memory budget, and the folder of the run.
    pub work: &'a Work,
}

/// A search whose buckets are in memory or on disk.
pub type Search<'a> = PairSearch<'a, Column<u32>>;

/// The candidates of such a search.
type SearchCandidates<'a> = PairCandidates<'a, Column<u32>>;

/// The candidates by sketches, which need no features yet, or `None` for the exact method.
fn before_features<'a>(
    sketched: Sketched<'a>,
    choice: &Choice,
) -> Result<Option<SearchCandidates<'a>>, Error> {
    match choice.method {
        Method::Exact => Ok(None),
        Method::MinHash | Method::SimHash => by_sketches(sketched),
    }
}

/// The documents that share a band key, or whose fingerprints are near, or `None` if there are no sketches.
fn by_sketches(sketched: Sketched<'_>) -> Result<Option<SearchCandidates<'_>>, Error> {
    let Sketched { scanned, originals, work, .. } = sketched;
    let Scanned { request, documents, monitor, .. } = scanned;
    let (plan, groups) = (&request.plan, documents.groups());
    let sketches = documents.sketches.searched(originals, groups);
    let known = documents.indexed.numbers.len() as u32;
    let buckets = |join: &Join<'_>| buckets(plan.banding().bands, join, work, monitor);
    let threads = StagedThreads { name: "candidates", monitor };
    SketchedDocuments { plan, sketches, originals, groups, known }.candidates(buckets, &threads)
}

/// The documents that share rare features. `sets` has the features of every document that may be similar to another. If
/// a search by sketches turns out to be much less work, that is made, and `choice` says so.
fn by_features<'a>(
    sketched: Sketched<'a>,
    choice: &mut Choice,
    sets: Vec<&'a [u64]>,
) -> Result<SearchCandidates<'a>, Error> {
    let Scanned { request, monitor, .. } = sketched.scanned;
    let threads = Threads(&monitor.interrupt);
    // Postings have numbers of 32 bits.
    let features: u64 = sets.iter().map(|set| set.len() as u64).sum();
    if features > u64::from(u32::MAX) {
        return Err(Error::TooManyFeatures { features });
    }
    let wanted = (0..sets.len() as u32).filter(|&document| !sets[document as usize].is_empty()).collect();
    let sets = GroupedSets { sets, groups: sketched.scanned.documents.groups() };
    let join = ExactJoin::among(wanted, sets, request.plan.measure(), request.plan.threshold(), &threads)?;
    let visits = join.visits();
    if Choice::is_in_doubt(request, visits)
        && let Some(search) = by_sketches(sketched)?
    {
        let mut pairs = 0;
        search.for_each_bucket(|members| pairs += Families::pairs_of(members));
        choice.reconsider(request, visits, pairs);
        if choice.method != Method::Exact {
            return Ok(search);
        }
    }
    Ok(PairCandidates::of_features(join))
}

/// The buckets of every band: on disk if the run has a folder, and in memory otherwise.
fn buckets(
    bands: usize,
    join: &Join<'_>,
    work: &Work,
    monitor: &Monitor,
) -> Result<Vec<Buckets<Column<u32>>>, Error> {
    let bar = monitor.stage("candidates", Unit::Bands, Some(bands as u64));
    let documents = join.originals().len();
    let parts = work.budget.parts(documents);
    let threads = rayon::current_num_threads();
    let at_once = work.budget.at_once(documents, threads);
    // If all threads may work at once, all bands are one step, and no thread waits at its end.
    let step = if at_once == threads { bands } else { at_once };
    let group = |band: usize| {
        let shares = KeyShare::all(parts).map(|share| {
            monitor.interrupt.check()?;
            Ok(join.buckets_of(band, share))
        });
        let mut shares = shares.collect::<Result<Vec<Buckets>, Error>>()?;
        Ok::<_, Error>(if parts == 1 { shares.swap_remove(0) } else { Buckets::joined(&shares) })
    };
    let held = |band: usize| {
        let Some(folder) = work.folder() else {
            let (documents, ends) = group(band)?.into_parts();
            bar.inc(1);
            return Ok(Buckets::from_parts(Column::Memory(documents), Column::Memory(ends)));
        };
        let names = ["documents", "ends"].map(|part| format!("band-{band}-{part}"));
        // The ends are written last: if they are there, so are the documents.
        let columns = match (folder.column(&names[1], monitor)?, folder.column(&names[0], monitor)?) {
            (Some(ends), Some(documents)) => [documents, ends],
            _ => {
                let (documents, ends) = group(band)?.into_parts();
                [folder.write_column(&names[0], &documents)?, folder.write_column(&names[1], &ends)?]
            }
        };
        bar.inc(1);
        let [documents, ends] = columns.map(Column::Disk);
        Ok(Buckets::from_parts(documents, ends))
    };
    let mut buckets = Vec::with_capacity(bands);
    for first in (0..bands).step_by(step) {
        let bands: Vec<usize> = (first..bands.min(first + step)).collect();
        let grouped = bands.into_par_iter().map(held).collect::<Result<Vec<_>, Error>>();
        buckets.extend(grouped?);
    }
    drop(bar);
    Ok(buckets)
}
