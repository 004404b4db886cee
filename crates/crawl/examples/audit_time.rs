//! Measures the time and the memory of an audit with the default settings.
//!
//! Corpus: a folder of HTML files, read into memory before. With a second argument of `n`, the site has `n` versions of
//! each page. In each version another ending is added to every fourth word, so versions are not similar to each other.
//! There are no random numbers. Units: seconds of wall time on all processors, and MB at the peak, texts included.
//!
//! `cargo run --release -p lookalike-crawl --example audit_time -- FOLDER [VERSIONS]`

mod common;

use common::{Threads, html_files, page};
use lookalike_audit::{AuditSettings, SitePage, audit};
use std::path::Path;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("a folder of HTML files");
    let versions: u32 = arguments.next().map_or(1, |number| number.parse().expect("a number of versions"));
    let read = |(url, path): &(String, std::path::PathBuf)| {
        page(url, &std::fs::read(path).expect("the file can be read"))
    };
    let original: Vec<SitePage> = html_files(Path::new(&folder)).iter().map(read).collect();
    let pages: Vec<SitePage> =
        (0..versions).flat_map(|number| original.iter().map(move |page| version(page, number))).collect();
    drop(original);
    let before = megabytes("VmRSS:");
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let start = Instant::now();
    let audit =
        audit(&pages[..], &AuditSettings::default(), &Threads(threads)).expect("pages in memory can be read");
    let seconds = start.elapsed().as_secs_f64();
    let peak = megabytes("VmHWM:");
    let words = audit.words();
    println!("pages\twords\tpairs\tclusters\ttemplate_blocks\tseconds\tMB_before\tMB_peak\tKB_a_page");
    println!(
        "{}\t{}\t{}\t{}\t{}\t{seconds:.1}\t{before}\t{peak}\t{:.1}",
        pages.len(),
        words.all,
        audit.pairs().count(),
        audit.clusters().len(),
        audit.blocks().len(),
        (peak - before) as f64 * 1000.0 / pages.len() as f64,
    );
}

/// Another version of a page. Version 0 is the page itself.
fn version(page: &SitePage, number: u32) -> SitePage {
    let mut page = page.clone();
    if number > 0 {
        page.facts.url = page.facts.url.replacen("site/", &format!("site/v{number}/"), 1);
        for block in &mut page.blocks {
            let words = block.text.split_whitespace().enumerate();
            let words = words
                .map(|(at, word)| if at % 4 == 3 { format!("{word}v{number}") } else { word.to_owned() });
            block.text = words.collect::<Vec<_>>().join(" ");
        }
    }
    page
}

/// A figure of this process's memory, in MB.
fn megabytes(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or_default() / 1000
}
