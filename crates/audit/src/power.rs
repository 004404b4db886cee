//! The power of pages: PageRank over the links between them.
//!
//! Source: Brin and Page, "The anatomy of a large-scale hypertextual web search engine", 1998. A page without links
//! gives its rank to all pages.

/// The chance that a reader follows a link.
const DAMPING: f64 = 0.85;

/// Rounds. The sum of all errors is then below `0.85^64`, about 3e-5 of the total.
const ROUNDS: usize = 64;

/// The power of each page, from 0 to 100. The most powerful page has 100.
///
/// `links` are the pages that each page links to, ascending and without repetitions. Sums are taken in the order of
/// pages, so every run has the same bits.
pub(super) fn powers(links: &[Vec<u32>]) -> Vec<f64> {
    let pages = links.len();
    let mut ranks = vec![1.0 / pages.max(1) as f64; pages];
    for _ in 0..ROUNDS {
        let mut next = vec![0.0; pages];
        let mut dangling = 0.0;
        for (rank, links) in ranks.iter().zip(links) {
            if links.is_empty() {
                dangling += rank;
            }
            let share = rank / links.len().max(1) as f64;
            links.iter().for_each(|&page| next[page as usize] += share);
        }
        let base = (1.0 - DAMPING + DAMPING * dangling) / pages as f64;
        next.iter_mut().for_each(|rank| *rank = base + DAMPING * *rank);
        ranks = next;
    }
    let most = ranks.iter().copied().fold(0.0, f64::max);
    ranks.into_iter().map(|rank| if most > 0.0 { 100.0 * rank / most } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_that_all_others_link_to_has_the_most_power() {
        let powers = powers(&[vec![1], vec![0], vec![0, 1], vec![0]]);
        assert_eq!(powers[0], 100.0);
        assert!(powers[1] > powers[2] && powers[2] == powers[3] && powers[3] > 0.0);
    }

    #[test]
    fn pages_without_links_are_equal() {
        assert_eq!(powers(&[Vec::new(), Vec::new()]), [100.0, 100.0]);
        assert!(powers(&[]).is_empty());
    }

    #[test]
    fn ranks_solve_the_equation() {
        // Two pages: 0 links to 1, and 1 to none. x0 = 0.075 + 0.425 x1, x1 = x0 + 0.85 x0, so x0 / x1 = 1 / 1.85.
        let powers = powers(&[vec![1], Vec::new()]);
        assert!((powers[0] - 100.0 / 1.85).abs() < 1e-9, "{powers:?}");
    }
}
