//! Finding the objects of a name: one object, all objects below a prefix, or the matches of a glob.

use std::{path::Path, sync::Arc};

use glob::{MatchOptions, Pattern};
use object_store::{ObjectMeta, list::PaginatedListOptions};

use super::{
    Named,
    failure::RequestFailure,
    object::Object,
    read_error,
    runtime::ask,
    stores::{Store, key_of, locate},
};
use crate::{
    Error, Waiting,
    inputs::{is_no_data, table_among},
};

/// As on a disk, a wildcard matches neither a slash nor the dot of a hidden name.
const GLOB: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };

/// Finds the object of this name, all objects below it as in a folder, or the objects that match it as a glob.
///
/// # Errors
/// [`Error::Missing`] or [`Error::NoMatch`] if there is nothing, and the errors of the requests.
pub(crate) fn find(name: &str, waiting: &Waiting) -> Result<Named, Error> {
    let (store, key) = locate(name)?;
    let failed = |failure: RequestFailure| match failure {
        RequestFailure::Missing => Error::Missing { name: name.to_owned() },
        failure => read_error(name.as_ref(), failure.into()),
    };
    let is_folder = store.bucket.is_some() && (key.is_empty() || key.ends_with('/'));
    if !is_folder {
        let wanted = Object::find(Arc::clone(&store), key_of(name, &key)?, waiting.clone());
        match ask(name, waiting, wanted) {
            Ok((object, head)) => return Ok(Named::Object { object, head }),
            Err(RequestFailure::Missing) if store.bucket.is_some() => {}
            Err(failure) => return Err(failed(failure)),
        }
        if let Some(wildcard) = key.find(crate::WILDCARDS) {
            return matches(name, &store, &key, wildcard, waiting).map(Named::Matches);
        }
    }
    let folder = match key.is_empty() || key.ends_with('/') {
        true => key,
        false => key + "/",
    };
    let below = listed(&store, name, &folder, waiting).map_err(failed)?;
    let paths = below.iter().filter_map(|meta| meta.location.as_ref().strip_prefix(&folder));
    if let Some((table, kind)) = table_among(paths) {
        let path = format!("{}/{table}", name.trim_end_matches('/'));
        return Err(Error::table(Path::new(path.trim_end_matches('/')), kind));
    }
    let mut objects: Vec<_> = below
        .into_iter()
        .filter_map(|meta| {
            let relative = meta.location.as_ref().strip_prefix(&folder)?.to_owned();
            let is_left_out = relative.split('/').any(|part| is_no_data(part.as_bytes()));
            (!is_left_out).then(|| (Object::new(&store, meta, waiting), relative))
        })
        .collect();
    // The order is the same as in a walk on a disk: names are compared folder by folder.
    objects.sort_by(|(_, a), (_, b)| a.split('/').cmp(b.split('/')));
    match objects.is_empty() && !is_folder {
        true => Err(Error::Missing { name: name.to_owned() }),
        false => Ok(Named::Folder(objects)),
    }
}

fn matches(
    name: &str,
    store: &Arc<Store>,
    key: &str,
    wildcard: usize,
    waiting: &Waiting,
) -> Result<Vec<Object>, Error> {
    let pattern = Pattern::new(key)
        .map_err(|error| Error::BadPattern { pattern: name.to_owned(), message: error.to_string() })?;
    let mut found = listed(store, name, &key[..wildcard], waiting)
        .map_err(|failure| read_error(name.as_ref(), failure.into()))?;
    // A name that is no data is found if the pattern has such a name itself.
    let means_all = key.split('/').any(|part| is_no_data(part.as_bytes()));
    let is_data = |path: &str| !path.split('/').any(|part| is_no_data(part.as_bytes()));
    found.retain(|meta| {
        let path = meta.location.as_ref();
        (means_all || is_data(path)) && pattern.matches_with(path, GLOB)
    });
    found.sort_by(|a, b| a.location.as_ref().split('/').cmp(b.location.as_ref().split('/')));
    match found.is_empty() {
        true => Err(Error::NoMatch { pattern: name.to_owned() }),
        false => Ok(found.into_iter().map(|meta| Object::new(store, meta, waiting)).collect()),
    }
}

/// All objects whose keys start with a prefix. The prefix may end within a name.
fn listed(
    store: &Arc<Store>,
    name: &str,
    prefix: &str,
    waiting: &Waiting,
) -> Result<Vec<ObjectMeta>, RequestFailure> {
    let (store, prefix) = (Arc::clone(store), prefix.to_owned());
    ask(name, waiting, async move {
        let Some(bucket) = &store.bucket else { return Err(RequestFailure::Missing) };
        let (mut found, mut page_token) = (Vec::new(), None);
        loop {
            let options = PaginatedListOptions { page_token, ..PaginatedListOptions::default() };
            let page = bucket.lists.list_paginated(Some(&prefix), options).await?;
            found.extend(page.result.objects);
            page_token = page.page_token;
            if page_token.is_none() {
                // Some programs create an empty object for each folder.
                found.retain(|meta| meta.location.as_ref().starts_with(&prefix));
                return Ok(found);
            }
        }
    })
}
