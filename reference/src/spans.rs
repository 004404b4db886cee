//! Repeated passages: which tokens occur earlier in the corpus as part of a long run.
//!
//! A *window* is `length` consecutive tokens of a text. Two windows are apart if they are in two texts, or begin at least
//! `length` tokens from each other.

/// Which occurrences of a window stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptWindows {
    /// The first one, and those that overlap it.
    First,
    /// None, if two of them are apart.
    None,
}

/// A window by its text and its first token.
type Place = (usize, usize);

/// Whether each token of each text is removed, in input order. `groups` has the group of each text: windows of different groups are
/// different. Texts before `against` lose nothing. If there are some, a window is removed if one of these texts has it, and not otherwise.
///
/// A token is removed if a window with it is removed, unless `whole`, and the token is in the first occurrence of a window that has two
/// which are apart.
pub fn removed_tokens(
    texts: &[Vec<String>],
    groups: &[usize],
    against: usize,
    length: usize,
    keep: KeptWindows,
    whole: bool,
) -> Vec<Vec<bool>> {
    let window = |(text, at): Place| (groups[text], &texts[text][at..at + length]);
    let places_in = |text: usize| {
        let count = (texts[text].len() + 1).saturating_sub(length);
        (0..count).map(move |at| (text, at))
    };
    let sources = if against > 0 { against } else { texts.len() };
    let occurrences = |of: Place| -> Vec<Place> {
        (0..sources).flat_map(places_in).filter(|&place| window(place) == window(of)).collect()
    };
    let mut removed: Vec<Vec<bool>> = texts.iter().map(|text| vec![false; text.len()]).collect();
    let mut stays = removed.clone();
    for place in (against..texts.len()).flat_map(places_in) {
        let all = occurrences(place);
        let Some(&first) = all.first() else { continue };
        let occurs_twice = all.iter().any(|&other| are_apart(first, other, length));
        let is_removed = match keep {
            _ if against > 0 => true,
            KeptWindows::First => are_apart(first, place, length),
            KeptWindows::None => occurs_twice,
        };
        let (text, at) = place;
        if is_removed {
            removed[text][at..at + length].fill(true);
        }
        if whole && place == first && occurs_twice {
            stays[text][at..at + length].fill(true);
        }
    }
    for (removed, stays) in removed.iter_mut().flatten().zip(stays.into_iter().flatten()) {
        *removed = *removed && !stays;
    }
    removed
}

/// Whether two windows do not overlap.
fn are_apart(a: Place, b: Place, length: usize) -> bool {
    a.0 != b.0 || a.1.abs_diff(b.1) >= length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn removed(texts: &[&str], length: usize, keep: KeptWindows, whole: bool) -> Vec<String> {
        let texts: Vec<Vec<String>> =
            texts.iter().map(|text| text.chars().map(String::from).collect()).collect();
        let removed = removed_tokens(&texts, &vec![0; texts.len()], 0, length, keep, whole);
        let kept = texts.iter().zip(removed).map(|(text, removed)| {
            text.iter().zip(removed).map(|(token, removed)| if removed { "-" } else { token.as_str() })
        });
        kept.map(Iterator::collect).collect()
    }

    #[test]
    fn the_first_occurrence_stays() {
        assert_eq!(removed(&["abcx", "yabcz"], 3, KeptWindows::First, false), ["abcx", "y---z"]);
        assert_eq!(removed(&["abcx", "yabcz"], 3, KeptWindows::None, false), ["---x", "y---z"]);
        assert_eq!(removed(&["aaaaaaa"], 3, KeptWindows::First, false), ["aaa----"]);
        assert_eq!(removed(&["aaaaa"], 3, KeptWindows::None, false), ["aaaaa"]);
    }

    #[test]
    fn each_window_is_whole_somewhere_only_if_asked_for() {
        let texts = ["abc", "abcde", "abcde"];
        assert_eq!(removed(&texts, 3, KeptWindows::First, false), ["abc", "---de", "-----"]);
        assert_eq!(removed(&texts, 3, KeptWindows::First, true), ["abc", "-bcde", "-----"]);
    }
}
