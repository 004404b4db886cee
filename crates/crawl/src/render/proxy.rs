//! A proxy for Chromium, on this machine. It connects to the addresses that the crawl may connect to, and to no others.

use crate::fetch::{PublicOnly, TypedServer};
use reqwest::dns::{Name, Resolve};
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use url::{Host, Url};

/// Bytes of the head of a request, at most.
const HEAD_BYTES: usize = 64 << 10;

/// Bytes of an answer, at most: more than any page needs.
const ANSWER_BYTES: u64 = 64 << 20;

/// The time for a head, and for a connection.
const PATIENCE: Duration = Duration::from_secs(30);

/// The proxy. It ends when it is dropped.
#[derive(Debug)]
pub(super) struct FilteringProxy {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl FilteringProxy {
    /// Starts it at a free port of the loopback address.
    pub(super) async fn start(typed: TypedServer) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let typed = typed.clone();
                // A client that goes away, and a server that does, are no errors of anybody.
                tokio::spawn(async move { serve(client, &typed).await });
            }
        });
        Ok(FilteringProxy { address, task })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for FilteringProxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A request: where it goes, and what the server gets of it.
struct ProxyRequest {
    url: Url,
    /// The head for the server. Nothing for a tunnel, such as that of TLS.
    head: Option<Vec<u8>>,
}

async fn serve(mut client: TcpStream, typed: &TypedServer) -> io::Result<()> {
    let (head, rest) = timeout(PATIENCE, read_head(&mut client)).await??;
    let request = request(&head);
    let server = match &request {
        Some(request) => timeout(PATIENCE, connect(typed, &request.url)).await?,
        None => Err(ErrorKind::InvalidInput.into()),
    };
    let (Some(request), Ok(mut server)) = (request, server) else {
        return client
            .write_all(b"HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            .await;
    };
    match request.head {
        None => client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?,
        Some(head) => server.write_all(&head).await?,
    }
    server.write_all(&rest).await?;
    let (mut from_client, mut to_client) = client.split();
    let (from_server, mut to_server) = server.split();
    let mut answer = from_server.take(ANSWER_BYTES);
    let up = async {
        copy(&mut from_client, &mut to_server).await?;
        to_server.shutdown().await
    };
    let down = async {
        copy(&mut answer, &mut to_client).await?;
        to_client.shutdown().await
    };
    // When the server has ended, nobody reads the rest of the client.
    tokio::select! {
        result = down => result,
        Err(error) = up => Err(error),
    }
}

/// Reads up to the empty line. Returns the head with it, and what follows.
async fn read_head(client: &mut TcpStream) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let mut head = Vec::new();
    loop {
        if let Some(end) = memchr::memmem::find(&head, b"\r\n\r\n") {
            let rest = head.split_off(end + 4);
            return Ok((head, rest));
        }
        if head.len() > HEAD_BYTES || client.read_buf(&mut head).await? == 0 {
            return Err(ErrorKind::InvalidData.into());
        }
    }
}

/// Reads a request to a proxy: `CONNECT HOST:PORT`, or a method with a whole URL.
fn request(head: &[u8]) -> Option<ProxyRequest> {
    let head = std::str::from_utf8(head).ok()?;
    let (line, fields) = head.split_once("\r\n")?;
    let mut parts = line.split(' ');
    let (method, target) = (parts.next()?, parts.next()?);
    if method == "CONNECT" {
        return Some(ProxyRequest { url: Url::parse(&format!("https://{target}/")).ok()?, head: None });
    }
    let url = Url::parse(target).ok().filter(|url| url.scheme() == "http")?;
    let query = url.query().map_or_else(String::new, |query| format!("?{query}"));
    let mut own = format!("{method} {}{query} HTTP/1.1\r\n", url.path());
    for field in fields.split("\r\n").filter(|field| !field.is_empty()) {
        let name = field.split(':').next().unwrap_or_default().to_ascii_lowercase();
        if !name.starts_with("proxy-") && name != "connection" {
            own += &format!("{field}\r\n");
        }
    }
    own += "Connection: close\r\n\r\n";
    Some(ProxyRequest { url, head: Some(own.into_bytes()) })
}

/// Connects to the host of a URL, at an address that the crawl may connect to.
async fn connect(typed: &TypedServer, url: &Url) -> io::Result<TcpStream> {
    if typed.private_address(url).is_some() {
        return Err(ErrorKind::PermissionDenied.into());
    }
    let port = url.port_or_known_default().ok_or(ErrorKind::InvalidInput)?;
    let addresses: Vec<SocketAddr> = match url.host() {
        Some(Host::Ipv4(address)) => vec![(IpAddr::V4(address), port).into()],
        Some(Host::Ipv6(address)) => vec![(IpAddr::V6(address), port).into()],
        Some(Host::Domain(name)) => {
            let name: Name = name.parse().map_err(|_| ErrorKind::InvalidInput)?;
            let found = if typed.has(url) { typed.resolve(name) } else { PublicOnly.resolve(name) };
            let found = found.await.map_err(io::Error::other)?;
            found.map(|found| SocketAddr::new(found.ip(), port)).collect()
        }
        None => Vec::new(),
    };
    TcpStream::connect(&addresses[..]).await
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_request_is_passed_on_in_the_form_for_a_server() {
        let head = b"GET http://e.org:81/a?b=c HTTP/1.1\r\nHost: e.org:81\r\nProxy-Connection: keep-alive\r\nConnection: x\r\nAccept: */*\r\n\r\n";
        let request = super::request(head).unwrap();
        assert_eq!(request.url.as_str(), "http://e.org:81/a?b=c");
        let own = "GET /a?b=c HTTP/1.1\r\nHost: e.org:81\r\nAccept: */*\r\nConnection: close\r\n\r\n";
        assert_eq!(String::from_utf8(request.head.unwrap()).unwrap(), own);
        let tunnel = super::request(b"CONNECT e.org:443 HTTP/1.1\r\n\r\n").unwrap();
        assert!(tunnel.head.is_none() && tunnel.url.as_str() == "https://e.org/");
        for head in
            ["GET /a HTTP/1.1\r\n\r\n", "GET ftp://e.org/ HTTP/1.1\r\n\r\n", "GET\r\n\r\n", "\r\n\r\n"]
        {
            assert!(super::request(head.as_bytes()).is_none(), "{head}");
        }
    }
}
