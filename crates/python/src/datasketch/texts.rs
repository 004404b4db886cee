//! MinHash values of the shingles of texts, which are cut in Rust.

use super::hashing::HashFunction;
use super::minhash::MinHashCore;
use crate::error;
use crate::input::{Source, read_texts};
use crate::wait::Run;
use lookalike::sketch::Minima;
use lookalike::{Options, Plan, Tokens};
use lookalike_batch::Error;
use lookalike_datasketch::TextSketcher;
use lookalike_engine::progress::Unit;
use lookalike_engine::threads::in_pool;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Texts that a thread reads together: enough that it rarely waits for the interpreter, and few enough for a list to occupy all threads.
const BLOCK: usize = 64;

/// Values of many texts.
#[pyclass(frozen)]
pub(crate) struct SketchedTexts(Vec<Minima>);

/// The last sketcher of `update_text`. To make one takes longer than to sketch a short text.
static SKETCHER: Mutex<Option<TextSketcher>> = Mutex::new(None);

#[pymethods]
impl SketchedTexts {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// Lowers a sketch to the values of a text.
    fn lower(&self, py: Python<'_>, row: usize, minhash: &MinHashCore) {
        minhash.lower_to(py, &self.0[row]);
    }
}

/// The values of texts, with the scheme, seed and number of permutations of `like`.
#[pyfunction]
pub(crate) fn minhash_texts(
    py: Python<'_>,
    source: &Source,
    like: &MinHashCore,
    shingle: usize,
    tokens: &str,
    run: &Run,
) -> PyResult<SketchedTexts> {
    let plan = shingle_plan(py, shingle, tokens)?;
    let (permutations, texts) = (like.permutations(py)?, source.texts()?);
    let num_perm = like.num_perm(py);
    let values = run.wait(py, |monitor| {
        let stage = monitor.stage("sketch", Unit::Documents, Some(texts.rows() as u64));
        let of_rows = |(sketcher, buffer): &mut (TextSketcher, Vec<u8>), rows: &[usize]| {
            let mut sketched = Vec::with_capacity(rows.len());
            for text in read_texts(&*texts, rows, buffer)? {
                monitor.interrupt.check()?;
                stage.inc(1);
                sketched.push(sketcher.minima(text, &permutations, num_perm));
            }
            Ok(sketched)
        };
        let rows: Vec<usize> = (0..texts.rows()).collect();
        in_pool(run.threads(), || {
            let state = || (TextSketcher::new(&plan), Vec::new());
            rows.par_chunks(BLOCK).map_init(state, of_rows).collect::<Result<Vec<Vec<Minima>>, Error>>()
        })
    })?;
    Ok(SketchedTexts(values.into_iter().flatten().collect()))
}

/// Adds the shingles of a text.
#[pyfunction]
pub(crate) fn minhash_update_text(
    minhash: &Bound<'_, MinHashCore>,
    text: &str,
    shingle: usize,
    tokens: &str,
) -> PyResult<()> {
    let (py, core) = (minhash.py(), minhash.get());
    let plan = shingle_plan(py, shingle, tokens)?;
    let kept = SKETCHER.lock().unwrap_or_else(PoisonError::into_inner).take();
    let mut sketcher = kept.filter(|kept| *kept.plan() == plan).unwrap_or_else(|| TextSketcher::new(&plan));
    if let (_, HashFunction::Python(_)) = core.hash_function(py) {
        let shingles = sketcher.shingles(text).map(|shingle| PyBytes::new(py, shingle.as_bytes()));
        return core.update_batch(PyList::new(py, shingles.collect::<Vec<_>>())?.as_any());
    }
    let (permutations, num_perm) = (core.permutations(py)?, core.num_perm(py));
    let minima = py.detach(|| sketcher.minima(text, &permutations, num_perm));
    *SKETCHER.lock().unwrap_or_else(PoisonError::into_inner) = Some(sketcher);
    core.lower_to(py, &minima);
    Ok(())
}

/// A plan that cuts texts so.
fn shingle_plan(py: Python<'_>, shingle: usize, tokens: &str) -> PyResult<Plan> {
    let wrong = || {
        let names = Tokens::ALL.map(|(name, _)| name).join(", ");
        error::plan(py, "tokens", format!("tokens must be one of {names}, and is {tokens:?}"))
    };
    let tokens = Tokens::named(tokens).ok_or_else(wrong)?;
    let options = Options { shingle: Some(shingle), tokens: Some(tokens), ..Options::default() };
    options.plan().map_err(|error| error::of_plan(py, &error))
}
