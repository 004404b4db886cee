//! Cuts the body of a bulk request into groups of lines, and has them prepared.

use super::Operation;
use super::prepare::{LineGroup, prepare};
use crate::app::App;
use crate::keys::Rate;
use crate::problem::Problem;
use crate::room::{Room, TakenRoom};
use axum::body::{BodyDataStream, Bytes};
use axum::http::StatusCode;
use bytes::BytesMut;
use futures_util::StreamExt;
use futures_util::stream::Peekable;
use memchr::memchr_iter;
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// Lines of a group, at most.
const GROUP_LINES: usize = 256;

/// Bytes of a group from which on it is full: half a millisecond of work.
const GROUP_BYTES: usize = 64 << 10;

/// A group that is being prepared, and the room that its lines take. `None` if the work panics.
pub(super) type PreparedGroup = JoinHandle<Option<(LineGroup, TakenRoom)>>;

/// Has the lines of a request prepared.
pub(super) struct LineGrouper {
    pub(super) app: Arc<App>,
    pub(super) op: Operation,
    /// How fast lines may come.
    pub(super) rate: Rate,
    pub(super) to_decide: mpsc::Sender<PreparedGroup>,
}

impl LineGrouper {
    /// Reads the body to its end. What a client has sent in full counts, also if it is gone.
    pub(super) async fn read(self, mut body: Peekable<BodyDataStream>) {
        let most = self.app.settings.most_bytes;
        let (mut rest, room) = (BytesMut::new(), Room::new());
        while let Some(data) = body.next().await {
            // A client that has gone needs no answer, and its last line may not be whole.
            let Ok(data) = data else { return };
            // What was there before has no line end.
            let searched = rest.len();
            rest.extend_from_slice(&data);
            for end in group_ends(&rest, searched) {
                let lines = rest.split_to(end).freeze();
                if !self.send(lines, &room).await {
                    return;
                }
            }
            if rest.len() > most {
                let detail =
                    format!("a line has more than {most} bytes; it and all that follows were not read");
                let problem = Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", detail);
                let refused = async move { Some((LineGroup::refused(problem), room.take(0).await?)) };
                let _ = self.to_decide.send(tokio::spawn(refused)).await;
                return;
            }
        }
        self.send(rest.freeze(), &room).await;
    }

    /// Has lines prepared. Returns whether there is somebody who decides them.
    async fn send(&self, lines: Bytes, room: &Room) -> bool {
        self.rate.wait(memchr_iter(b'\n', &lines).count() as u32).await;
        // There is room before the work starts, so that only a few groups are under way.
        let Some(room) = room.take(lines.len()).await else { return false };
        let Ok(place) = self.to_decide.reserve().await else { return false };
        let (turns, app, op) = (self.app.turns.clone(), Arc::clone(&self.app), self.op);
        place.send(tokio::spawn(async move {
            let group = turns.take(move || prepare(&app, op, &lines)).await?;
            Some((group, room))
        }));
        true
    }
}

/// The lengths of the groups of whole lines that `bytes` starts with. The first `searched` bytes have no line end.
fn group_ends(bytes: &[u8], searched: usize) -> Vec<usize> {
    let (mut groups, mut start, mut end, mut lines) = (Vec::new(), 0, 0, 0);
    for line_end in memchr_iter(b'\n', &bytes[searched..]) {
        (end, lines) = (searched + line_end + 1, lines + 1);
        if lines == GROUP_LINES || end - start >= GROUP_BYTES {
            groups.push(end - start);
            (start, lines) = (end, 0);
        }
    }
    // A group is not waited for: the client may wait for its answers before it sends more.
    if end > start {
        groups.push(end - start);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_whole_lines() {
        assert_eq!(group_ends(b"a\nbc\nd", 0), [5]);
        assert_eq!(group_ends(b"abc", 0), [0_usize; 0]);
        assert_eq!(group_ends(b"abc\n", 3), [4]);
        let lines = "x\n".repeat(GROUP_LINES + 3) + "y";
        assert_eq!(group_ends(lines.as_bytes(), 0), [2 * GROUP_LINES, 6]);
        let long = "x".repeat(GROUP_BYTES) + "\nz\n";
        assert_eq!(group_ends(long.as_bytes(), GROUP_BYTES), [GROUP_BYTES + 1, 2]);
    }
}
