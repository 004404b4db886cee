//! Why a site cannot be crawled, or its state cannot be used.

use std::io;
use std::path::PathBuf;

/// Why a site cannot be crawled, or its state cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The address has no host, or a scheme that is not crawled.
    #[error("{url:?} is not the address of a site; give one such as https://example.org/")]
    NotASite {
        /// The address.
        url: String,
    },
    /// A setting differs from that of the stored crawl.
    #[error("{} has a crawl with another {name}: {stored}, not {asked}; give the same, or another folder", folder.display())]
    OtherSetting {
        /// The state folder.
        folder: PathBuf,
        /// The setting.
        name: &'static str,
        /// Its stored value.
        stored: String,
        /// Its new value.
        asked: String,
    },
    /// Another process crawls into the folder.
    #[error("{}: another process is at work in this folder", folder.display())]
    Busy {
        /// The state folder.
        folder: PathBuf,
    },
    /// The folder has files that are not of a crawl.
    #[error("{} has files that are not of a crawl, such as {name}; give an empty folder, or a new one", folder.display())]
    FolderNotEmpty {
        /// The folder.
        folder: PathBuf,
        /// A file in it.
        name: String,
    },
    /// No crawl is stored in the folder.
    #[error("{} has no crawl", folder.display())]
    NoCrawl {
        /// The folder.
        folder: PathBuf,
    },
    /// The state cannot be read or written.
    #[error(transparent)]
    Store(#[from] lookalike_store::Error),
    /// The crawl was stored by another version, which may give other numbers to URLs.
    #[error("{} has a crawl by another version of Lookalike; give another folder, or remove it", path.display())]
    OtherVersion {
        /// The journal.
        path: PathBuf,
    },
    /// An entry of the state is not what it should be.
    #[error("{}: an entry cannot be read: {what}", path.display())]
    Entry {
        /// The journal.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A file of the site cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// An archive cannot be read.
    #[error(transparent)]
    Archive(#[from] lookalike_corpus::Error),
    /// Requests cannot be sent at all.
    #[error("cannot connect to servers: {0}")]
    Client(String),
    /// Pages cannot be rendered.
    #[error("pages are rendered by Chromium, and there is none; install it, or leave out --render")]
    NoBrowser,
    /// Threads cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(io::Error),
    /// The crawl was stopped. What it has stored stays, and the same call goes on.
    #[error("interrupted; the same command goes on from here")]
    Interrupted,
}

impl Error {
    /// Whether the caller asked for what cannot be.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            Error::NotASite { .. }
                | Error::OtherSetting { .. }
                | Error::FolderNotEmpty { .. }
                | Error::NoBrowser
                | Error::NoCrawl { .. }
                | Error::OtherVersion { .. }
        )
    }
}
