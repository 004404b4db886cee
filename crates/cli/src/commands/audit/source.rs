//! The source of an audit: a site, a folder of files, or an archive.

use crate::args::{SiteAuditArgs, Usage};
use lookalike_corpus::WILDCARDS;
use lookalike_crawl::{
    CrawlCounts, CrawlMonitor, CrawlSettings, Crawled, Error, Patterns, crawl, forget_crawl, read_archives,
    read_folder,
};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use url::Url;

/// The source of an audit.
pub(super) enum AuditSource {
    Site(Box<CrawlSettings>),
    Folder(PathBuf),
    /// A WARC file, or a pattern of several.
    Archives(PathBuf),
}

impl AuditSource {
    pub(super) fn of(arguments: &SiteAuditArgs) -> anyhow::Result<Self> {
        let source = &arguments.source;
        let path = Path::new(source);
        if source.contains("://") {
            let start = Url::parse(source).map_err(|error| Usage(format!("{source}: {error}")))?;
            return Ok(AuditSource::Site(Box::new(crawl_settings(arguments, start)?)));
        }
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => Ok(AuditSource::Folder(path.to_owned())),
            // A page of its own has nothing to be compared with.
            Ok(_) if is_page(path) => {
                Err(Usage(format!("{source}: this is one page; give the folder that it is in")).into())
            }
            Ok(_) => Ok(AuditSource::Archives(path.to_owned())),
            Err(error) if error.kind() == ErrorKind::NotFound && source.contains(WILDCARDS) => {
                Ok(AuditSource::Archives(path.to_owned()))
            }
            // No path of a file can be an address.
            Err(error) if error.kind() == ErrorKind::NotFound && source.starts_with(['/', '.', '~']) => {
                Err(Usage(format!("{source}: no such file or folder")).into())
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Err(Usage(format!(
                "{source}: there is no such file or folder; for a site, give its start page, such as https://{source}"
            ))
            .into()),
            Err(error) => Err(Usage(format!("{source}: {error}")).into()),
        }
    }

    /// Whether a stored crawl is of this source. A folder may have been moved or made anew, so each is every other.
    pub(super) fn is(&self, crawled: &Crawled) -> bool {
        match self {
            AuditSource::Site(settings) => crawled.source() == settings.source().as_str(),
            AuditSource::Folder(_) | AuditSource::Archives(_) => crawled.is_given(),
        }
    }

    /// The source as it is shown. It has no password.
    pub(super) fn shown(&self) -> String {
        match self {
            AuditSource::Site(settings) => settings.source().into(),
            AuditSource::Folder(path) | AuditSource::Archives(path) => path.display().to_string(),
        }
    }

    /// Removes an earlier crawl, so that all is fetched again.
    pub(super) fn forget(&self, state: &Path) -> Result<(), Error> {
        match self {
            AuditSource::Site(settings) => forget_crawl(settings, state),
            // They are read anew each time.
            AuditSource::Folder(_) | AuditSource::Archives(_) => Ok(()),
        }
    }

    /// The folder of a source whose state has no other place.
    pub(super) fn default_state(&self) -> PathBuf {
        let name = match self {
            AuditSource::Site(settings) => {
                let host =
                    settings.start.host_str().unwrap_or("site").trim_matches(['[', ']']).replace(':', ".");
                host + &settings.start.port().map_or_else(String::new, |port| format!(".{port}"))
            }
            AuditSource::Folder(path) | AuditSource::Archives(path) => {
                let whole = path.canonicalize().unwrap_or_else(|_| path.clone());
                whole
                    .file_name()
                    .map_or_else(|| "site".to_owned(), |name| name.to_string_lossy().replace(WILDCARDS, "_"))
            }
        };
        format!("{name}.audit").into()
    }

    /// Reads all pages, without files that the audit writes, and stores them in `state`.
    pub(super) fn read(
        &self,
        state: &Path,
        outputs: &[PathBuf],
        monitor: &CrawlMonitor,
    ) -> Result<CrawlCounts, Error> {
        match self {
            AuditSource::Site(settings) => crawl(settings, state, monitor),
            AuditSource::Folder(folder) => read_folder(folder, outputs, state, monitor),
            AuditSource::Archives(files) => read_archives(std::slice::from_ref(files), state, monitor),
        }
    }
}

fn is_page(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    ["htm", "html"].iter().any(|page| page.eq_ignore_ascii_case(extension))
}

fn crawl_settings(arguments: &SiteAuditArgs, start: Url) -> anyhow::Result<CrawlSettings> {
    let patterns = |option: &str, globs: &[String]| {
        Patterns::new(globs.iter().cloned()).map_err(|error| Usage(format!("{option}: {error}")))
    };
    let defaults = CrawlSettings::new(start);
    Ok(CrawlSettings {
        extent: arguments.extent.into(),
        include: patterns("--include", &arguments.include)?,
        exclude: patterns("--exclude", &arguments.exclude)?,
        max_pages: arguments.max_pages,
        max_depth: arguments.max_depth.unwrap_or(defaults.max_depth),
        sitemaps: !arguments.no_sitemaps,
        robots: !arguments.ignore_robots,
        follow_nofollow: arguments.follow_nofollow,
        render: arguments.render,
        traps: match arguments.max_variants {
            Some(variants) => defaults.traps.clone().with_variants(variants),
            None => defaults.traps.clone(),
        },
        connections: arguments.connections,
        delay: arguments.delay.unwrap_or_default(),
        max_time: arguments.max_time,
        ..defaults
    })
}
