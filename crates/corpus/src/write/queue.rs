use std::collections::BTreeMap;

/// A queue that puts the results of workers into the order of their turns: see [`Loaded::turn`](crate::Loaded::turn).
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
    /// Adds the result of a turn.
    pub fn push(&mut self, turn: u64, item: T) {
        self.waiting.insert(turn, item);
    }

    /// The next item in order; `None` if it has not been added yet.
    pub fn pop(&mut self) -> Option<T> {
        let item = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(item)
    }

    /// Whether no item waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_popped_in_the_order_of_their_turns() {
        let mut queue = Queue::default();
        queue.push(1, 'b');
        assert_eq!(queue.pop(), None);
        queue.push(0, 'a');
        assert_eq!([queue.pop(), queue.pop(), queue.pop()], [Some('a'), Some('b'), None]);
        assert!(queue.is_empty());
    }
}
