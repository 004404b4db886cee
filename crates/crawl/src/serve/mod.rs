//! The live page of an audit: a small server for the people at this machine.
//!
//! It is bound to a loopback address unless the caller wants another one. Requests need the token of [`Server::url`], and
//! must name this machine as their host. So no page of another site can read results or change settings.
//!
//! ```no_run
//! # use std::{net::SocketAddr, sync::Arc};
//! # use lookalike::Sequential;
//! # use lookalike_audit::{AuditSettings, audit};
//! # use lookalike_crawl::serve::{Live, Server, StopWhen};
//! # async fn run(site: Arc<dyn lookalike_report::audit::view::CrawledSite>) -> std::io::Result<()> {
//! let live = Live::new("https://a.example/", AuditSettings::default(), |site, settings, is_stopped| {
//!     audit(site, settings, &StopWhen { executor: Sequential, is_stopped }).map_err(|error| error.to_string())
//! });
//! let server = Server::bind(SocketAddr::from(([127, 0, 0, 1], 0)), Arc::clone(&live)).await?;
//! println!("{}", server.url());
//! std::thread::spawn(move || live.audit(site));
//! server.run(std::future::pending()).await
//! # }
//! ```

mod events;
mod files;
mod guard;
mod live;
mod routes;
mod stop;

pub use live::{CrawlProgress, Live, SeenPair};
pub use stop::{StopWhen, WorkStopped};

use axum::serve::{Listener, ListenerExt};
use guard::Guard;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};

/// Bytes of the token. Nobody guesses 128 bits.
const TOKEN_BYTES: usize = 16;

/// A server that is bound to an address.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    live: Arc<Live>,
    guard: Arc<Guard>,
    url: String,
}

impl Server {
    /// Binds to `address`. Port 0 is a free one.
    ///
    /// # Errors
    /// If the address cannot be used, or the system has no random bytes.
    pub async fn bind(address: SocketAddr, live: Arc<Live>) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let mut random = [0; TOKEN_BYTES];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let token: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let url = format!("http://{address}/?token={token}");
        Ok(Server { listener, live, guard: Arc::new(Guard::new(address, &token)), url })
    }

    /// The address of the page, with the token. Whoever has it can read the results and change settings.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Answers requests until `stop` is done.
    ///
    /// # Errors
    /// If the listener fails.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let live = Arc::clone(&self.live);
        let stop = async move {
            stop.await;
            // Streams of events have no end of their own.
            live.stop();
        };
        let router = routes::router(self.live, self.guard);
        axum::serve(undelayed(self.listener), router).with_graceful_shutdown(stop).await
    }
}

/// A listener whose connections send what is written to them at once: a system that waits for acknowledgements sends the second piece of an
/// answer 40 ms late.
fn undelayed(listener: TcpListener) -> impl Listener<Io = TcpStream, Addr = SocketAddr> {
    // One that has gone already fails when it is read.
    listener.tap_io(|stream| _ = stream.set_nodelay(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_accepted_connection_sends_without_delay() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (accepted, _) = undelayed(listener).accept().await;
        assert!(accepted.nodelay().unwrap());
        drop(client);
    }
}
