//! Where messages come from. A source runs on a thread of its own, and hands over batches.

mod kafka;
mod lines;

use crate::address::Source;
use crate::batch::MessageBatch;
use crate::error::Error;
use crate::run::StreamShared;
use crate::settings::StreamSettings;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use tokio::sync::mpsc;

/// Batches on their way to be prepared.
pub(crate) type BatchSender = mpsc::Sender<MessageBatch>;

/// Starts the source. It ends when it is stopped, or at the end of what it reads.
pub(crate) fn start(
    settings: &StreamSettings,
    shared: &Arc<StreamShared>,
    batches: BatchSender,
) -> Result<JoinHandle<()>, Error> {
    let shared = Arc::clone(shared);
    let read: Box<dyn FnOnce() + Send> = match &settings.from {
        Source::Kafka(address) => {
            let source = kafka::KafkaSource::new(address, settings, Arc::clone(&shared))?;
            Box::new(move || source.read(&batches))
        }
        Source::File(path) => {
            let source = lines::LineSource::open(path, shared, settings.tell)?;
            Box::new(move || source.read(&batches))
        }
        Source::Stdin => {
            let source = lines::LineSource::stdin(shared);
            Box::new(move || source.read(&batches))
        }
    };
    thread::Builder::new().name("lookalike source".to_owned()).spawn(read).map_err(Error::Threads)
}
