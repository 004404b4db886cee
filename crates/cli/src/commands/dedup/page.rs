//! The page of a run, from its summary and findings.

use crate::report::{Verb, percent, removed_text, score};
use lookalike::Score;
use lookalike_batch::{
    AgainstSummary, ClusterExample, ClusterSizes, Dedup, Findings, Member, PairExample, Scores, Summary,
    TextExample,
};
use lookalike_engine::recall::audit::Audit;
use lookalike_engine::request::Keep;
use lookalike_engine::search::monitoring::BucketSizes;
use lookalike_engine::{PlanSummary, SearchSummary};
use lookalike_pages::{
    ClusterOfPage, CurveOfPage, Figure, Histogram, MemberOfPage, PairOfPage, RunPage, SizeClass, TextOfPage,
    count, several,
};

/// Skipped records that are shown.
const SKIPPED: usize = 10;

pub(super) fn of<'a>(
    dedup: &'a Dedup,
    summary: &'a Summary,
    findings: &'a Findings,
    dry_run: bool,
) -> RunPage<'a> {
    let plan = &summary.plan;
    let clusters =
        |examples: &'a [ClusterExample]| examples.iter().map(|example| cluster(plan, example)).collect();
    RunPage {
        inputs: &dedup.job.inputs,
        done: done(summary, &dedup.keep, dry_run),
        figures: figures(summary, findings),
        plan: plan_figures(dedup, summary),
        effort: effort(summary),
        skipped: summary
            .skipped_examples
            .iter()
            .take(SKIPPED)
            .map(|skipped| (skipped.place.as_str(), skipped.problem.as_str()))
            .collect(),
        skipped_in_all: summary.skipped,
        removed: histogram(plan, &findings.removed),
        below: findings.below_threshold,
        links: histogram(plan, &findings.links),
        curve: findings.chances.as_ref().map(|chances| CurveOfPage {
            chances: chances.curve.clone(),
            estimated: chances.estimated.clone(),
        }),
        search: search(summary),
        clusters: findings.cluster_sizes.iter().map(size_of_cluster).collect(),
        buckets: summary.monitoring.buckets.iter().map(size_of_bucket).collect(),
        closest: findings.closest.iter().map(pair).collect(),
        largest: clusters(&findings.largest),
        loosest: clusters(&findings.loosest),
    }
}

fn done(summary: &Summary, keep: &Keep, dry_run: bool) -> Vec<String> {
    let removed = match (summary.removed, dry_run) {
        (0, _) if summary.kept_for_content.unwrap_or(0) > 0 => format!(
            "Nothing was removed: {} stayed for what others do not contain.",
            several(summary.kept_for_content.unwrap_or(0), "document")
        ),
        (0, _) => "No near-duplicates were found.".to_owned(),
        (removed, _) => format!(
            "{} of {} {} ({}); there are {}.",
            count(removed),
            several(summary.documents, "document"),
            match (removed, dry_run) {
                (1, true) => "would be removed",
                (1, false) => "was removed",
                (_, true) => "would be removed",
                (_, false) => "were removed",
            },
            share(removed, summary.documents),
            several(summary.clusters, "cluster"),
        ),
    };
    let mut done = vec![removed];
    done.extend(summary.against.as_ref().map(done_against));
    let similar = score(Verb::Dedup, &summary.plan);
    let similar = similar.trim_start_matches("similar").trim();
    done.push(format!("Similar means: {similar}."));
    if *keep == Keep::None && summary.removed > 0 {
        done.push(
            "No document of a cluster is kept: each is compared with the first one of its cluster, and that with the second."
                .to_owned(),
        );
    }
    if dry_run {
        done.push("A dry run: no documents were written.".to_owned());
    }
    done
}

fn done_against(against: &AgainstSummary) -> String {
    let contained = match (against.contained, against.share) {
        (Some(contained), Some(share)) => format!(
            ", {} of these because {share} or more of the shorter of the two is in the other, however similar they are",
            count(contained)
        ),
        _ => String::new(),
    };
    format!(
        "Compared against {}, which stay where they are: {} removed for one of these{contained}.",
        several(against.documents, "other document"),
        count(against.removed)
    )
}

