//! Looking at the links of visits.

use super::{Answered, Done, Run};
use crate::crawl::ask::ask_robots;
use crate::crawl::frontier::NeedsRobots;
use crate::error::Error;
use crate::state::VisitPlace;
use crate::visit::Visit;
use std::collections::HashMap;

impl Run<'_> {
    /// Looks at the links of visits, in their order, as far as these are known.
    pub(super) fn look_at_links(&mut self, visits: &HashMap<u32, VisitPlace>) -> Result<(), Error> {
        while !self.asks_robots {
            let visit = match self.head.take() {
                Some(visit) => visit,
                None => match self.next_visit(visits)? {
                    Some(visit) => visit,
                    None => return Ok(()),
                },
            };
            if let Err(NeedsRobots(url)) = self.frontier.commit(&visit, &mut |_, _, _| {}) {
                self.head = Some(visit);
                self.asks_robots = true;
                self.requests += 1;
                let fetcher = self.fetcher.clone();
                self.tasks.spawn(async move { Done::Robots(ask_robots(&fetcher, &url).await) });
            }
        }
        Ok(())
    }

    /// The first visit whose links were not looked at, if it was made.
    fn next_visit(&mut self, visits: &HashMap<u32, VisitPlace>) -> Result<Option<Box<Visit>>, Error> {
        if !self.frontier.has_open() {
            return Ok(None);
        }
        let number = self.frontier.committed();
        let place = match self.answered.remove(&number) {
            Some(Answered { visit: Some(visit), .. }) => return Ok(Some(visit)),
            Some(Answered { place, .. }) => Some(place),
            None => visits.get(&number).copied(),
        };
        let Some(place) = place else { return Ok(None) };
        let visit = place.visit(self.state.journal())?;
        match self.frontier.expects(&visit) {
            true => Ok(Some(Box::new(visit))),
            false => Err(Error::OtherVersion { path: self.state.journal().path().to_owned() }),
        }
    }
}
