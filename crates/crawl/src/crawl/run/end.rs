//! How a crawl ends, and what the user is told then.

use super::CrawlRun;
use crate::crawl::ask::Unwell;

impl CrawlRun<'_> {
    /// Ends the crawl, because of a server that answers nothing any more.
    pub(super) fn stop_for(&mut self, Unwell(reason): Unwell) {
        let note = || format!("{reason}; the crawl stops here, and the same command goes on later");
        self.stop.get_or_insert_with(note);
    }

    /// Tells the user why the crawl has ended before its end, and how much limits against traps have left out.
    pub(super) fn note_end(&self) {
        if let Some(reason) = &self.stop {
            self.monitor.note(reason);
        }
        if let Some((count, Some(first))) = self.renderer.as_ref().map(|renderer| renderer.failed()) {
            self.monitor.note(&format!("{count} pages could not be shown by Chromium: {first}"));
        }
        if let (urls, Some(first)) = self.frontier.trapped() {
            self.monitor.note(&format!(
                "{urls} URLs were skipped because too many others differ only in queries, dates or numbers: {first}; \
                 --max-variants changes the limits"
            ));
        }
    }
}
