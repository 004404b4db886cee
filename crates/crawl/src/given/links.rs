//! Links between the files of a folder.

use crate::visit::PageDeclarations;
use std::collections::HashSet;
use url::Url;

/// The pages of a folder, to which links are resolved as a server does.
pub(super) struct FolderLinks {
    urls: HashSet<String>,
}

impl FolderLinks {
    pub(super) fn new<'u>(urls: impl Iterator<Item = &'u str>) -> Self {
        FolderLinks { urls: urls.map(str::to_owned).collect() }
    }

    /// Points links and declarations to the files of pages. Returns the links into the folder that lead to no page.
    pub(super) fn resolve_all(&self, page: &mut PageDeclarations) -> Vec<String> {
        let mut others = Vec::new();
        for link in &mut page.links {
            match self.page(&link.url) {
                Some(found) if found != link.url => {
                    link.written.get_or_insert_with(|| link.url.clone());
                    link.url = found;
                }
                None if link.url.starts_with("file:") => others.push(link.url.clone()),
                Some(_) | None => {}
            }
        }
        // Pages of a build name their addresses on the site.
        let resolve = |url: &mut String| {
            if let Some(found) = self.page(url).or_else(|| self.page(&path_of(url)?)) {
                *url = found;
            }
        };
        page.canonical.iter_mut().chain(&mut page.refresh).for_each(resolve);
        page.alternates.iter_mut().for_each(|version| resolve(&mut version.href));
        others
    }

    /// The page that a server shows for a URL.
    fn page(&self, url: &str) -> Option<String> {
        let path = url.strip_prefix("file://")?.split('?').next()?;
        let bare = path.trim_end_matches('/');
        let candidates = [path.to_owned(), format!("{bare}/index.html"), format!("{bare}.html")];
        candidates.into_iter().map(|path| format!("file://{path}")).find(|url| self.urls.contains(url))
    }
}

/// The path of an address on a site, as that of a file.
fn path_of(url: &str) -> Option<String> {
    let url = Url::parse(url).ok().filter(|url| url.has_host())?;
    Some(format!("file://{}", url.path()))
}
