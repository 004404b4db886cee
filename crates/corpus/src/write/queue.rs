use std::collections::BTreeMap;

/// Puts what workers finish in any order into the order of its turns: see [`Loaded::turn`](crate::Loaded::turn).
#[derive(Debug)]
pub struct Queue<T> {
    next: u64,
    waiting: BTreeMap<u64, T>,
}

impl<T> Default for Queue<T> {
    fn default() -> Queue<T> {
        Queue { next: 0, waiting: BTreeMap::new() }
    }
}

impl<T> Queue<T> {
    /// Puts in what was done in a turn.
    pub fn push(&mut self, turn: u64, item: T) {
        self.waiting.insert(turn, item);
    }

    /// The next item in order; `None` if it is not there yet.
    pub fn pop(&mut self) -> Option<T> {
        let item = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(item)
    }

    /// Does nothing wait?
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_in_the_order_of_their_turns() {
        let mut queue = Queue::default();
        queue.push(1, 'b');
        assert_eq!(queue.pop(), None);
        queue.push(0, 'a');
        assert_eq!([queue.pop(), queue.pop(), queue.pop()], [Some('a'), Some('b'), None]);
        assert!(queue.is_empty());
    }
}
