//! Serves the files of a folder on loopback, so that a crawl can be measured: `serve_folder FOLDER [PORT]`.

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const TYPES: [(&str, &str); 8] = [
    ("html", "text/html"),
    ("htm", "text/html"),
    ("css", "text/css"),
    ("js", "text/javascript"),
    ("xml", "text/xml"),
    ("txt", "text/plain"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
];

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| ".".to_owned()));
    let port = arguments.next().and_then(|port| port.parse().ok()).unwrap_or(8000);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    println!("http://{}/", listener.local_addr()?);
    axum::serve(listener, Router::new().fallback(file).with_state(Arc::new(folder))).await
}

async fn file(State(folder): State<Arc<PathBuf>>, uri: Uri) -> Response {
    let path = percent_decoded(uri.path());
    let inside = !path.split('/').any(|segment| segment == "..");
    let file = folder.join(path.trim_start_matches('/'));
    if inside && file.is_dir() {
        if !path.ends_with('/') {
            let target = format!("{}/", uri.path());
            return (StatusCode::MOVED_PERMANENTLY, [(header::LOCATION, target)]).into_response();
        }
        return content(&file.join("index.html"));
    }
    if inside { content(&file) } else { StatusCode::NOT_FOUND.into_response() }
}

fn content(file: &Path) -> Response {
    let Ok(bytes) = std::fs::read(file) else { return StatusCode::NOT_FOUND.into_response() };
    let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let known = TYPES.iter().find(|(name, _)| name.eq_ignore_ascii_case(extension));
    let content_type = known.map_or("application/octet-stream", |(_, content_type)| content_type);
    ([(header::CONTENT_TYPE, content_type)], bytes).into_response()
}

fn percent_decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        let digits = behind.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| byte == b'%') {
            Some(decoded) => {
                bytes.push(decoded);
                rest = &behind[2..];
            }
            None => {
                bytes.push(byte);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