fn figures(summary: &Summary, findings: &Findings) -> Vec<Figure> {
    let mut figures = vec![figure(
        "Read",
        several(summary.documents, "document"),
        format!("{:.1} MB as they are stored", summary.bytes as f64 / 1e6),
    )];
    let mut some = |name, amount: u64, note: &str| {
        if amount > 0 {
            figures.push(figure(name, count(amount), note.to_owned()));
        }
    };
    some("Skipped", summary.skipped, "records that could not be read");
    some("Empty", summary.empty, "documents without features, similar to no other");
    some("Passed over", summary.ignored_files, "files whose names have an unknown extension, and pipes");
    figures.extend([
        figure(
            "Kept",
            count(summary.kept),
            format!("{} of the documents", share(summary.kept, summary.documents)),
        ),
        figure(
            "Removed",
            count(summary.removed),
            format!(
                "{} of the documents; {}",
                share(summary.removed, summary.documents),
                removed_text(summary)
            ),
        ),
    ]);
    figures.extend(removed(summary, findings));
    figures.push(figure(
        "Candidates",
        count(summary.candidates),
        match summary.plan.measure {
            Some(_) => format!(
                "pairs were looked at, {} of them compared exactly",
                count(summary.monitoring.compared)
            ),
            None => "pairs of near fingerprints were looked at".to_owned(),
        },
    ));
    figures.extend(recall(summary));
    figures.extend(summary.audit.as_ref().map(audited));
    figures
}

/// What was removed, if something was.
fn removed(summary: &Summary, findings: &Findings) -> Vec<Figure> {
    if summary.removed == 0 {
        return Vec::new();
    }
    let (same, name) = match &findings.removed {
        Scores::Similarities { same, .. } => (*same, "of similarity 1"),
        Scores::Distances(distances) => (distances.first().copied().unwrap_or(0), "of distance 0"),
    };
    let largest = format!("the largest of {}", several(summary.largest_cluster, "document"));
    vec![
        figure("Copies", count(same), format!("of the removed documents are {name} to the kept one")),
        figure(
            "By way of others",
            count(findings.below_threshold),
            "of the removed documents are beyond the limit themselves".to_owned(),
        ),
        figure("Clusters", count(summary.clusters), largest),
    ]
}

/// The recall that an audit measured.
fn audited(audit: &Audit) -> Figure {
    let measured = match (audit.recall, audit.recall_interval) {
        (Some(recall), Some([low, high])) => {
            format!("{} ({} to {})", percent(recall), percent(low), percent(high))
        }
        _ => "not measured".to_owned(),
    };
    let note = format!(
        "{} compared with all others: {} found of {}",
        several(audit.documents, "random document"),
        count(audit.found),
        several(audit.partners, "partner")
    );
    figure("Recall, measured", measured, note)
}

fn recall(summary: &Summary) -> Option<Figure> {
    let Some(recall) = summary.recall_estimate else {
        let reason = summary.recall_unknown();
        return reason.map(|reason| figure("Recall", "unknown".to_owned(), reason.to_owned()));
    };
    let note = match (&summary.plan.search, summary.recall_interval) {
        (SearchSummary::Features {}, _) => "exact search finds every pair".to_owned(),
        (_, Some([low, high])) if summary.pairs > 0 => {
            let more = if summary.clustering == Some("union") { ", or more," } else { "" };
            let (low, high) = (percent(low), percent(high));
            format!("of such pairs{more} found, as estimated from them; {low} to {high} with 95 % certainty")
        }
        _ => "of such pairs at the threshold, by the plan".to_owned(),
    };
    Some(figure("Recall", percent(recall), note))
}

