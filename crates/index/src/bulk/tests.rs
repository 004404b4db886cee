//! What a batch finds of documents that were removed or have expired.

use crate::index::Index;
use crate::log::record::NewDocument;
use lookalike::search::SketchTable;
use lookalike::sketch::ContentHash;
use lookalike::{Options, Plan};
use std::path::Path;
use std::sync::Arc;

fn plan() -> Plan {
    Options { method: Some(lookalike::Method::MinHash), ..Options::default() }.plan().unwrap()
}

fn content(number: u64) -> ContentHash {
    ContentHash::of_parts([number, number, 1])
}

/// An index of documents with these keys in all bands, the links between them, and removed documents. They were added at second 1, and some
/// expire.
fn write(path: &Path, documents: &[(u64, Option<u32>)], links: &[[u64; 2]], removed: &[u64]) {
    let (bands, num_perm) = (plan().banding().bands, plan().num_perm());
    let (mut writer, _) = Index::create(path, &plan()).unwrap().into_live().unwrap();
    for (number, &(key, expires)) in (0..).zip(documents) {
        let keys = vec![key << 40; bands];
        let encoded = writer.encoder().encode(&NewDocument {
            keys: &keys,
            signature: &vec![0; num_perm],
            content: content(number),
            id: &number.to_string(),
            text: "text",
            time: Some(1),
            expires,
            ..NewDocument::default()
        });
        writer.add(&encoded, &keys);
    }
    links.iter().for_each(|&[first, member]| writer.link(first, member));
    removed.iter().for_each(|&number| writer.remove(number));
    writer.commit(None).unwrap().finish().unwrap();
    writer.close().unwrap();
}

/// The documents that are found by one of `keys` at second `now`, and the first ones of their clusters.
fn gathered(path: &Path, keys: &[u64], now: u32) -> (Vec<u64>, Vec<u32>) {
    let index = Arc::new(Index::open(path).unwrap());
    let (bands, num_perm) = (plan().banding().bands, plan().num_perm());
    let mut table = SketchTable::new(num_perm, plan().banding());
    keys.iter().for_each(|key| table.extend(&vec![key << 40; bands], &vec![0; num_perm], &[content(99)]));
    let candidates = index.candidates(table.view().keys, table.view().contents, now, &()).unwrap();
    let found = index.gather(candidates, now, &()).unwrap();
    (found.documents.numbers, found.documents.first_of)
}

#[test]
fn a_removed_or_expired_document_is_no_candidate_and_stands_for_no_cluster() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    // The first four are in a cluster, and so are the next two.
    let documents = [(1, None), (2, Some(100)), (3, None), (1, None), (4, None), (5, None)];
    let links = [[0, 1], [0, 2], [0, 3], [4, 5]];
    write(&path, &documents, &links, &[0]);
    assert_eq!(gathered(&path, &[1, 5], 99), (vec![1, 3, 4, 5], vec![0, 0, 2, 2]));
    assert_eq!(gathered(&path, &[1, 5], 100), (vec![2, 3, 4, 5], vec![0, 0, 2, 2]));
    assert_eq!(gathered(&path, &[2], 99), (vec![1], vec![0]));
    assert_eq!(gathered(&path, &[2], 100), (vec![], vec![]));
}
