//! `dedup`, step by step: sketch, group, read again, verify, decide, write.
//!
//! # What is known where
//!
//! Five values hand the run on. Each has the ones before it, or what it needs of them.
//!
//! | value | known then |
//! |---|---|
//! | `Scanned` | The request and the inputs, and after scan 1 the documents: sketches, places, ids |
//! | `Sketched` | Which documents are copies, the weights of features, and the memory budget |
//! | `Evidence` | What was removed for containment, and the features of the candidates |
//! | `VerifiedDocuments` | The pairs, the clusters and the decisions, with reasons and recall. It needs no features |
//! | `OutputContext` | The decisions, their reasons, and the names of documents, for the outputs |
//!
//! # Details of the steps
//!
//! **Resolve.** Files of `--against` come first, so their documents have the first numbers. Writers, and the scans for
//! them, start after these files.
//!
//! **Scan 1.** A worker takes chunks of about 1 MiB. A *feature* is the hash of a shingle. Memory keeps band keys,
//! eight bits of each signature value, content hash and place. Features are kept too, up to `Request::features_bytes`,
//! for chunks that had to be decoded. Plain lines are read again as fast, with a third of the memory.
//!
//! **Number.** With `--against-containment`, the other files' documents now go into an inverted index. All inputs are
//! read once more and looked up in it. A document is removed if it contains one of the indexed documents, or is
//! contained in one (`contained`).
//!
//! **Search.** A search works through *buckets* in rounds (`PairSearch` calls them blocks). A bucket has the documents
//! that share a band key, or two groups of equal fingerprints. The rest of the path does not know which of the two it
//! has. A document is a candidate if it shares a bucket with a document that it may be similar to. In a bucket of more
//! than 256 documents, all are candidates. Such buckets connect *families* of documents. Families are joined by their
//! features in the first rounds, and later rounds skip their pairs.
//!
//! Exact search has no sketches. Scan 1 keeps the features of all documents. Documents with too many features that no
//! other document has are left out. The search itself follows scan 2.
//!
//! **Scan 2.** There is no second scan if scan 1 kept the features of all candidates. A text that was exchanged since
//! scan 1 is found by its content hash, and stops the run.
//!
//! **Verify.** Links unite clusters, round after round, and copies join their originals. SimHash without `--verify`
//! and estimates compare nothing, because sketches decide. They need no second scan. For `pairs`, all candidates are compared.
//! For `--cluster star`, each document is then compared with the centres that links connect it with, in the order that
//! the keep policy prefers. With `--only-against` only documents of `--against` are centres, and they come first. So they take each document
//! that is similar to one of them, and no chain of other documents removes one.
//!
//! **Decide.** The keep policy chooses one document of each cluster, the first few, or none. A document of `--against`
//! is chosen before all others. All documents of `--against` stay, and each is the centre of a star. A document that
//! was removed for containment joins the cluster of the document it was removed for, and no other document is removed
//! in its favour. `--min-containment` chooses again among the documents that the kept one does not contain.
//!
//! **Explain.** The comparison is skipped if the two are a pair of step 7 and no list needs more than its similarity.
//! If a removed document is below the threshold, its cluster is reported as loose. `--removed` adds a scan: removed
//! documents that are not wholly contained are read again, one at a time. Words that are in no shingle of the kept
//! document are listed (`uncovered`).
//!
//! **Publish.** The summary and the report are outputs too, and must be complete before any output gets its name.
//!
//! **With an index** there is a step between 4 and 5. The run looks up the first 36 bits of each new band key, or near
//! fingerprints. Documents that match are taken out of the index, with the first document of each of their clusters.
//! From then on all band keys of the run are made of these 36 bits (`key`). The indexed documents get the first
//! numbers, as documents of `--against` do. Scan 2 makes their features from the texts in the index. Clusters of the
//! index are united before the first round, and two indexed documents are never compared. With `--update` the new
//! documents are read once more before step 10, and are written with their texts behind the log of the index. The
//! manifest that names them gets its name last, in step 11.

mod compared;
pub(crate) mod explain;
mod recall;
mod steps;

