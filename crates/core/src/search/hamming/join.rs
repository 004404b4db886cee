//! The join that finds all pairs of close codes in a collection.

use super::MOST;
use super::plan::{HammingPlan, Sample};
use super::split::{AgreedBits, Splitter, TILE};
use crate::error::TooFar;
use crate::search::executor::{Executor, Sequential, try_each, try_map};
use crate::simd::Level;
use crate::simd::hamming::kernels::LANES;
use crate::simd::hamming::{AgreeingCodes, Code, CodeBuckets};
use std::convert::Infallible;

/// Codes of buckets between two questions whether to go on: some milliseconds.
const CODES_AT_ONCE: usize = 1 << 12;

/// A pair of close codes, by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HammingPair {
    /// The earlier place.
    pub a: u32,
    /// The later place.
    pub b: u32,
    /// The number of bits in which the codes differ.
    pub distance: u32,
}

/// All pairs of codes within a distance.
///
/// A code that repeats an earlier one takes no part, and [`HammingJoin::copies`] links it to the earlier one. These
/// links and the pairs found by the tasks are enough for clusters. A million equal codes are then a million links.
/// [`HammingJoin::all_pairs`] lists every single pair.
///
/// Tasks are independent of each other. A caller may spread them over threads and gets the same pairs.
///
/// ```
/// use lookalike::search::HammingJoin;
///
/// let codes = [0b1111_u64, 1 << 40, 0b1011, 0b1111];
/// let join = HammingJoin::new(&codes, 3)?;
/// let pairs: Vec<_> = join.pairs().iter().map(|pair| (pair.a, pair.b, pair.distance)).collect();
/// assert_eq!(pairs, [(0, 2, 1)]);
/// assert_eq!(join.copies()[0].b, 3);
/// assert_eq!(join.all_pairs(&join.pairs()).len(), 3);
/// # Ok::<(), lookalike::TooFar>(())
/// ```
#[derive(Debug)]
pub struct HammingJoin<'a, C> {
    pub(super) codes: &'a [C],
    distance: u32,
    /// Links from copies to their originals, ascending by copy.
    copies: Vec<HammingPair>,
    strategy: Strategy<C>,
    level: Level,
}

/// The strategy by which pairs are found.
#[derive(Debug)]
enum Strategy<C> {
    /// By agreement in blocks of bits, given by their masks.
    Blocks(Vec<C>),
    /// By comparing every pair of `codes`, which have [`LANES`] padding codes at the end. `places` are their original
    /// places.
    All { codes: Vec<C>, places: Vec<u32> },
}

/// A part of the work of a [`HammingJoin`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task(JoinShare);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum JoinShare {
    /// The first block that agrees, and a part of its hashes.
    Block { block: usize, part: u32 },
    /// Codes from this one on, each compared with all later codes.
    Rows(usize),
}

/// The buffers of a thread, reused from task to task.
#[derive(Debug)]
pub struct Workspace<C> {
    partition: CodeBuckets<C>,
    splitter: Splitter<C>,
    near: Vec<(u32, u32)>,
}

/// Why there is no [`HammingJoin`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HammingJoinError<S> {
    /// The distance is too large.
    #[error(transparent)]
    TooFar(#[from] TooFar),
    /// The executor stopped it.
    #[error("stopped")]
    Stopped(S),
}

/// The result of a join that nothing stops.
fn unstopped<T>(result: Result<T, HammingJoinError<Infallible>>) -> Result<T, TooFar> {
    result.map_err(|error| match error {
        HammingJoinError::TooFar(error) => error,
        HammingJoinError::Stopped(never) => match never {},
    })
}

impl<'a, C: Code> HammingJoin<'a, C> {
    /// The join of `codes` up to `distance`. It finds the copies at once.
    ///
    /// # Errors
    /// [`TooFar`] if `distance` is more than 12.
    ///
    /// # Panics
    /// If there are 2³² codes or more.
    pub fn new(codes: &'a [C], distance: u32) -> Result<Self, TooFar> {
        unstopped(Self::with_executor(codes, distance, &Sequential))
    }

    /// The same join. The copies are found on the threads of `executor`.
    ///
    /// # Errors
    /// [`HammingJoinError::TooFar`] if `distance` is more than 12, or [`HammingJoinError::Stopped`] if the executor stops
    /// it.
    pub fn with_executor<E: Executor>(
        codes: &'a [C],
        distance: u32,
        executor: &E,
    ) -> Result<Self, HammingJoinError<E::Stopped>> {
        Self::planned(codes, distance, executor, |sample, level| sample.plan(level))
    }

