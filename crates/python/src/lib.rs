//! The module `lookalike._lookalike`: the engine and the program, for the Python package.
//!
//! The package itself is in `python/lookalike`. It has the types that people see, and calls this module.
//!
//! # How a call runs
//!
//! ```text
//! Python ──→ caller: makes a source and a plan ──→ worker: a job of batch, on a pool of its own ──→ caller: tables ──→ Python
//!                           │                                  ↑
//!                           └── every 50 ms: Ctrl-C? report? ──┘ Interrupt
//! ```
//!
//! **Texts stay where they are.** An Arrow column gives its buffers, and a `str` in ASCII its bytes. They are a source
//! in memory beside files (`memory`). A null is an empty document, so no record of such a source is bad, and the number
//! of a document is its row.
//!
//! **A `str` beyond ASCII is converted when it is read.** The worker that has a chunk takes the interpreter, converts
//! the wanted texts of the chunk into a buffer, and releases the interpreter before it computes (`list`). CPython would
//! keep the UTF-8 of a text as long as the text lives, and would make it on one thread before a call. It shows
//! characters only as code points, which `utf8` encodes.
//!
//! **No thread outlives a call.** The work runs in a scoped thread and a pool of its own, never in the global pool: a
//! forked child would wait for threads that it does not have. An index is also read and published in a pool of the
//! call.
//!
//! **Workers run no code of Python.** They take the interpreter only to convert texts, and stop if it ends. The caller
//! waits with the lock released. It attaches every 50 ms, runs the handlers of signals, and reports the progress that
//! workers have counted. An exception sets the interrupt of the run.
//!
//! **Lists are returned.** A verb of `batch` writes its list to a file, or returns it. `dedup` returns decisions by
//! number, which become rows. Reasons cost another comparison, so the first access to `removed` reads the texts
//! again and compares each removed one with the kept one. Nothing is searched again.
//!
//! **Both clients of a service share all but I/O.** `_requests` says what is sent and how a reply is read, `_retries`
//! when it is sent again, and `_bulk` which lines still have no answer. `Client` and `AsyncClient` add connections:
//! `http.client`, and the streams of asyncio.
#![deny(unsafe_code)]

mod arrow;
mod column;
mod columns;
mod command;
mod compare;
mod datasketch;
mod decisions;
mod dedup;
mod error;
mod evaluate;
mod frequencies;
mod index;
mod input;
mod ipc;
mod moment;
mod options;
mod page;
mod pairs;
mod plan;
mod progress;
mod scores;
mod seen;
mod simhash;
mod similar;
mod sketch;
mod table;
mod tune;
mod value;
mod wait;

use lookalike_cli::Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

#[pyo3::pymodule(gil_used = false)]
mod _lookalike {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::column::Column;
    #[pymodule_export]
    use super::columns::{
        column_of_band_keys, column_of_estimates, column_of_list, column_of_passes, column_of_shingles,
        column_of_signatures, column_of_similarities, column_of_texts, recall_of_sample,
        table_of_bucket_pairs, table_of_clusters, table_of_documents, table_of_partners, table_of_uncovered,
    };
    #[pymodule_export]
    use super::command::{memory_size, run_command};
    #[pymodule_export]
    use super::compare::{Comparison, compare};
    #[pymodule_export]
    use super::datasketch::{
        ForestTables, LshTables, MinHashCore, SketchedTexts, ensemble_bands, ensemble_partitions, lsh_bands,
        lsh_bands_of_recall, lsh_pairs, minhash_texts, minhash_update_text, sha1_hash32, sha1_hash64,
    };
    #[pymodule_export]
    use super::decisions::Decisions;
    #[pymodule_export]
    use super::dedup::{dedup, explain};
    #[pymodule_export]
    use super::evaluate::evaluate;
    #[pymodule_export]
    use super::frequencies::{Frequencies, frequencies};
    #[pymodule_export]
    use super::index::{index_create, index_info, index_plan};
    #[pymodule_export]
    use super::input::{Source, chosen_rows};
    #[pymodule_export]
    use super::options::of_language;
    #[pymodule_export]
    use super::page::found_page;
    #[pymodule_export]
    use super::pairs::{FoundPairs, pairs};
    #[pymodule_export]
    use super::plan::CheckedPlan;
    #[pymodule_export]
    use super::seen::SeenTexts;
    #[pymodule_export]
    use super::simhash::{HammingCodes, hamming_pairs, simhash_features, simhash_text};
    #[pymodule_export]
    use super::similar::similar;
    #[pymodule_export]
    use super::sketch::sketch;
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::tune::tune;
    #[pymodule_export]
    use super::wait::Run;

    /// Prepares the module when it is imported.
    #[pymodule_init]
    #[expect(clippy::unnecessary_wraps, reason = "the macro asks for a result")]
    fn prepare(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Of this module only: Rust has no hook for others.
        lookalike_cli::hide_caught_panics();
        Ok(())
    }

    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name is Python's")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
