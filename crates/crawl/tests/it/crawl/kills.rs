//! A crawl that is killed at any moment goes on as if it had not been.

use super::order::answer;
use super::server::{Reply, Site, stored};
use lookalike_crawl::{CrawlMonitor, crawl};
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Numbers that look random, the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % end
    }
}

/// Copies the journal of a crawl while a request is in flight: this is what a kill leaves behind.
#[derive(Default)]
struct Kill {
    journal: PathBuf,
    /// The requests before the kill.
    left: u64,
    copy: Option<Vec<u8>>,
}

impl Kill {
    fn count(&mut self) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 && self.copy.is_none() {
            self.copy = fs::read(&self.journal).ok();
        }
    }
}

#[test]
fn twenty_kills_at_random_requests_change_nothing() {
    let kill = Arc::new(Mutex::new(Kill::default()));
    let (killing, random) = (kill.clone(), Mutex::new(Random(7)));
    let site = Site::new(move |path| -> Reply {
        killing.lock().unwrap().count();
        answer(path).after(Duration::from_micros(random.lock().unwrap().below(1500)))
    });
    let mut settings = site.settings();
    settings.sitemaps = true;
    settings.traps.values = 9;
    let whole = tempfile::tempdir().unwrap();
    crawl(&settings, whole.path(), &CrawlMonitor::default()).unwrap();
    let expected = stored(whole.path());
    let (mut random, mut left_behind, mut resumed) = (Random(26), None::<Vec<u8>>, 0);
    for number in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("crawl.journal");
        if let Some(mut bytes) = left_behind.take() {
            // The last write may have been torn.
            bytes.truncate(bytes.len() - (random.below(90) as usize).min(bytes.len()));
            fs::write(&journal, bytes).unwrap();
            resumed += 1;
        }
        *kill.lock().unwrap() = Kill { journal, left: 1 + random.below(90), copy: None };
        settings.connections = 1 + random.below(8) as usize;
        crawl(&settings, folder.path(), &CrawlMonitor::default()).unwrap();
        assert!(stored(folder.path()) == expected, "kill {number}");
        left_behind = kill.lock().unwrap().copy.take();
    }
    assert!(resumed > 10, "{resumed}");
}