    /// The same join with codes cut into `blocks` blocks, even if comparing all pairs is faster.
    ///
    /// `blocks` is brought into the range from `distance + 1` to [`Code::BITS`]. It affects time and memory, and no
    /// results.
    ///
    /// # Errors
    /// Like [`HammingJoin::new`].
    pub fn with_blocks(codes: &'a [C], distance: u32, blocks: usize) -> Result<Self, TooFar> {
        unstopped(Self::planned(codes, distance, &Sequential, |sample, _| {
            HammingPlan::Blocks(sample.blocks(blocks.clamp(distance as usize + 1, C::BITS as usize)))
        }))
    }

    fn planned<E: Executor>(
        codes: &'a [C],
        distance: u32,
        executor: &E,
        plan: impl Fn(&Sample<C>, Level) -> HammingPlan<C>,
    ) -> Result<Self, HammingJoinError<E::Stopped>> {
        if distance > MOST {
            return Err(HammingJoinError::TooFar(TooFar { distance, most: MOST }));
        }
        assert!(u32::try_from(codes.len()).is_ok(), "places are of 32 bits");
        let level = Level::detect();
        let strategy = Strategy::Blocks(Vec::new());
        let mut join = HammingJoin { codes, distance, copies: Vec::new(), strategy, level };
        join.copies = join.find_copies(executor).map_err(HammingJoinError::Stopped)?;
        join.strategy = match plan(&join.sample(), level) {
            HammingPlan::Blocks(blocks) => Strategy::Blocks(blocks),
            HammingPlan::All => {
                let runs = join.originals();
                let places = runs.clone().flat_map(|(start, run)| start..start + run.len() as u32).collect();
                let codes = runs.flat_map(|(_, run)| run).copied().chain([C::default(); LANES]).collect();
                Strategy::All { codes, places }
            }
        };
        Ok(join)
    }

    /// A link of distance 0 from each code that repeats an earlier one to the first such code. Ascending by copy.
    pub fn copies(&self) -> &[HammingPair] {
        &self.copies
    }

    /// The tasks, which together are all of the work.
    pub fn tasks(&self) -> Vec<Task> {
        if let Strategy::All { places, .. } = &self.strategy {
            return (0..places.len()).step_by(TILE).map(|row| Task(JoinShare::Rows(row))).collect();
        }
        let parts = 1 << self.part_bits();
        let firsts = self.distance as usize + 1;
        (0..firsts)
            .flat_map(|block| (0..parts).map(move |part| Task(JoinShare::Block { block, part })))
            .collect()
    }

    /// Buffers for one thread.
    pub fn workspace(&self) -> Workspace<C> {
        Workspace {
            partition: CodeBuckets::default(),
            splitter: Splitter::new(self.level, self.distance),
            near: Vec::new(),
        }
    }

    /// Appends the pairs of different codes that `task` finds, each code by its first place. The order depends on the
    /// codes only.
    pub fn run(&self, task: Task, workspace: &mut Workspace<C>, found: &mut Vec<HammingPair>) {
        self.run_while(task, workspace, found, || true);
    }

    /// The same, as long as `go_on` says so: it is asked every few thousand codes. If it has said no, pairs are missing.
    pub fn run_while(
        &self,
        task: Task,
        workspace: &mut Workspace<C>,
        found: &mut Vec<HammingPair>,
        go_on: impl Fn() -> bool,
    ) {
        match (task.0, &self.strategy) {
            (JoinShare::Block { block, part }, Strategy::Blocks(blocks)) => {
                self.run_block(blocks, (block, part), workspace, found, go_on);
            }
            (JoinShare::Rows(row), Strategy::All { codes, places }) => {
                let near = &mut workspace.near;
                near.clear();
                self.level.close_rows(codes, (row, row + TILE), self.distance, near);
                // Pairs come by column, and there may be millions. They are counted by row, so that they are put in
                // order without a sort.
                let mut next = [found.len(); TILE];
                let mut end = found.len();
                near.iter().for_each(|&(a, _)| next[a as usize - row] += 1);
                for next in &mut next {
                    let size = *next - found.len();
                    *next = end;
                    end += size;
                }
                found.resize(end, HammingPair { a: 0, b: 0, distance: 0 });
                for &(a, b) in &*near {
                    let (left, right) = (a as usize, b as usize);
                    let next = &mut next[left - row];
                    let distance = codes[left].distance(codes[right]);
                    found[*next] = HammingPair { a: places[left], b: places[right], distance };
                    *next += 1;
                }
            }
            // The task belongs to another join.
            _ => {}
        }
    }

