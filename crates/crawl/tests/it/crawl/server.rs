//! A site on loopback whose answers a test makes.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Response, Uri};
use futures_util::stream;
use lookalike_crawl::{CrawlCounts, CrawlMonitor, CrawlSettings, Crawled, Error, crawl};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// An answer of a site.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Content,
    pub(crate) after: Duration,
    /// The number of requests that are being answered. One is taken off when the answer is ready.
    counter: Option<Arc<AtomicUsize>>,
}

pub(crate) enum Content {
    Bytes(Vec<u8>),
    /// The bytes again and again, with a pause before each.
    Endless(Vec<u8>, Duration),
}

impl Reply {
    pub(crate) fn page(html: impl Into<String>) -> Self {
        let headers = vec![("content-type", "text/html".to_owned())];
        Reply {
            status: 200,
            headers,
            body: Content::Bytes(html.into().into_bytes()),
            after: Duration::ZERO,
            counter: None,
        }
    }

    pub(crate) fn status(status: u16) -> Self {
        Reply { status, headers: Vec::new(), ..Reply::page("") }
    }

    pub(crate) fn redirect(target: impl Into<String>) -> Self {
        Reply::status(302).with("location", target)
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.retain(|(known, _)| *known != name);
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn body(mut self, bytes: Vec<u8>) -> Self {
        self.body = Content::Bytes(bytes);
        self
    }

    pub(crate) fn endless(mut self, bytes: Vec<u8>, pause: Duration) -> Self {
        self.body = Content::Endless(bytes, pause);
        self
    }

    pub(crate) fn counted(mut self, counter: Arc<AtomicUsize>) -> Self {
        self.counter = Some(counter);
        self
    }

    pub(crate) fn after(mut self, after: Duration) -> Self {
        self.after = after;
        self
    }
}

type Answer = Arc<dyn Fn(&str, &HeaderMap) -> Reply + Send + Sync>;

#[derive(Clone)]
struct Served {
    answer: Answer,
    log: Arc<Mutex<Vec<String>>>,
}

/// A site that is served until it is dropped.
pub(crate) struct Site {
    pub(crate) url: String,
    served: Served,
    _runtime: Runtime,
}

impl Site {
    pub(crate) fn new(answer: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        Site::with_requests(move |path, _| answer(path))
    }

    /// A site that answers by the headers of requests.
    pub(crate) fn with_requests(answer: impl Fn(&str, &HeaderMap) -> Reply + Send + Sync + 'static) -> Self {
        let served = Served { answer: Arc::new(answer), log: Arc::default() };
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().fallback(reply).with_state(served.clone());
        runtime.spawn(async move { axum::serve(listener, router).await });
        Site { url, served, _runtime: runtime }
    }

    /// A site of pages: path, and what is in it. There is no robots.txt.
    pub(crate) fn of(pages: &[(&str, &str)]) -> Self {
        let pages: BTreeMap<String, String> =
            pages.iter().map(|&(path, html)| (path.to_owned(), html.to_owned())).collect();
        Site::new(move |path| pages.get(path).map_or_else(|| Reply::status(404), Reply::page))
    }

    pub(crate) fn settings(&self) -> CrawlSettings {
        let mut settings = CrawlSettings::new(format!("{}/", self.url).parse().unwrap());
        settings.sitemaps = false;
        settings
    }

    pub(crate) fn crawl(&self, settings: &CrawlSettings) -> Crawl {
        let folder = tempfile::tempdir().unwrap();
        let counts = crawl(settings, folder.path(), &CrawlMonitor::default()).unwrap();
        let crawled = Crawled::open(folder.path()).unwrap();
        Crawl { counts, crawled, site: self.url.clone(), _folder: folder }
    }

    /// The paths that were asked for, in order.
    pub(crate) fn log(&self) -> Vec<String> {
        self.served.log.lock().unwrap().clone()
    }

