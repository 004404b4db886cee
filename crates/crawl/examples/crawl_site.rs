//! Crawls a site, and prints what was stored: `crawl_site SOURCE STATE [CONNECTIONS]`. The source is a URL, a folder of HTML files or a WARC file.

use lookalike_crawl::{CrawlMonitor, CrawlSettings, Crawled, crawl, read_archives, read_folder};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [source, folder, ..] = &arguments[..] else { return Err("crawl_site SOURCE STATE".into()) };
    let started = Instant::now();
    let (path, state, monitor) = (Path::new(source), Path::new(folder), CrawlMonitor::default());
    let counts = if path.is_dir() {
        read_folder(path, &[], state, &monitor)?
    } else if path.is_file() {
        read_archives(&[path.to_owned()], state, &monitor)?
    } else {
        let mut settings = CrawlSettings::new(source.parse()?);
        if let Some(connections) = arguments.get(2) {
            settings.connections = connections.parse()?;
        }
        crawl(&settings, state, &monitor)?
    };
    eprintln!("{counts:?} in {:.3} s", started.elapsed().as_secs_f64());
    let started = Instant::now();
    let crawled = Crawled::open(Path::new(folder))?;
    let mut words = 0;
    for page in crawled.pages() {
        let (number, page) = page?;
        let status = page.visit.status.unwrap_or_default();
        words += page.visit.page.as_ref().map_or(0, |page| page.words);
        println!("{status}\t{:?}\t{}", crawled.depth(number), page.visit.url);
    }
    let mut reasons: BTreeMap<String, u32> = BTreeMap::new();
    crawled.skipped(&mut |skipped| *reasons.entry(skipped.refusal.to_string()).or_default() += 1)?;
    eprintln!("{words} words read again in {:.3} s; skipped: {reasons:?}", started.elapsed().as_secs_f64());
    Ok(())
}