    fn run_block(
        &self,
        blocks: &[C],
        (first, part): (usize, u32),
        workspace: &mut Workspace<C>,
        found: &mut Vec<HammingPair>,
        go_on: impl Fn() -> bool,
    ) {
        let Workspace { partition, splitter, .. } = workspace;
        let block = blocks[first];
        let parts = (part, self.part_bits());
        self.level.partition(partition, self.originals(), self.codes.len(), block, parts);
        splitter.set_apart(&blocks[..first]);
        let agreeing = blocks.len() - self.distance as usize - 1;
        let cut = AgreedBits { equal: block, blocks: &blocks[first + 1..], agreeing, used: partition.used() };
        let mut codes = 0;
        for bucket in partition.iter() {
            codes += bucket.len();
            if codes >= CODES_AT_ONCE {
                codes = 0;
                if !go_on() {
                    return;
                }
            }
            if agreeing == 0 {
                splitter.group(bucket, cut, found);
            } else {
                splitter.split(bucket, cut, found);
            }
        }
    }

    /// Runs all tasks on one thread. The pairs are in ascending order.
    pub fn pairs(&self) -> Vec<HammingPair> {
        let mut found = Vec::new();
        let mut workspace = self.workspace();
        for task in self.tasks() {
            self.run(task, &mut workspace, &mut found);
        }
        found.sort_unstable();
        found
    }

    fn part_bits(&self) -> u32 {
        CodeBuckets::<C>::part_bits(self.codes.len())
    }

    /// The codes that are no copies, as runs between the copies.
    fn originals(&self) -> impl Iterator<Item = (u32, &'a [C])> + Clone {
        let ends = self.copies.iter().map(|link| link.b).chain([self.codes.len() as u32]);
        let starts = std::iter::once(0).chain(self.copies.iter().map(|link| link.b + 1));
        starts.zip(ends).map(|(start, end)| (start, &self.codes[start as usize..end as usize]))
    }

    /// A sample of the codes that are no copies, spread over all of them.
    fn sample(&self) -> Sample<C> {
        let size = Sample::<C>::size(self.codes.len());
        let mut copies = self.copies.iter().map(|link| link.b as usize).peekable();
        let places = (0..size).map(|number| number * self.codes.len() / size).filter(|&place| {
            while copies.next_if(|&copy| copy < place).is_some() {}
            copies.peek() != Some(&place)
        });
        let sample = places.map(|place| self.codes[place]).collect();
        Sample::new(sample, self.codes.len() - self.copies.len(), self.distance)
    }

    fn find_copies<E: Executor>(&self, executor: &E) -> Result<Vec<HammingPair>, E::Stopped> {
        let part_bits = executor.width().next_power_of_two().ilog2();
        let copies_of = |part| self.copies_of((part as u32, part_bits), executor);
        let parts = try_map(executor, 1 << part_bits, copies_of)?;
        let mut copies = parts.concat();
        copies.sort_unstable_by_key(|link| link.b);
        Ok(copies)
    }

    fn copies_of<E: Executor>(&self, part: (u32, u32), executor: &E) -> Result<Vec<HammingPair>, E::Stopped> {
        let mut suspects = Vec::new();
        self.level.suspects(self.codes, part, &mut suspects);
        executor.check()?;
        let mut groups = AgreeingCodes::default();
        self.level.group(&mut groups, &suspects, !C::default(), part.1);
        let mut copies = Vec::new();
        let mut sorted: Vec<(C, u32)> = Vec::new();
        try_each(executor, groups.iter(), |group| {
            sorted.clear();
            sorted.extend(group.iter().map(|record| (record.code, record.place)));
            sorted.sort_unstable();
            for same in sorted.chunk_by(|left, right| left.0 == right.0) {
                let a = same[0].1;
                copies.extend(same[1..].iter().map(|&(_, b)| HammingPair { a, b, distance: 0 }));
            }
        })?;
        Ok(copies)
    }
}