use self::compared::VerifiedDocuments;
use crate::error::Error;
use crate::files::RunCommand;
use crate::outputs;
use crate::outputs::unpublished::{Unpublished, ended, start};
use crate::request::Dedup;
use lookalike_corpus::{AgainstFields, Fields, InputFile, Inputs};
use lookalike_engine::clock::Clock;
use lookalike_engine::documents::DocumentNames;
use lookalike_engine::documents::Scanned;
use lookalike_engine::features::frequent::FrequentSummary;
use lookalike_engine::features::weights;
use lookalike_engine::index::{Index, Update, check_new};
use lookalike_engine::progress::Monitor;
use lookalike_engine::request::Keep;
use lookalike_engine::search::MarkedSearch;
use lookalike_engine::search::Sketched;
use lookalike_engine::threads::in_pool;
use lookalike_engine::work::{RunContext, Work};
use lookalike_report::ReturnedDecisions;
use lookalike_report::{DedupSummary, EffortSummary, IdsSummary, ReadSummary, ScanSummary, searched_plan};
use std::sync::Arc;

/// Notes that the records of a collection (WACZ) are written without what it has beside them.
fn note_collections(inputs: &Inputs, monitor: &Monitor) {
    let is_collection = |file: &&InputFile| file.path.extension().is_some_and(|name| name == "wacz");
    let Some(first) = inputs.files()[inputs.against()..].iter().find(is_collection) else { return };
    let path = first.path.display();
    monitor.note(&format!(
        "{path}: kept records are written as WARC. The index and the list of pages of a WACZ have the removed records too; \
         wacz create makes a new WACZ of the output"
    ));
}

impl Dedup {
    /// Compares with the documents of `index`, whose document frequencies weigh features.
    pub fn compare_with(&mut self, index: Arc<Index>) {
        self.job.request.frequencies = index.made_with().frequencies;
        self.against.index = Some(index);
    }

    /// Runs the job.
    ///
    /// # Errors
    /// [`Error`]; the job then leaves no output.
    pub fn run(&self, monitor: &Monitor) -> Result<Unpublished<DedupSummary>, Error> {
        in_pool(self.job.threads, || self.run_here(monitor))
    }

    fn run_here(&self, monitor: &Monitor) -> Result<Unpublished<DedupSummary>, Error> {
        if self.min_containment.is_some() && !self.job.request.plan.verifies() {
            return Err(Error::NoContainment);
        }
        if self.min_containment.is_some() && self.keep == Keep::None {
            return Err(Error::NothingKept);
        }
        self.against.check(&self.job.request.plan)?;
        self.against.check_index(self)?;
        let mut inputs = self.job.limit(self.against.resolve(&self.job, monitor)?);
        if self.output.is_some() {
            inputs.read_whole_rows();
        }
        if let Some(index) = self.against.growing_index() {
            check_new(index, &inputs)?;
        }
        self.job.check_named_fields(&inputs, monitor);
        let fields = self.fields();
        let outputs = outputs::DedupOutputs::create(self, &inputs, &fields)?;
        if self.output.is_some() {
            note_collections(&inputs, monitor);
        }
        let report = start(self.report.as_ref(), &monitor.waiting())?;
        let mut clock = Clock::start();
        let without = self.job.leaving_out_frequent(&inputs, &mut clock, monitor)?;
        let (without, frequent) =
            without.map(|(job, frequent)| (Dedup { job, ..self.clone() }, frequent)).unzip();
        let run = without.as_ref().unwrap_or(self);
        let work = Work::new(&run.run_context(&inputs)?, monitor)?;
        match run.run_with(&inputs, outputs, frequent, &work, clock, monitor) {
            Ok(done) => Ok(done.with_report(report).with_work(work)),
            Err(error) => Err(ended(Some(work), error, monitor)),
        }
    }

    /// The fields that are read of each document.
    fn fields(&self) -> Fields {
        let id = self.names_ids().then(|| self.job.id_field.clone());
        Fields { id, number: self.keep.field(), ..self.job.fields() }
    }