/// What there is to say of the search, beside its chart.
fn search(summary: &Summary) -> String {
    let copies = match summary.clustering {
        Some("union") => {
            "Copies need no search and are not counted here; of other pairs those that connect clusters are compared."
        }
        _ => "Copies need no search and are not counted here.",
    };
    match (&summary.plan.search, summary.plan.recall_is_known, summary.plan.measure) {
        (SearchSummary::Features {}, ..) => format!(
            "Exact search: every pair at the threshold or above is found, so there is no curve. {copies}"
        ),
        (SearchSummary::Fingerprints { bits, hamming, .. }, _, None) => format!(
            "Pairs are those whose fingerprints of {bits} bits differ in {hamming} or fewer, and all of them are found; their texts are \
             not compared, so nothing is known of similarities. {copies}"
        ),
        (_, false, _) => format!(
            "Pairs are searched by other features or weights than the measure's, so there is no curve to tell what was missed. {copies}"
        ),
        (SearchSummary::Bands { bands, rows, .. }, ..) => format!(
            "A pair is found if its MinHash signatures agree in one of {bands} bands of {rows} values: the more similar, the likelier. Each \
             pair found stands for as many as its chance says: an estimate of these and of those like them that were missed. {copies}"
        ),
        (SearchSummary::Fingerprints { bits, hamming, .. }, ..) => format!(
            "A pair is found if its fingerprints of {bits} bits differ in {hamming} or fewer: the more similar, the likelier. Each pair \
             found stands for as many as its chance says: an estimate of these and of those like them that were missed. {copies}"
        ),
    }
}

fn plan_figures(dedup: &Dedup, summary: &Summary) -> Vec<Figure> {
    let plan = &summary.plan;
    let mut figures = vec![
        figure("Method", plan.method.to_owned(), plan.reason.clone().unwrap_or_default()),
        match (plan.measure, plan.threshold) {
            (Some(measure), Some(threshold)) => figure(
                "Measure",
                measure.to_owned(),
                format!("similar from {threshold} on, compared exactly"),
            ),
            _ => {
                figure("Measure", "none".to_owned(), "the distance of fingerprints decides alone".to_owned())
            }
        },
        figure(
            "Features",
            format!("{} {}", plan.shingle, plan.tokens),
            format!(
                "in a row are a shingle; {}, weights {}",
                several(plan.stop_words as u64, "stop word"),
                plan.weights
            ),
        ),
    ];
    if !summary.within.is_empty() {
        let note = "only documents with the same values are compared".to_owned();
        figures.push(figure("Within", summary.within.join(", "), note));
    }
    figures.extend(search_figure(&plan.search));
    figures.push(keep_figure(&dedup.keep));
    if let Some(clustering) = summary.clustering {
        let note = match clustering {
            "star" => "each removed document makes a pair with the kept one",
            _ => "chains of pairs hang together",
        };
        figures.push(figure("Clusters", clustering.to_owned(), note.to_owned()));
    }
    if let Some(least) = summary.min_containment {
        figures.push(figure(
            "Least containment",
            least.to_string(),
            format!(
                "of a removed document is in the kept one; {} kept for that only",
                several(summary.kept_for_content.unwrap_or(0), "document")
            ),
        ));
    }
    figures.push(figure("Seed", plan.seed.to_string(), String::new()));
    figures.push(figure("Plan", plan.id.clone(), "names the bits of sketches".to_owned()));
    figures
}

/// What the search goes by; exact search goes by nothing else than features.
fn search_figure(search: &SearchSummary) -> Option<Figure> {
    match search {
        SearchSummary::Bands { num_perm, scheme, bands, rows, recall_at_threshold, .. } => Some(figure(
            "Bands",
            format!("{bands} × {rows}"),
            match recall_at_threshold {
                Some(recall) => format!(
                    "of {num_perm} MinHash values ({scheme}); a pair at the threshold is found with a probability of {}",
                    percent(*recall)
                ),
                None => format!("of {num_perm} MinHash values ({scheme})"),
            },
        )),
        SearchSummary::Fingerprints { bits, hamming, tie, feature_hash } => Some(figure(
            "Distance",
            format!("{hamming} of {bits} bits"),
            format!("of SimHash fingerprints; ties {tie}, features by {feature_hash}"),
        )),
        SearchSummary::Features {} => None,
    }
}

/// Which document of a cluster is kept.
fn keep_figure(keep: &Keep) -> Figure {
    let which = match keep {
        Keep::First => "first".to_owned(),
        Keep::Last => "last".to_owned(),
        Keep::Longest => "longest".to_owned(),
        Keep::Max(_) => "greatest".to_owned(),
        Keep::Min(_) => "least".to_owned(),
        Keep::Count(most) => format!("first {}", count(most.get())),
        Keep::None => "none".to_owned(),
    };
    let by = match keep {
        Keep::Max(field) | Keep::Min(field) => format!("of a cluster by the field {field:?}"),
        _ => "of a cluster".to_owned(),
    };
    figure("Keep", which, by)
}

