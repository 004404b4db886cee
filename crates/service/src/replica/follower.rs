//! Makes the changes of another index in a copy, as they come.

use super::Replica;
use super::client::{FollowError, PrimaryLog};
use crate::app::{App, TRY_AGAIN_AFTER};
use lookalike_index::Error as IndexError;
use lookalike_index::live::{Changes, CopyItem};
use lookalike_seen::{Seen, SeenError};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// The time after which a lost connection is made again.
const CONNECT_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Changes that are on their way to the disk, at most.
const UNDER_WAY: usize = 16;

/// Starts to follow the primary, if there is one.
pub(crate) fn start(app: &Arc<App>) -> Option<JoinHandle<()>> {
    let (Some(seen), Some(replica)) = (app.backend.index.folder(), &app.replica) else { return None };
    let (seen, replica) = (seen.clone(), Arc::clone(replica));
    Some(tokio::spawn(async move {
        loop {
            // The primary comes back, the disk has room, or somebody mends what only people can.
            let Err(failure) = follow(&seen, &replica).await;
            replica.failed(&failure);
            tokio::time::sleep(CONNECT_AGAIN_AFTER).await;
        }
    }))
}

async fn follow(seen: &Seen, replica: &Replica) -> Result<Infallible, FollowError> {
    let reading = seen.clone();
    let mark = blocking(move || Ok(reading.reader().mark()?)).await?;
    let mut log = PrimaryLog::open(&replica.primary, &mark).await?;
    if log.made_with().await? != seen.reader().made_with() {
        let source = IndexError::NotFollowed {
            reason: "it was made with another plan, other document frequencies, or another --store-texts",
        };
        return Err(FollowError::Index { primary: replica.primary.to_string(), source });
    }
    replica.connected();
    let mut under_way = VecDeque::new();
    loop {
        match log.next().await? {
            CopyItem::Plan(_) => return Err(FollowError::not_understood(&replica.primary)),
            CopyItem::Dictionary { number, bytes } => {
                let adding = seen.clone();
                blocking(move || Ok(adding.reader().add_dictionary(number, bytes)?)).await?;
            }
            CopyItem::Changes(changes) => {
                under_way.push_back(apply(seen, changes).await);
                wait(&mut under_way, UNDER_WAY).await?;
            }
            CopyItem::End(_) => {
                let complete = Instant::now();
                wait(&mut under_way, 0).await?;
                replica.completed(complete);
            }
        }
    }
}

/// Hands changes over. As long as too many others wait, these wait too.
async fn apply(seen: &Seen, mut changes: Changes) -> oneshot::Receiver<Result<(), SeenError>> {
    let (sender, receiver) = oneshot::channel();
    let mut then = move |applied| drop(sender.send(applied));
    while let Err(back) = seen.apply(changes, then) {
        (changes, then) = back;
        tokio::time::sleep(TRY_AGAIN_AFTER).await;
    }
    receiver
}

/// Waits until no more than `most` are under way.
async fn wait(
    under_way: &mut VecDeque<oneshot::Receiver<Result<(), SeenError>>>,
    most: usize,
) -> Result<(), SeenError> {
    while under_way.len() > most {
        let Some(first) = under_way.pop_front() else { return Ok(()) };
        first.await.unwrap_or(Err(SeenError::Closed))?;
    }
    Ok(())
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, SeenError> + Send + 'static,
) -> Result<T, SeenError> {
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(SeenError::Closed))
}