    /// Everything that the data on disk depends on.
    fn run_context<'a>(&'a self, inputs: &'a Inputs) -> Result<RunContext<'a>, Error> {
        let index = self.against.index.as_deref();
        let AgainstFields { text, id } = &self.against.fields;
        let text = text.as_ref().unwrap_or(&self.job.request.text_fields);
        let id = id.as_ref().unwrap_or(&self.job.id_field);
        let settings = vec![
            ("--keep", self.keep.ranks_by().to_owned()),
            ("clusters", self.clustering.name().to_owned()),
            ("ids", self.names_ids().to_string()),
            ("files of --against", inputs.against().to_string()),
            ("text field of --against", text.to_string()),
            ("id field of --against", id.clone()),
            ("index of --against", index.map_or_else(|| "none".to_owned(), Index::describe)),
        ];
        let arguments = self.against.inputs.iter().chain(&self.job.inputs).map(String::as_str).collect();
        let output = self.output.as_deref().or(self.removed.as_deref()).or(index.map(Index::folder));
        self.job.run_context(&RunCommand { verb: "dedup", arguments, output }, inputs, settings)
    }

    /// Are ids needed?
    fn names_ids(&self) -> bool {
        let lists = self.annotate || self.removed.is_some() || self.clusters.is_some();
        let returned = self.returned.is_some_and(|details| details.ids);
        lists || returned || self.against.index.is_some()
    }

    fn run_with(
        &self,
        inputs: &Inputs,
        outputs: outputs::DedupOutputs<'_>,
        frequent_shingles: Option<FrequentSummary>,
        work: &Work,
        mut clock: Clock,
        monitor: &Monitor,
    ) -> Result<Unpublished<DedupSummary>, Error> {
        let (job, fields) = (&self.job, &self.fields());
        let summary_files = job.start_summary(monitor)?;
        let weights = weights(&job.request, inputs, &mut clock, monitor)?;
        let mut documents = self.sketch(inputs, fields, &weights, work, monitor, &mut clock)?;
        let without_number = self.without_number(&documents);
        let kept = std::mem::take(&mut documents.kept);
        let originals = documents.sketches.originals(work.budget.parts(documents.len()));
        let scanned = Scanned { request: &job.request, inputs, documents: &documents, monitor };
        let sketched = Sketched { scanned, originals: &originals, weights: &weights, work };
        let contained = self.contained(sketched, &mut clock)?;
        let marked = MarkedSearch::new(sketched, kept, &mut clock)?;
        let compared = self.compare(marked, sketched, &contained, &mut clock)?;
        let VerifiedDocuments { choice, decided, monitoring, reasons, uncovered_text, recall, findings } =
            compared;
        let update = self.update(sketched, &decided, &mut clock)?;
        let names = DocumentNames { inputs, documents: &documents };
        let context = decided.context(&names, &reasons, &uncovered_text);
        let outputs = outputs.write(fields, &context, monitor)?;
        clock.lap("write");
        let ids = ReturnedDecisions::ids(&context, self.returned.unwrap_or_default());

        let (effort, method) = (EffortSummary::finish_search(clock, work), choice.method);
        let mut summary = DedupSummary {
            read: ReadSummary::of_sketched(inputs, &documents),
            scan: ScanSummary::new(&documents),
            ids: IdsSummary::new(&names, &job.id_field),
            without_number,
            against: self.against.summary(&documents, &decided.decisions, &contained),
            indexed: update.as_ref().map(Update::documents),
            frequent_shingles,
            found: decided.found(monitoring.timed(effort.seconds.get("verify").copied())),
            removal: self.removal(&decided, &names, &reasons),
            recall,
            effort,
            spilled: work.folder().is_some(),
            within: job.request.within.clone(),
            plan: searched_plan(&job.request.plan, choice, &weights),
            findings,
            decisions: None,
        };
        if self.returned.is_some() {
            summary.decisions = Some(ReturnedDecisions {
                documents: documents.len() as u32,
                first_new: documents.first_new,
                skipped: documents.skipped_places.clone(),
                digest: documents.sketches.digest(documents.len() as u32),
                ids,
                decisions: decided.decisions.into(),
                links: decided.pairs.into(),
                method,
                reasons: reasons.into(),
                uncovered_text: uncovered_text.into(),
            });
        }
        Ok(Unpublished::of_summary(summary, outputs, summary_files)?.with_update(update))
    }
}
