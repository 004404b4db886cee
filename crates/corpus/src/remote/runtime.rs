//! The runtime of requests, which runs beside the workers. Workers block until an answer comes.

use std::{
    future::Future,
    sync::{
        OnceLock,
        mpsc::{Receiver, RecvTimeoutError, sync_channel},
    },
    time::{Duration, Instant},
};

use tokio::{runtime::Runtime, task::AbortHandle};

use super::failure::RequestFailure;
use crate::Waiting;

/// Requests only move bytes and decrypt them, but a single thread could leave the workers of a large machine waiting.
const THREADS: usize = 2;

/// The interval at which a waiting thread checks the interrupt. Ctrl-C has to stop a run within a second.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The interval at which a waiting thread reports that the server has not answered.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// A running request. It runs even while no thread waits for it, and is aborted when it is dropped.
#[derive(Debug)]
pub(super) struct RunningRequest<T> {
    answer: Receiver<Result<T, RequestFailure>>,
    task: AbortHandle,
}

impl<T: Send + 'static> RunningRequest<T> {
    pub(super) fn start(
        request: impl Future<Output = Result<T, RequestFailure>> + Send + 'static,
    ) -> Result<RunningRequest<T>, RequestFailure> {
        let (sender, answer) = sync_channel(1);
        let task = runtime()?.spawn(async move {
            // The receiver is gone if no thread waits any more.
            let _ = sender.send(request.await);
        });
        Ok(RunningRequest { answer, task: task.abort_handle() })
    }

    /// Waits for the answer. `name` is the name of the file in messages.
    pub(super) fn wait(self, name: &str, waiting: &Waiting) -> Result<T, RequestFailure> {
        let (started, mut told) = (Instant::now(), TELL_EVERY);
        loop {
            match self.answer.recv_timeout(LOOK_EVERY) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(RequestFailure::Other {
                        message: "the request ended without an answer".to_owned(),
                    });
                }
                Err(RecvTimeoutError::Timeout) => waiting.interrupt.check()?,
            }
            if started.elapsed() > told {
                if let Some(listener) = &waiting.listener {
                    listener(&format!("{name}: waiting for the server for {} s", told.as_secs()));
                }
                told += TELL_EVERY;
            }
        }
    }
}

impl<T> Drop for RunningRequest<T> {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Runs a request, and waits for its answer.
pub(super) fn ask<T: Send + 'static>(
    name: &str,
    waiting: &Waiting,
    request: impl Future<Output = Result<T, RequestFailure>> + Send + 'static,
) -> Result<T, RequestFailure> {
    RunningRequest::start(request)?.wait(name, waiting)
}

/// The runtime. It starts with the first request.
pub(super) fn runtime() -> Result<&'static Runtime, RequestFailure> {
    static RUNTIME: OnceLock<Result<Runtime, String>> = OnceLock::new();
    let started = RUNTIME.get_or_init(|| {
        // Another part of the program may have chosen a provider already, and that one works too.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let builder = builder.worker_threads(THREADS).thread_name("network").enable_all();
        builder.build().map_err(|error| format!("cannot start threads for the network: {error}"))
    });
    started.as_ref().map_err(|message| RequestFailure::Other { message: message.clone() })
}
