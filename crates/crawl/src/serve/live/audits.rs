//! The audits behind a page: of the crawl, and again with other settings.

use super::{AuditWork, Live};
use crate::serve::StopWhen;
use lookalike::Sequential;
use lookalike_audit::{Audit, AuditSettings};
use lookalike_report::audit::view::{AuditResults, CrawledSite, SettingsError, SettingsView};
use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

impl Live {
    /// Audits `site` on this thread, with the settings that the reader wants, and shows the results. Call it when the
    /// crawl has ended, and with the pages so far as often as you like.
    ///
    /// Returns whether there are results of `site`. An audit of another site stops this one. Changed settings begin it again.
    ///
    /// # Errors
    /// The sentence of the auditor. The old results are then shown further on.
    pub fn audit(&self, site: Arc<dyn CrawledSite>) -> Result<bool, String> {
        self.change(|state, _| state.site = Some(Arc::clone(&site)));
        loop {
            if self.audit_again()? {
                return Ok(true);
            }
            let is_newest = self.state().site.as_ref().is_some_and(|newest| Arc::ptr_eq(newest, &site));
            if !is_newest || *self.stopping.borrow() {
                return Ok(false);
            }
        }
    }

    /// Audits the newest site once more.
    fn audit_again(&self) -> Result<bool, String> {
        let run = self.runs.fetch_add(1, Ordering::SeqCst) + 1;
        let is_old = || self.runs.load(Ordering::SeqCst) != run;
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let (site, settings, earlier) = {
            let state = self.state();
            // Pages that are still to come would be taken for removed ones.
            let earlier = state.earlier.clone().filter(|_| !state.progress.is_running);
            (state.site.clone(), state.settings.clone(), earlier)
        };
        let (Some(site), false) = (site, is_old()) else { return Ok(false) };
        self.change(|state, _| state.work = AuditWork::Running);
        let results = self.results_of(site, earlier.as_deref(), &settings, &is_old);
        self.change(|state, _| match results {
            _ if is_old() => Ok(false),
            Ok(results) => {
                state.results = Some(Arc::new(results));
                (state.version, state.work) = (state.version + 1, AuditWork::Idle);
                Ok(true)
            }
            Err(sentence) => {
                state.work = AuditWork::Failed(sentence.clone());
                Err(sentence)
            }
        })
    }

    /// The results of a site, compared with the earlier crawl.
    fn results_of(
        &self,
        site: Arc<dyn CrawledSite>,
        earlier: Option<&dyn CrawledSite>,
        settings: &AuditSettings,
        is_old: &(dyn Fn() -> bool + Sync),
    ) -> Result<AuditResults, String> {
        let audit = (self.auditor)(&*site, settings, is_old)?;
        let before = earlier.map(|earlier| (self.auditor)(earlier, settings, is_old)).transpose()?;
        let results = self.with_visits(site, audit).map_err(|error| error.to_string())?;
        Ok(match before {
            Some(before) => {
                let executor = StopWhen { executor: Sequential, is_stopped: is_old };
                results.compared_with(before, &executor).map_err(|_| "It was stopped.".to_owned())?
            }
            None => results,
        })
    }

    /// The results of an audit. What the crawl knows is only asked for if the site is another one than before.
    fn with_visits(&self, site: Arc<dyn CrawledSite>, audit: Audit) -> io::Result<AuditResults> {
        match self.results() {
            Some(results) if Arc::ptr_eq(results.site(), &site) => Ok(results.with_audit(audit)),
            _ => AuditResults::new(site, audit),
        }
    }

    /// Takes other settings, and audits with them in the background. The old results are shown until then.
    pub(in crate::serve) fn change_settings(
        self: &Arc<Self>,
        wanted: &SettingsView,
    ) -> Result<(), SettingsError> {
        self.change(|state, _| {
            state.settings = wanted.applied_to(&state.settings)?;
            // An audit by the old settings that ends now must not be shown as one by the new ones.
            self.runs.fetch_add(1, Ordering::SeqCst);
            state.work = if state.site.is_some() { AuditWork::Running } else { AuditWork::Idle };
            Ok(())
        })?;
        let live = Arc::clone(self);
        // The error is in the state.
        std::thread::spawn(move || live.audit_again());
        Ok(())
    }
}
