//! Looking at the links of visits.

use super::{Answered, CrawlRun};
use crate::crawl::frontier::NeedsRobots;
use crate::error::Error;
use crate::visit::Visit;

impl CrawlRun<'_> {
    /// Looks at the links of visits, in their order, as far as these are known.
    pub(super) fn look_at_links(&mut self) -> Result<(), Error> {
        while self.needs_robots.is_none() && self.stop.is_none() {
            // A stored crawl of many pages takes minutes.
            self.monitor.interrupt.check().map_err(|_| Error::Interrupted)?;
            // Stored visits are always looked at: a crawl of many would never go on otherwise.
            if self.is_late() && !self.stored.contains_key(&self.frontier.committed()) {
                return Ok(());
            }
            let visit = match self.head.take() {
                Some(visit) => visit,
                None => match self.next_visit()? {
                    Some(visit) => visit,
                    None => return Ok(()),
                },
            };
            if let Err(NeedsRobots(url)) = self.frontier.commit(&visit, &mut |_, _, _| {}) {
                self.head = Some(visit);
                self.needs_robots = Some(url);
            }
        }
        Ok(())
    }

    /// The first visit whose links were not looked at, if it was made.
    fn next_visit(&mut self) -> Result<Option<Box<Visit>>, Error> {
        if !self.frontier.has_open() {
            return Ok(None);
        }
        let number = self.frontier.committed();
        let place = match self.answered.remove(&number) {
            Some(Answered { visit: Some(visit), .. }) => return Ok(Some(visit)),
            Some(Answered { place, .. }) => Some(place),
            None => self.stored.get(&number).copied(),
        };
        let Some(place) = place else { return Ok(None) };
        let visit = place.visit(self.state.journal())?;
        match self.frontier.expects(&visit) {
            true => Ok(Some(Box::new(visit))),
            false => Err(Error::OtherVersion { path: self.state.journal().path().to_owned() }),
        }
    }
}
