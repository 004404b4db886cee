//! Which of some consecutive documents are alive, at one moment.

use super::NEVER;
use super::extended::Extended;
use super::removed::RemovedDocuments;

/// Which of some consecutive documents are alive, and when they expire: what a run of them needs to know, the same for all of its tables.
///
/// Takes a bit for each document, and four bytes more if one of them expires.
#[derive(Debug)]
pub(crate) struct Lives {
    first: u64,
    dead: Vec<u64>,
    /// The second at which each document expires. Empty if none does.
    expiries: Vec<u32>,
    /// The last second at which one has expired that is dead for that.
    dropped: u32,
}

impl Lives {
    /// Of the documents from number `first` on, which would expire at the seconds `own`. Those are dead that are removed, and those that have
    /// expired at second `dropped` or before.
    pub(crate) fn new<E>(
        first: u64,
        own: impl Iterator<Item = Result<u32, E>>,
        removed: &RemovedDocuments,
        extended: &Extended,
        dropped: u32,
    ) -> Result<Self, E> {
        let mut lives = Lives { first, dead: Vec::new(), expiries: Vec::new(), dropped: 0 };
        for (index, own) in own.enumerate() {
            let number = first + index as u64;
            let expiry = extended.expiry(number, own?);
            if expiry != NEVER && lives.expiries.is_empty() {
                lives.expiries.resize(index, NEVER);
            }
            if expiry != NEVER || !lives.expiries.is_empty() {
                lives.expiries.push(expiry);
            }
            // No document is dropped at second 0.
            let has_expired = expiry <= dropped && dropped > 0;
            if has_expired {
                lives.dropped = expiry.max(lives.dropped).max(1);
            }
            if index % 64 == 0 {
                lives.dead.push(0);
            }
            let is_dead = has_expired || removed.contains(number);
            lives.dead[index / 64] |= u64::from(is_dead) << (index % 64);
        }
        Ok(lives)
    }

    /// Whether the document is dead.
    pub(crate) fn is_dead(&self, number: u64) -> bool {
        let index = (number - self.first) as usize;
        self.dead[index / 64] >> (index % 64) & 1 == 1
    }

    /// The number of dead documents.
    pub(crate) fn dead(&self) -> u64 {
        self.dead.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The second at which each document expires. Empty if none does.
    pub(crate) fn expiries(&self) -> &[u32] {
        &self.expiries
    }

    /// The last second at which one of the documents has expired that are dead, or 0: all documents that expire at this second or before are
    /// dead.
    pub(crate) fn dropped(&self) -> u32 {
        self.dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn lives(own: &[u32], removed: &[u64], extended: (&[u64], &[u32]), dropped: u32) -> Lives {
        let own = own.iter().map(|&own| Ok::<_, Infallible>(own));
        let extended = Extended::of(extended.0, extended.1);
        Lives::new(70, own, &RemovedDocuments::of(removed), &extended, dropped)
            .unwrap_or_else(|never| match never {})
    }

    #[test]
    fn removed_and_expired_documents_are_dead() {
        let own: Vec<u32> = (0..200).map(|index| if index % 3 == 0 { 100 + index } else { NEVER }).collect();
        let lives = lives(&own, &[71, 200], (&[76], &[150]), 112);
        let dead: Vec<u64> = (70..270).filter(|&number| lives.is_dead(number)).collect();
        assert_eq!(dead, [70, 71, 73, 79, 82, 200]);
        assert_eq!((lives.dead(), lives.dropped()), (6, 112));
        assert_eq!(lives.expiries()[..8], [100, NEVER, NEVER, 103, NEVER, NEVER, 150, NEVER]);
    }

    #[test]
    fn documents_that_never_expire_take_a_bit() {
        let lives = lives(&[NEVER; 100], &[], (&[], &[]), NEVER - 1);
        assert!(lives.expiries().is_empty() && (lives.dead(), lives.dropped()) == (0, 0));
    }
}
