//! Checks that two columns without names hold ids of documents, by the characters of these ids.

use super::list::ReadList;
use super::names::NumberedIds;
use crate::error::Error;
use lookalike::quality::Pair;

/// Fewer pairs are too few to show how ids are made, and a person checks them at a glance.
const FEW: usize = 5;

/// The kinds of characters of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kinds {
    letters: bool,
    digits: bool,
    others: bool,
}

/// Refuses a `list` without a header if its first line seems to be no pair, or its second column seems to hold no documents.
///
/// A first line that is a header has other kinds of characters than all ids of both lists, such as `doc_id` among numbers. A
/// second column of clusters has few values, with other kinds of characters than documents, such as numbers beside `d17`.
///
/// # Errors
/// [`Error::FirstLine`], [`Error::SecondColumn`].
pub(super) fn check(list: &ReadList, other: &ReadList, names: &NumberedIds) -> Result<(), Error> {
    let Some(first) = list.unnamed().filter(|_| list.pairs().len() > FEW) else { return Ok(()) };
    let kinds = |id: u32| Kinds::of(names.name(id));
    let is_first = |pair: &&Pair| (pair.a, pair.b) == (first.a, first.b);
    let pairs = list.pairs().iter().chain(other.pairs()).filter(|pair| !is_first(pair));
    let others = || pairs.clone().map(|pair| (pair.a, pair.b)).chain(other.linked().iter().copied());
    let named = [kinds(first.a), kinds(first.b)];
    if others().all(|(a, b)| !named.contains(&kinds(a)) && !named.contains(&kinds(b))) {
        let [a, b] = [first.a, first.b].map(|id| names.name(id));
        return Err(Error::FirstLine { file: first.file.clone(), seen: format!("{a}, {b}") });
    }

    let mut seconds: Vec<u32> = list.pairs().iter().map(|pair| pair.b).collect();
    seconds.sort_unstable();
    seconds.dedup();
    let mut second_kinds: Vec<Kinds> = Vec::new();
    for kinds in seconds.iter().map(|&id| kinds(id)) {
        if !second_kinds.contains(&kinds) {
            second_kinds.push(kinds);
        }
    }
    // The other list may come from the same program, with clusters in its second column too.
    let other_seconds = other.pairs().iter().filter(|_| other.unnamed().is_none()).map(|pair| pair.b);
    let documents = list.pairs().iter().chain(other.pairs()).map(|pair| pair.a).chain(other_seconds);
    let mut documents = documents.chain(other.linked().iter().flat_map(|&(a, b)| [a, b]));
    let are_few = seconds.len() <= list.pairs().len() / 2;
    if are_few && documents.all(|id| !second_kinds.contains(&kinds(id))) {
        return Err(Error::SecondColumn { file: first.file.clone(), values: seconds.len() as u64 });
    }
    Ok(())
}

impl Kinds {
    fn of(id: &str) -> Kinds {
        let (mut letters, mut digits, mut others) = (false, false, false);
        for character in id.trim().chars() {
            match character {
                _ if character.is_alphabetic() => letters = true,
                _ if character.is_numeric() => digits = true,
                _ => others = true,
            }
        }
        Kinds { letters, digits, others }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_known_by_their_kinds_of_characters() {
        assert_eq!(Kinds::of("d17"), Kinds::of("99x"));
        assert_eq!(Kinds::of("doc_id"), Kinds::of("b/c"));
        assert_eq!(Kinds::of(" 7"), Kinds { letters: false, digits: true, others: false });
        assert_ne!(Kinds::of("idx"), Kinds::of("x1"));
        assert_eq!(Kinds::of("文"), Kinds { letters: true, digits: false, others: false });
    }
}
