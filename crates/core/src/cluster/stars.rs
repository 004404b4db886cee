//! Star clusters: every member is similar to the centre itself, and no chain of pairs is needed.
//!
//! Not for: clusters made of chains of pairs. Those are made by [`UnionFind`](crate::cluster::UnionFind).

use crate::cluster::partners::PartnerLists;
use crate::similarity::Match;

/// Star clusters, each with a centre and the members similar to it.
///
/// Documents are taken in an order of preference. The first document in no star becomes a centre, and takes all of
/// its partners that are in no star yet. No two centres are therefore similar, unless a centre may not take all of its
/// partners. Stars with the most members first would be fewer, but chance would then choose the centres instead of the
/// user's preference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stars {
    /// The centre of each document's star. A centre, or a document in no star, is its own centre.
    pub centres: Vec<u32>,
    /// Centres that are similar to an earlier centre which was not allowed to take them.
    pub refused: u64,
}

impl Stars {
    /// The stars of `pairs` among `documents` documents. A document that `order` leaves out is no centre.
    ///
    /// `takes(centre, document)` says whether a centre may take a document. It is called for all partners of one centre
    /// before the next.
    pub fn new(
        documents: usize,
        order: &[u32],
        pairs: &[Match],
        mut takes: impl FnMut(u32, u32) -> bool,
    ) -> Self {
        let partners = PartnerLists::new(documents, || pairs.iter().map(|pair| (pair.a, pair.b, ())));
        let mut centres: Vec<Option<u32>> = vec![None; documents];
        let mut refused = vec![false; documents];
        for &centre in order.iter().filter(|&&document| (document as usize) < documents) {
            if centres[centre as usize].is_some() {
                continue;
            }
            centres[centre as usize] = Some(centre);
            for &(partner, ()) in partners.of(centre) {
                if centres[partner as usize].is_none() {
                    match takes(centre, partner) {
                        true => centres[partner as usize] = Some(centre),
                        false => refused[partner as usize] = true,
                    }
                }
            }
        }
        let is_centre = |document: usize| centres[document] == Some(document as u32);
        let refused = (0..documents).filter(|&document| refused[document] && is_centre(document)).count();
        let own = |(document, centre): (usize, Option<u32>)| centre.unwrap_or(document as u32);
        Stars { centres: centres.into_iter().enumerate().map(own).collect(), refused: refused as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::similarity::Score;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    fn pair(a: u32, b: u32) -> Match {
        Match { a, b, score: Score::Hamming(0) }
    }

    #[test]
    fn a_chain_is_cut_where_the_centre_ends() {
        let chain: Vec<Match> = (0..4).map(|a| pair(a, a + 1)).collect();
        let centres = |order: &[u32]| Stars::new(5, order, &chain, |_, _| true).centres;
        assert_eq!(centres(&[0, 1, 2, 3, 4]), [0, 0, 2, 2, 4]);
        assert_eq!(centres(&[1, 3, 0, 2, 4]), [1, 1, 1, 3, 3]);
        assert_eq!(centres(&[]), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_refused_document_may_be_taken_by_another_centre() {
        let pairs = [pair(0, 1), pair(0, 2), pair(1, 2)];
        let stars = |takes: fn(u32, u32) -> bool| Stars::new(3, &[0, 1, 2], &pairs, takes);
        assert_eq!(stars(|centre, _| centre != 0), Stars { centres: vec![0, 1, 1], refused: 1 });
        assert_eq!(stars(|_, _| false), Stars { centres: vec![0, 1, 2], refused: 2 });
    }

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn members_are_similar_to_their_centre_and_centres_to_no_other(
            edges in prop::collection::btree_set((0_u32..12, 0_u32..12), 0..40),
            order in Just((0_u32..12).collect::<Vec<u32>>()).prop_shuffle(),
        ) {
            let pairs: Vec<Match> = edges.iter().filter(|(a, b)| a < b).map(|&(a, b)| pair(a, b)).collect();
            let similar = |a: u32, b: u32| pairs.iter().any(|pair| (pair.a, pair.b) == (a.min(b), a.max(b)));
            let stars = Stars::new(12, &order, &pairs, |_, _| true);
            let place = |document: u32| order.iter().position(|&other| other == document);
            for (document, &centre) in (0..).zip(&stars.centres) {
                prop_assert!(centre == document || similar(centre, document));
                prop_assert!(place(centre) <= place(document));
                if centre == document {
                    let others = (0..).zip(&stars.centres).filter(|&(other, &centre)| other == centre);
                    prop_assert!(others.map(|(other, _)| other).all(|other| !similar(document, other)));
                }
            }
            let reversed: Vec<Match> = pairs.iter().rev().copied().collect();
            prop_assert_eq!(Stars::new(12, &order, &reversed, |_, _| true), stars);
        }
    }
}