fn effort(summary: &Summary) -> Vec<Figure> {
    let total = summary.seconds.get("total").copied().unwrap_or_default();
    let stages: Vec<String> = summary
        .seconds
        .iter()
        .filter(|(stage, _)| **stage != "total")
        .map(|(stage, seconds)| format!("{stage} {seconds:.2}"))
        .collect();
    let mut effort = vec![figure("Time", format!("{total:.2} s"), stages.join(", "))];
    if let Some(speed) = summary.monitoring.compared_per_second {
        effort.push(figure("Compared", count(speed as u64), "pairs a second".to_owned()));
    }
    if let Some(bytes) = summary.peak_memory_bytes {
        effort.push(figure("Memory", format!("{:.0} MB", bytes as f64 / 1e6), "at most".to_owned()));
    }
    effort
}

/// The histogram of the page, in bins of 0.01 or of one bit.
fn histogram(plan: &PlanSummary, scores: &Scores) -> Histogram {
    match (scores, &plan.search) {
        (Scores::Similarities { bins, same }, _) => Histogram {
            measure: match plan.measure {
                Some("jaccard" | "word-jaccard") => "Jaccard similarity".to_owned(),
                Some(measure) => format!("{measure} similarity"),
                None => "similarity".to_owned(),
            },
            from: 0.0,
            width: 1.0 / bins.len() as f64,
            counts: bins.clone(),
            same: *same,
            limit: plan.threshold.unwrap_or_default(),
        },
        (Scores::Distances(distances), search) => {
            let hamming = match search {
                SearchSummary::Fingerprints { hamming, .. } => *hamming,
                _ => 0,
            };
            let same = distances.first().copied().unwrap_or(0);
            let mut counts: Vec<u64> = distances.iter().skip(1).copied().collect();
            // Room for what is similar, and for one bit more.
            counts.resize(counts.len().max(hamming as usize + 1), 0);
            Histogram {
                measure: "distance in bits".to_owned(),
                from: 1.0,
                width: 1.0,
                counts,
                same,
                limit: f64::from(hamming),
            }
        }
    }
}

fn size_of_cluster(size: &ClusterSizes) -> SizeClass {
    let &ClusterSizes { from, to, clusters, documents } = size;
    SizeClass { from, to, groups: clusters, documents }
}

fn size_of_bucket(size: &BucketSizes) -> SizeClass {
    let &BucketSizes { from, to, buckets, documents } = size;
    SizeClass { from, to, groups: buckets, documents }
}

fn cluster<'a>(plan: &PlanSummary, example: &'a ClusterExample) -> ClusterOfPage<'a> {
    let member = |member: &'a Member| MemberOfPage { id: &member.id, score: in_words(member.score) };
    ClusterOfPage {
        documents: example.documents,
        mean: match plan.measure {
            Some(_) => format!("{:.3}", example.mean),
            None => format!("{:.1} bits", example.mean),
        },
        members: example.members.iter().map(member).collect(),
        pair: pair(&example.pair),
    }
}

fn pair(example: &PairExample) -> PairOfPage<'_> {
    PairOfPage {
        cluster: example.cluster,
        texts: [text_of_page(&example.kept), text_of_page(&example.removed)],
        stays: example.stays,
        score: in_words(example.score),
        containment: example.containment.map(|containment| percent(containment.value())),
        passages: &example.passages,
    }
}

fn text_of_page(TextExample { id, text, characters }: &TextExample) -> TextOfPage<'_> {
    TextOfPage { id, text, characters: *characters }
}

fn in_words(score: Score) -> String {
    match score {
        Score::Similarity(similarity) => format!("{:.4}", similarity.value()),
        Score::Hamming(distance) => several(u64::from(distance), "bit"),
    }
}

fn figure(name: &'static str, value: String, note: String) -> Figure {
    Figure { name, value, note }
}

fn share(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / (whole as f64).max(1.0))
}
