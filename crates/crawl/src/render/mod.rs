//! Pages as a browser shows them, for those whose text is made by scripts.
//!
//! Chromium fetches the page and what its scripts ask for, through a proxy of this process that connects to no address that the crawl would not connect to
//! ([`FilteringProxy`]).

mod proxy;

use crate::fetch::{FetchFailure, FetchLimits, TypedServer, USER_AGENT};
use crate::platform::is_root;
use crate::visit::VisitRead;
use proxy::FilteringProxy;
use std::io;
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};
use tokio::sync::Semaphore;
use tokio::task::block_in_place;
use tokio::time::timeout;
use url::Url;

/// The names of Chromium.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Browsers that run at the same time, at most: each takes some 200 MB.
const BROWSERS_AT_ONCE: usize = 2;

/// Milliseconds of the clock of a page. It goes on as soon as nothing is being loaded, so timers take no time.
const PAGE_CLOCK: u32 = 10_000;

/// What Chromium is told so that it fetches a page and nothing else, and goes round the proxy for nothing.
const SWITCHES: [&str; 14] = [
    "--headless",
    "--dump-dom",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--mute-audio",
    "--no-default-browser-check",
    "--no-first-run",
    // Otherwise addresses of this machine are asked for directly.
    "--proxy-bypass-list=<-loopback>",
];

/// Renders pages in Chromium.
#[derive(Debug)]
pub(crate) struct Renderer {
    browser: &'static str,
    proxy: FilteringProxy,
    limits: FetchLimits,
    room: Semaphore,
    failed: Mutex<(u64, Option<String>)>,
}

impl Renderer {
    /// Finds Chromium, and starts the proxy. `None` if there is no Chromium.
    pub(crate) async fn start(typed: TypedServer, limits: FetchLimits) -> io::Result<Option<Self>> {
        let mut found = None;
        for browser in BROWSERS {
            let version =
                Command::new(browser).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            if version.await.is_ok_and(|status| status.success()) {
                found = Some(browser);
                break;
            }
        }
        let Some(browser) = found else { return Ok(None) };
        let proxy = FilteringProxy::start(typed).await?;
        let (room, failed) = (Semaphore::new(BROWSERS_AT_ONCE), Mutex::default());
        Ok(Some(Renderer { browser, proxy, limits, room, failed }))
    }

    /// Shows the page of a visit, if it needs scripts. If that fails, the visit stays as it is.
    pub(crate) async fn show(&self, url: &Url, read: &mut VisitRead) {
        if !read.visit.page.as_ref().is_some_and(|page| page.needs_scripts) {
            return;
        }
        match self.render(url).await {
            Ok(html) => block_in_place(|| read.show(url, &html)),
            Err(failure) => {
                let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
                failed.0 += 1;
                failed.1.get_or_insert_with(|| format!("{url}: {failure}"));
            }
        }
    }

    /// The number of pages that could not be shown, and the first of them with the reason.
    pub(crate) fn failed(&self) -> (u64, Option<String>) {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The page at `url` as HTML in UTF-8, after its scripts.
    ///
    /// # Errors
    /// [`FetchFailure`] if it takes too long, is too long, or Chromium fails.
    async fn render(&self, url: &Url) -> Result<Vec<u8>, FetchFailure> {
        // The semaphore is never closed.
        let _room = self.room.acquire().await;
        let failed = |error: io::Error| FetchFailure::NotRendered { reason: error.to_string() };
        let profile = tempfile::tempdir().map_err(failed)?;
        let mut command = Command::new(self.browser);
        command.args(SWITCHES).arg(format!("--virtual-time-budget={PAGE_CLOCK}"));
        command.arg(format!("--proxy-server=http://{}", self.proxy.address()));
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        command.arg(format!("--user-agent={USER_AGENT}"));
        if is_root() {
            // Chromium has no sandbox for root.
            command.arg("--no-sandbox");
        }
        command.arg(url.as_str()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.kill_on_drop(true).spawn().map_err(failed)?;
        let read = timeout(self.limits.page_time, read(&mut child, self.limits.page_bytes)).await;
        let _ = child.kill().await;
        match read {
            Ok(Ok(page)) if page.len() > self.limits.page_bytes => {
                Err(FetchFailure::TooLong { limit: self.limits.page_bytes as u64 })
            }
            Ok(Ok(page)) if page.is_empty() => {
                Err(FetchFailure::NotRendered { reason: "it has shown nothing".to_owned() })
            }
            Ok(page) => page.map_err(failed),
            Err(_) => Err(FetchFailure::Slow { seconds: self.limits.page_time.as_secs() }),
        }
    }
}

/// Reads what Chromium prints, up to one byte more than `limit`.
async fn read(child: &mut Child, limit: usize) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    if let Some(output) = &mut child.stdout {
        output.take(limit as u64 + 1).read_to_end(&mut page).await?;
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::io::AsyncWriteExt;
    use tokio::net::TcpListener;

    /// Serves pages by their paths, and counts what is asked for.
    async fn serve(pages: HashMap<&'static str, String>) -> (u16, Arc<Mutex<Vec<String>>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (port, log) = (listener.local_addr().unwrap().port(), Arc::<Mutex<Vec<String>>>::default());
        let asked = Arc::clone(&log);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut head = vec![0; 4096];
                let length = stream.read(&mut head).await.unwrap_or_default();
                let head = String::from_utf8_lossy(&head[..length]).into_owned();
                let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
                asked.lock().unwrap().push(path.clone());
                let body = pages.get(path.as_str()).cloned().unwrap_or_default();
                let answer = format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nAccess-Control-Allow-Origin: *\r\n\r\n{body}",
                    body.len()
                );
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        (port, log)
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn scripts_make_the_text_of_a_page_and_reach_no_other_private_address() {
        let (secret, secret_log) = serve(HashMap::from([("/secret", "secret".to_owned())])).await;
        // The second part of the loopback network is not the host that was typed.
        let script = format!(
            "<body><p id=t></p><script>\
             setTimeout(() => t.textContent += 'made by a timer ', 3000);\
             fetch('/data').then(r => r.text()).then(x => t.textContent += x);\
             for (const host of ['127.0.0.2', 'localhost', '[::1]']) fetch(`http://${{host}}:{secret}/secret`).then(r => r.text()).then(x => t.textContent += x);\
             </script>"
        );
        let (port, log) = serve(HashMap::from([("/", script), ("/data", "fetched é ".to_owned())])).await;
        let url = Url::parse(&format!("http://127.0.0.1:{port}/")).unwrap();
        let limits = FetchLimits { page_time: Duration::from_secs(60), ..FetchLimits::default() };
        let Some(renderer) = Renderer::start(TypedServer::of(&url), limits).await.unwrap() else {
            println!("skipped: there is no Chromium, so that no page was rendered");
            return;
        };
        let page = String::from_utf8(renderer.render(&url).await.unwrap()).unwrap();
        assert!(page.contains("made by a timer") && page.contains("fetched é"), "{page}");
        assert!(!page.contains(">secret") && secret_log.lock().unwrap().is_empty(), "{page}");
        assert!(log.lock().unwrap().contains(&"/data".to_owned()));
    }
}
