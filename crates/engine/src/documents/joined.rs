//! Joins the sketches of chunks into one table.
//!
//! **Memory that is touched for the first time is slow.** Giving out a page of 4 KiB takes the system longer than
//! filling it takes the run. On virtual machines it takes several times as long. All threads therefore touch the memory
//! in which sketches are joined (`joined`), and features that are read again share a few large pieces.

use bytemuck::zeroed_vec;
use lookalike::Plan;
use lookalike::search::{SketchTable, Sketches};
use lookalike::sketch::ContentHash;
use rayon::prelude::*;

/// Joins the sketches of all `parts`, in their order. They are for `plan`, and of so many `documents`.
pub(super) fn joined(plan: &Plan, parts: Vec<Sketches>, documents: usize) -> Sketches {
    match Sketches::new(plan) {
        Sketches::MinHash(_) => Sketches::MinHash(joined_tables(plan, parts, documents)),
        mut all => {
            all.reserve(documents);
            // The memory of each is given back as soon as it is copied.
            parts.into_iter().for_each(|part| all.append(&part));
            all
        }
    }
}

/// Joins MinHash sketches on all threads, as most of the time goes into memory that is touched for the first time. The memory of a part is
/// given back as soon as it is copied.
fn joined_tables(plan: &Plan, parts: Vec<Sketches>, documents: usize) -> SketchTable {
    let (num_perm, banding) = (plan.num_perm(), plan.banding());
    let mut keys: Vec<u64> = zeroed_vec(documents * banding.bands);
    let mut bytes: Vec<u8> = zeroed_vec(documents * num_perm);
    let mut contents: Vec<ContentHash> = zeroed_vec(documents);
    let (mut keys_left, mut bytes_left, mut contents_left) =
        (&mut keys[..], &mut bytes[..], &mut contents[..]);
    let fits = "parts have as many documents as was counted";
    let place = |part: Sketches| {
        let Sketches::MinHash(table) = part else { panic!("sketches of one plan are of one kind") };
        let keys = keys_left.split_off_mut(..table.view().keys.len());
        let bytes = bytes_left.split_off_mut(..table.view().bytes.len());
        let contents = contents_left.split_off_mut(..table.len());
        (table, keys.expect(fits), bytes.expect(fits), contents.expect(fits))
    };
    let places: Vec<_> = parts.into_iter().map(place).collect();
    assert!(contents_left.is_empty(), "{fits}");
    places.into_par_iter().for_each(|(table, keys, bytes, contents)| {
        let view = table.view();
        keys.copy_from_slice(view.keys);
        bytes.copy_from_slice(view.bytes);
        contents.copy_from_slice(view.contents);
    });
    SketchTable::of_columns(num_perm, banding, keys, bytes, contents)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::search::SketchBuilder;
    use lookalike::{Level, Method, Options, Weights};

    #[test]
    fn sketches_of_parts_are_joined_as_if_they_were_one() {
        for method in [Method::MinHash, Method::SimHash] {
            let plan = Options { method: Some(method), ..Options::default() }.plan().unwrap();
            let mut builder = SketchBuilder::new(&plan, &Weights::Set, Level::detect());
            let mut sketch_into = |documents: std::ops::Range<u32>| {
                let mut sketches = Sketches::new(&plan);
                for document in documents {
                    builder.sketch_into(&format!("the text of document {document} of a few"), &mut sketches);
                }
                sketches
            };
            let parts = vec![sketch_into(0..3), sketch_into(3..3), sketch_into(3..4), sketch_into(4..9)];
            let all = sketch_into(0..9);
            assert_eq!(format!("{:?}", joined(&plan, parts, 9)), format!("{all:?}"), "{method:?}");
        }
    }
}
