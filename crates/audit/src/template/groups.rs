//! Groups of pages: the folders of their URLs.

use std::ops::Range;

/// A folder, with its pages. Pages are sorted by URL, so those of a folder follow one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FolderPages {
    /// The start of all its URLs, up to a slash.
    pub(super) folder: String,
    /// Its pages.
    pub(super) pages: Range<u32>,
}

/// The folders of at least `least` pages among sorted URLs. A folder comes before the folders in it. A folder with the
/// same pages as the one around it is left out.
pub(super) fn groups(urls: &[&str], least: u32) -> Vec<FolderPages> {
    let mut groups: Vec<FolderPages> = Vec::new();
    // The folders around the current URL, from the outside to the inside, each with its first page.
    let mut open: Vec<(&str, usize)> = Vec::new();
    for page in 0..=urls.len() {
        let url = urls.get(page).copied().unwrap_or_default();
        let folders = folders(url);
        let same = open.iter().zip(&folders).take_while(|((before, _), now)| before == *now).count();
        for (folder, start) in open.drain(same..).rev() {
            if page - start >= least.max(1) as usize {
                groups.push(FolderPages { folder: folder.to_owned(), pages: start as u32..page as u32 });
            }
        }
        open.extend(folders[same..].iter().map(|&folder| (folder, page)));
    }
    groups.sort_by(|a, b| {
        (a.pages.start, b.pages.end, &a.folder).cmp(&(b.pages.start, a.pages.end, &b.folder))
    });
    groups.dedup_by(|inner, outer| inner.pages == outer.pages);
    groups
}

/// The folders of a URL, from the outside to the inside: `https://a.b/`, `https://a.b/c/`. Queries do not count.
fn folders(url: &str) -> Vec<&str> {
    let path = url.find(['?', '#']).map_or(url, |end| &url[..end]);
    let host = path.find("://").map_or(0, |scheme| scheme + 3);
    path[host..].match_indices('/').map(|(slash, _)| &url[..host + slash + 1]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_found_at_every_depth() {
        let urls = ["h://a/", "h://a/x/1", "h://a/x/2", "h://a/x/y/1", "h://a/x/y/2?q=/z/", "h://b/1"];
        let found: Vec<_> = groups(&urls, 2).into_iter().map(|group| (group.folder, group.pages)).collect();
        assert_eq!(found, [("h://a/".into(), 0..5), ("h://a/x/".into(), 1..5), ("h://a/x/y/".into(), 3..5)]);
        assert_eq!(groups(&urls, 5).len(), 1);
        assert!(groups(&[], 1).is_empty());
    }

    #[test]
    fn a_folder_with_the_pages_of_its_parent_is_left_out() {
        let found = groups(&["h://a/x/1", "h://a/x/2"], 2);
        assert_eq!(found, [FolderPages { folder: "h://a/".into(), pages: 0..2 }]);
    }
}
