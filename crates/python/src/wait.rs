//! How a call runs: on threads of its own, while other threads of Python go on, until it is done or Ctrl-C is pressed.
//!
//! No thread outlives the call, so a process may be forked after it. The work takes the interpreter only to convert texts of a list
//! ([`ListTexts`](crate::input::ListTexts)), and calls no code of Python: the thread that called waits, looks for signals and reports the
//! progress.

use crate::error;
use crate::progress::{BETWEEN_REPORTS, CallProgress};
use lookalike_batch::{Error, Job};
use lookalike_engine::progress::{Interrupt, Monitor};
use pyo3::exceptions::{PyRuntimeError, PyUserWarning};
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often a waiting call looks for Ctrl-C.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// How a call runs. Nothing of it changes the result.
#[pyclass(frozen)]
pub(crate) struct Run {
    threads: Option<usize>,
    memory: Option<u64>,
    temp_dir: Option<PathBuf>,
    /// Called with reports of the progress.
    report: Option<Py<PyAny>>,
}

#[pymethods]
impl Run {
    #[new]
    #[pyo3(signature = (threads = None, memory = None, temp_dir = None, report = None))]
    fn new(
        threads: Option<usize>,
        memory: Option<u64>,
        temp_dir: Option<PathBuf>,
        report: Option<Py<PyAny>>,
    ) -> Self {
        Run { threads, memory, temp_dir, report }
    }
}

impl Run {
    /// Makes a job run so. What does not fit into memory goes to disk only if the job reads files.
    pub(crate) fn limit(&self, job: &mut Job) {
        job.threads = self.threads();
        let usual =
            || if job.inputs.is_empty() { None } else { lookalike_engine::work::default_memory(job.threads) };
        job.memory = self.memory.or_else(usual);
        job.temp_dir.clone_from(&self.temp_dir);
    }

    /// The number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.threads.unwrap_or_else(lookalike_engine::threads::default_threads)
    }

    /// Runs `work`, and waits for it.
    ///
    /// # Errors
    /// The error of the work, or of a signal handler: `KeyboardInterrupt` after Ctrl-C.
    pub(crate) fn wait<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Monitor) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let progress = Arc::new(CallProgress::default());
        let interrupt = Interrupt::default();
        let monitor =
            Monitor { observer: Some(Arc::clone(&progress) as Arc<_>), interrupt: interrupt.clone() };
        let report = self.report.as_ref().map(|report| report.bind(py));
        let (done, stopped) = std::thread::scope(|scope| {
            let (sender, mut receiver) = channel();
            let run = move || sender.send(catch_unwind(AssertUnwindSafe(|| work(&monitor))));
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, run) {
                return (None, Some(PyRuntimeError::new_err(format!("cannot start a thread: {error}"))));
            }
            let (mut stopped, mut reported) = (None, Instant::now());
            loop {
                let receiver = &mut receiver;
                match py.detach(move || receiver.recv_timeout(BETWEEN_LOOKS)) {
                    Ok(done) => return (Some(done), stopped),
                    Err(RecvTimeoutError::Disconnected) => return (None, stopped),
                    Err(RecvTimeoutError::Timeout) => {}
                }
                let mut look = py.check_signals();
                if let Some(report) = report.filter(|_| look.is_ok() && reported.elapsed() >= BETWEEN_REPORTS)
                {
                    look = progress.tell(report);
                    reported = Instant::now();
                }
                if let Err(error) = look {
                    interrupt.set();
                    stopped.get_or_insert(error);
                }
            }
        });
        if let Some(error) = stopped {
            return Err(error);
        }
        for note in progress.notes() {
            let message = std::ffi::CString::new(note).unwrap_or_default();
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 2)?;
        }
        match done {
            Some(Ok(Ok(result))) => Ok(result),
            Some(Ok(Err(error))) => Err(error::of_job(py, &error)),
            Some(Err(_)) | None => {
                Err(PanicException::new_err("the engine stopped at an error of its own; please report it"))
            }
        }
    }
}
