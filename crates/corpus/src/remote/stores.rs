//! The servers of remote names, and the settings of connections to them.

use std::{
    collections::HashMap,
    env, fmt,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::Duration,
};

use object_store::{
    BackoffConfig, ClientConfigKey, ClientOptions, ObjectStore, RetryConfig,
    aws::{AmazonS3Builder, AmazonS3ConfigKey},
    client::{HttpClient, HttpConnector, ReqwestConnector},
    gcp::{GoogleCloudStorageBuilder, GoogleConfigKey},
    http::HttpBuilder,
    list::PaginatedListStore,
    multipart::MultipartStore,
    path::Path as Key,
};
use url::{Host, Url};

use super::{failure::RequestFailure, runtime::runtime};
use crate::Error;

/// Settings of the connection. The environment can override them, by names such as `AWS_TIMEOUT`. A part of 16 MiB takes the
/// longest. It needs 1 Mbit/s, and slower connections are useless for reading a corpus.
const CONNECTION: [(ClientConfigKey, &str); 2] =
    [(ClientConfigKey::ConnectTimeout, "10 seconds"), (ClientConfigKey::Timeout, "150 seconds")];

/// A server of objects.
pub(super) struct Store {
    pub(super) objects: Arc<dyn ObjectStore>,
    /// `None` for a server of plain files, which cannot list folders and takes no uploads in parts.
    pub(super) bucket: Option<Bucket>,
    /// The start of all its objects' names.
    base: String,
}

/// The operations that only a bucket has.
pub(super) struct Bucket {
    pub(super) lists: Arc<dyn PaginatedListStore>,
    pub(super) uploads: Arc<dyn MultipartStore>,
}

impl Store {
    pub(super) fn name_of(&self, key: &Key) -> String {
        format!("{}{key}", self.base)
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Store").field(&self.base).finish()
    }
}

/// The store and key of a name. The key is empty for a file that is not in a bucket.
pub(super) fn locate(name: &str) -> Result<(Arc<Store>, String), Error> {
    let bad = |problem: String| Error::RemoteName { name: name.to_owned(), problem };
    let (scheme, rest) = name.split_once("://").unwrap_or((name, ""));
    if scheme.starts_with("http") {
        let url = Url::parse(name).map_err(|error| bad(error.to_string()))?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(bad(
                "a password in a name would be written to lists and messages; leave it out".to_owned()
            ));
        }
        let store = plain(name, &url).map_err(|failure| bad(failure.to_string()))?;
        return Ok((Arc::new(store), String::new()));
    }
    let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
    if bucket.is_empty() {
        return Err(bad("the name of the bucket is missing".to_owned()));
    }
    static BUCKETS: OnceLock<Mutex<HashMap<String, Arc<Store>>>> = OnceLock::new();
    let mut buckets = BUCKETS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    let base = format!("{scheme}://{bucket}/");
    let store = match buckets.get(&base) {
        Some(store) => Arc::clone(store),
        None => {
            let store = if scheme == "gs" { google(bucket, &base) } else { amazon(bucket, &base) };
            let store = Arc::new(store.map_err(|failure| bad(failure.to_string()))?);
            buckets.insert(base, Arc::clone(&store));
            store
        }
    };
    Ok((store, key.to_owned()))
}

/// Parses a key.
pub(super) fn key_of(name: &str, key: &str) -> Result<Key, Error> {
    Key::parse(key).map_err(|error| Error::RemoteName { name: name.to_owned(), problem: error.to_string() })
}

fn amazon(bucket: &str, base: &str) -> Result<Store, RequestFailure> {
    // The runtime chooses the provider of encryption, so it must start first.
    runtime()?;
    let mut builder = AmazonS3Builder::new();
    for (key, value) in CONNECTION {
        builder = builder.with_config(AmazonS3ConfigKey::Client(key), value);
    }
    for (name, value) in settings("AWS_") {
        if let Ok(key) = name.parse() {
            builder = builder.with_config(key, value);
        }
    }
    let endpoint = builder.get_config_value(&AmazonS3ConfigKey::Endpoint);
    if endpoint.is_some_and(|endpoint| is_loopback(&endpoint)) {
        builder = builder.with_allow_http(true);
    }
    let store = Arc::new(builder.with_bucket_name(bucket).with_retry(retries()).build()?);
    let bucket = Bucket { lists: Arc::clone(&store) as _, uploads: Arc::clone(&store) as _ };
    Ok(Store { objects: store, bucket: Some(bucket), base: base.to_owned() })
}

fn google(bucket: &str, base: &str) -> Result<Store, RequestFailure> {
    runtime()?;
    let mut builder = GoogleCloudStorageBuilder::new();
    for (key, value) in CONNECTION {
        builder = builder.with_config(GoogleConfigKey::Client(key), value);
    }
    for (name, value) in settings("GOOGLE_") {
        if let Ok(key) = name.parse() {
            builder = builder.with_config(key, value);
        }
    }
    let store = Arc::new(builder.with_bucket_name(bucket).with_retry(retries()).build()?);
    let bucket = Bucket { lists: Arc::clone(&store) as _, uploads: Arc::clone(&store) as _ };
    Ok(Store { objects: store, bucket: Some(bucket), base: base.to_owned() })
}

/// A file of a plain server. Its base is the whole name, so a query behind `?` stays part of it.
fn plain(name: &str, url: &Url) -> Result<Store, RequestFailure> {
    runtime()?;
    // The scheme of the name decides on encryption. A redirect of the server cannot change it.
    let allow_http = url.scheme() == "http";
    let mut options = ClientOptions::new().with_allow_http(allow_http);
    for (key, value) in CONNECTION {
        options = options.with_config(key, value);
    }
    let connections = &CONNECTIONS[usize::from(allow_http)];
    let builder = HttpBuilder::new().with_url(url.as_str()).with_client_options(options);
    let store = builder.with_retry(retries()).with_http_connector(SharedConnector(connections)).build()?;
    Ok(Store { objects: Arc::new(store), bucket: None, base: name.to_owned() })
}

/// The connections to plain servers, with encryption and without.
static CONNECTIONS: [OnceLock<HttpClient>; 2] = [const { OnceLock::new() }; 2];

/// A connector that shares connections between files. Each file of a plain server is a store of its own.
#[derive(Debug)]
struct SharedConnector(&'static OnceLock<HttpClient>);

impl HttpConnector for SharedConnector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        if let Some(client) = self.0.get() {
            return Ok(client.clone());
        }
        let client = ReqwestConnector::default().connect(options)?;
        Ok(self.0.get_or_init(|| client).clone())
    }
}

/// Retries for a minute, which is enough for a server that is busy or restarts. A server that is gone is reported
/// after that.
fn retries() -> RetryConfig {
    let backoff = BackoffConfig { max_backoff: Duration::from_secs(5), ..BackoffConfig::default() };
    RetryConfig { backoff, max_retries: 8, retry_timeout: Duration::from_secs(60) }
}

/// The environment variables that configure a store, in lower case.
fn settings(prefix: &str) -> impl Iterator<Item = (String, String)> {
    env::vars_os().filter_map(move |(name, value)| {
        let name = name.into_string().ok().filter(|name| name.starts_with(prefix))?;
        Some((name.to_ascii_lowercase(), value.into_string().ok()?))
    })
}

/// Whether an endpoint is on this machine. Such a connection needs no encryption.
fn is_loopback(endpoint: &str) -> bool {
    let url = Url::parse(endpoint).ok();
    match url.as_ref().and_then(Url::host) {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
