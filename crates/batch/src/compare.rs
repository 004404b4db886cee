//! From sketches to verified pairs and clusters.

use crate::documents::Documents;
use crate::error::Error;
use crate::features::Features;
use crate::job::Job;
use crate::progress::{Monitor, Unit};
use lookalike::{Buckets, Comparer, Join, Level, Match, Tally, UnionFind};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Buckets that one task takes at a time: enough to make its start cheap, few enough to share the work evenly.
const BUCKETS: usize = 64;

/// The buckets of every band.
pub(crate) fn buckets(job: &Job, join: &Join<'_>, monitor: &Monitor) -> Result<Vec<Buckets>, Error> {
    let bands = job.plan.banding().bands;
    let bar = monitor.stage("candidates", Unit::Bands, Some(bands as u64));
    let buckets = (0..bands)
        .into_par_iter()
        .map(|band| {
            monitor.interrupt.check()?;
            let buckets = join.buckets(band);
            bar.inc(1);
            Ok(buckets)
        })
        .collect();
    bar.finish_and_clear();
    buckets
}

/// Which documents will be compared with another.
pub(crate) fn involved(
    join: &Join<'_>,
    buckets: &[Buckets],
    documents: &Documents,
    monitor: &Monitor,
) -> Result<Vec<AtomicBool>, Error> {
    let marks: Vec<AtomicBool> = (0..documents.len()).map(|_| AtomicBool::new(false)).collect();
    let mark = |document: u32| &marks[document as usize];
    for (band, buckets) in buckets.iter().enumerate() {
        (0..buckets.len()).into_par_iter().with_min_len(BUCKETS).try_for_each(|index| {
            monitor.interrupt.check()?;
            join.involve(
                band,
                buckets.bucket(index),
                |document| mark(document).load(Ordering::Relaxed),
                |document| mark(document).store(true, Ordering::Relaxed),
            );
            Ok::<(), Error>(())
        })?;
    }
    Ok(marks)
}

/// The clusters that verified pairs connect, and the pairs that were looked at to find them.
pub(crate) fn cluster(
    level: Level,
    join: &Join<'_>,
    buckets: &[Buckets],
    features: &Features,
    monitor: &Monitor,
) -> Result<(UnionFind, Vec<Match>, Tally), Error> {
    let mut sets = UnionFind::new(join.originals().len());
    let mut links = Vec::new();
    let mut tally = Tally::default();
    let bar = monitor.stage("verify", Unit::Bands, Some(buckets.len() as u64));
    for (band, buckets) in buckets.iter().enumerate() {
        // What hangs together is looked up as it was before this band, so that the result, and the work, are the
        // same however buckets are shared among threads.
        let roots = sets.roots();
        let (found, done) = in_buckets(level, buckets, monitor, |bucket, comparer, found| {
            join.links(band, bucket, &roots, |document| features.of(document), comparer, found)
        })?;
        found.iter().for_each(|link| sets.unite(link.a, link.b));
        links.extend(found);
        tally += done;
        bar.inc(1);
    }
    for (document, &original) in join.originals().iter().enumerate() {
        sets.unite(document as u32, original);
    }
    bar.finish_and_clear();
    Ok((sets, links, tally))
}

/// Every verified pair of documents that are not the same word for word; an error if there are `most` or more.
pub(crate) fn pairs(
    level: Level,
    join: &Join<'_>,
    buckets: &[Buckets],
    features: &Features,
    most: u64,
    monitor: &Monitor,
) -> Result<(Vec<Match>, Tally), Error> {
    let mut matches: Vec<Match> = Vec::new();
    let mut tally = Tally::default();
    let count = AtomicU64::new(0);
    let bar = monitor.stage("verify", Unit::Bands, Some(buckets.len() as u64));
    for (band, buckets) in buckets.iter().enumerate() {
        let (found, done) = in_buckets(level, buckets, monitor, |bucket, comparer, found| {
            let before = found.len();
            let room = most.saturating_sub(count.load(Ordering::Relaxed)) as usize;
            let tally =
                join.matches(band, bucket, |document| features.of(document), comparer, before + room, found);
            count.fetch_add((found.len() - before) as u64, Ordering::Relaxed);
            tally
        })?;
        matches.extend(found);
        if count.load(Ordering::Relaxed) >= most {
            return Err(Error::TooManyPairs { pairs: count.into_inner() });
        }
        tally += done;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok((matches, tally))
}

/// Does `search` for every bucket, on all threads; finds are in the order of the buckets.
fn in_buckets(
    level: Level,
    buckets: &Buckets,
    monitor: &Monitor,
    search: impl Fn(&[u32], &mut Comparer, &mut Vec<Match>) -> Tally + Sync,
) -> Result<(Vec<Match>, Tally), Error> {
    let stretches = buckets.len().div_ceil(BUCKETS);
    let parts: Vec<(Vec<Match>, Tally)> = (0..stretches)
        .into_par_iter()
        .map_init(
            || Comparer::with_level(level),
            |comparer, stretch| {
                let (mut found, mut tally) = (Vec::new(), Tally::default());
                for index in stretch * BUCKETS..buckets.len().min((stretch + 1) * BUCKETS) {
                    monitor.interrupt.check()?;
                    tally += search(buckets.bucket(index), comparer, &mut found);
                }
                Ok((found, tally))
            },
        )
        .collect::<Result<_, Error>>()?;
    let (mut found, mut tally) = (Vec::new(), Tally::default());
    for (part, done) in parts {
        found.extend(part);
        tally += done;
    }
    Ok((found, tally))
}