    /// How often a path was asked for.
    pub(crate) fn asked(&self, path: &str) -> usize {
        self.log().iter().filter(|asked| *asked == path).count()
    }
}

async fn reply(State(served): State<Served>, uri: Uri, headers: HeaderMap) -> Response<Body> {
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    served.log.lock().unwrap().push(path.to_owned());
    let reply = (served.answer)(path, &headers);
    tokio::time::sleep(reply.after).await;
    if let Some(counter) = &reply.counter {
        counter.fetch_sub(1, Ordering::SeqCst);
    }
    let mut response = Response::builder().status(reply.status);
    for (name, value) in reply.headers {
        response = response.header(name, value);
    }
    let body = match reply.body {
        Content::Bytes(bytes) => Body::from(bytes),
        Content::Endless(bytes, pause) => {
            Body::from_stream(stream::repeat(Bytes::from(bytes)).then_after(pause))
        }
    };
    response.body(body).unwrap()
}

/// A stream with a pause before each of its items.
trait ThenAfter: futures_util::Stream + Sized {
    fn then_after(
        self,
        pause: Duration,
    ) -> impl futures_util::Stream<Item = std::io::Result<Self::Item>> + Send
    where
        Self: Send,
        Self::Item: Send,
    {
        use futures_util::StreamExt;
        self.then(move |item| async move {
            if pause.is_zero() {
                tokio::task::yield_now().await;
            } else {
                tokio::time::sleep(pause).await;
            }
            Ok(item)
        })
    }
}

impl<S: futures_util::Stream> ThenAfter for S {}

/// A finished crawl.
pub(crate) struct Crawl {
    pub(crate) counts: CrawlCounts,
    pub(crate) crawled: Crawled,
    site: String,
    _folder: tempfile::TempDir,
}

impl Crawl {
    /// The paths of all visits with the status, in the order of URLs.
    pub(crate) fn visits(&self) -> Vec<(String, u16)> {
        let pages = self.crawled.pages().map(|page| page.unwrap().1.visit);
        pages.map(|visit| (self.path(&visit.url), visit.status.unwrap_or_default())).collect()
    }

    /// The paths of all pages.
    pub(crate) fn pages(&self) -> Vec<String> {
        let pages = self.crawled.pages().map(|page| page.unwrap().1.visit);
        pages.filter(|visit| visit.is_page()).map(|visit| self.path(&visit.url)).collect()
    }

    /// What came of a path.
    pub(crate) fn outcome(&self, path: &str) -> String {
        let number = self.crawled.number_of(&format!("{}{path}", self.site)).unwrap();
        let outcome = self.crawled.visit(number).unwrap().unwrap().outcome;
        match outcome {
            lookalike_crawl::VisitOutcome::Failed(failure) => failure.to_string(),
            other => format!("{other:?}").replace(&self.site, ""),
        }
    }

    /// The paths that were skipped, with the rules.
    pub(crate) fn skipped(&self) -> Vec<(String, String)> {
        let mut skipped = Vec::new();
        self.crawled
            .skipped(&mut |one| skipped.push((self.path(&one.url), one.refusal.to_string())))
            .unwrap();
        skipped
    }

    fn path(&self, url: &str) -> String {
        url.strip_prefix(&self.site).unwrap_or(url).to_owned()
    }
}

/// Everything that a crawl stored and that does not depend on time.
pub(crate) fn stored(folder: &Path) -> Vec<String> {
    let crawled = Crawled::open(folder).unwrap();
    let mut stored: Vec<String> = Vec::new();
    for page in crawled.pages() {
        let (number, mut page) = page.unwrap();
        (page.visit.milliseconds, page.visit.first_byte_milliseconds) = (0, 0);
        stored.push(format!("{number} {:?} {} {page:?}", crawled.depth(number), crawled.is_listed(number)));
    }
    crawled.skipped(&mut |skipped| stored.push(format!("{skipped:?}"))).unwrap();
    stored
}

/// Crawls until `stop` visits were stored.
pub(crate) fn crawl_some(settings: &CrawlSettings, folder: &Path, stop: usize) -> Result<CrawlCounts, Error> {
    let monitor = CrawlMonitor::default();
    let observer = StopAfter { left: Mutex::new(stop), interrupt: monitor.interrupt.clone() };
    crawl(settings, folder, &CrawlMonitor { observer: Some(Arc::new(observer)), ..monitor })
}

#[derive(Debug)]
struct StopAfter {
    left: Mutex<usize>,
    interrupt: lookalike_crawl::Interrupt,
}

impl lookalike_crawl::CrawlObserver for StopAfter {
    fn visited(&self, _: u32, _: &lookalike_crawl::Visit, _: &[lookalike_audit::SiteBlock], _: CrawlCounts) {
        let mut left = self.left.lock().unwrap();
        *left = left.saturating_sub(1);
        if *left == 0 {
            self.interrupt.set();
        }
    }

    fn note(&self, _: &str) {}
}

/// Collects the notes of crawls.
#[derive(Debug, Default)]
pub(crate) struct Notes(Mutex<Vec<String>>);

impl Notes {
    pub(crate) fn monitor(self: &Arc<Self>) -> CrawlMonitor {
        CrawlMonitor { observer: Some(self.clone()), ..CrawlMonitor::default() }
    }

    /// The notes since the last call.
    pub(crate) fn take(&self) -> String {
        std::mem::take(&mut *self.0.lock().unwrap()).join("\n")
    }
}

impl lookalike_crawl::CrawlObserver for Notes {
    fn visited(&self, _: u32, _: &lookalike_crawl::Visit, _: &[lookalike_audit::SiteBlock], _: CrawlCounts) {}

    fn note(&self, text: &str) {
        self.0.lock().unwrap().push(text.to_owned());
    }
}
