//! The settings that a reader can change without a new crawl.

use lookalike::text::{Fold, Folds};
use lookalike_audit::{AuditSettings, BlockId, ScoreWeights};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The settings that a reader can change. Parts that are left out stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SettingsView {
    /// The share, above 0 and up to 1, that one of two pages must have in common passages.
    pub threshold: Option<f64>,
    /// The words of a shingle, from 1 to 1,000: common passages have as many or more.
    pub shingle: Option<usize>,
    /// Pages with fewer words are too short to judge.
    pub least_words: Option<u32>,
    /// Pairs with so many matched words are reported too.
    pub background: Option<u32>,
    /// What else does not count in texts, by its names.
    pub fold: Option<Vec<String>>,
    /// Words that do not count.
    pub stop_words: Option<Vec<String>>,
    /// `all`, `blocks` or `main`.
    pub content: Option<String>,
    /// The weights of the combined score.
    pub weights: Option<WeightsView>,
    /// Whether pairs of pages with little text but template are reported.
    pub template_pairs: Option<bool>,
    /// Blocks by their ids: switched on, off, or left to the audit.
    pub blocks: BTreeMap<String, Option<bool>>,
}

/// The weights of the combined score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightsView {
    /// Of the Jaccard similarity of shingles.
    pub jaccard: f64,
    /// Of the Jaccard similarity of words.
    pub word_jaccard: f64,
    /// Of the sequence ratio.
    pub sequence: f64,
}

/// Why settings are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The threshold is out of range.
    #[error("The threshold must be above 0 % and at most 100 %.")]
    Threshold,
    /// The shingle is out of range.
    #[error("A shingle must have from 1 to 1,000 words.")]
    Shingle,
    /// A fold is unknown.
    #[error("What else does not count must be among digits, accents, arabic-letters, hyphens and chinese.")]
    Fold,
    /// A stop word is several words.
    #[error("Each stop word must be one word.")]
    StopWords,
    /// The content is unknown.
    #[error("The content must be all, blocks or main.")]
    Content,
    /// A weight is negative, or all are 0.
    #[error("Weights must be 0 or more, and one of them above 0.")]
    Weights,
    /// An id has another form.
    #[error("The id of a block must have 16 hexadecimal digits.")]
    Block,
}

impl SettingsView {
    /// The view of `settings`.
    pub fn of(settings: &AuditSettings) -> Self {
        let ScoreWeights { jaccard, word_jaccard, sequence } = settings.weights;
        SettingsView {
            threshold: Some(settings.threshold),
            shingle: Some(settings.shingle),
            least_words: Some(settings.least_words),
            background: settings.background,
            fold: Some(settings.folds.iter().map(|fold| fold.name().to_owned()).collect()),
            stop_words: Some(settings.stop_words.clone()),
            content: Some(settings.content.name().to_owned()),
            weights: Some(WeightsView { jaccard, word_jaccard, sequence }),
            template_pairs: Some(settings.template_pairs),
            blocks: settings.blocks.iter().map(|(id, &on)| (id.to_string(), Some(on))).collect(),
        }
    }

    /// `settings` with these changes.
    ///
    /// # Errors
    /// [`SettingsError`] if a change is not possible. Nothing is then changed.
    pub fn applied_to(&self, settings: &AuditSettings) -> Result<AuditSettings, SettingsError> {
        let mut settings = settings.clone();
        if let Some(threshold) = self.threshold {
            settings.threshold = threshold;
            if !(threshold > 0.0 && threshold <= 1.0) {
                return Err(SettingsError::Threshold);
            }
        }
        if let Some(shingle) = self.shingle {
            settings.shingle = shingle;
            settings.plan().map_err(|_| SettingsError::Shingle)?;
        }
        if let Some(names) = &self.fold {
            let fold =
                |name: &String| Fold::ALL.into_iter().find(|(known, _)| known == name).map(|(_, fold)| fold);
            settings.folds = names.iter().map(fold).collect::<Option<Folds>>().ok_or(SettingsError::Fold)?;
        }
        if let Some(words) = &self.stop_words {
            settings.stop_words.clone_from(words);
            settings.plan().map_err(|_| SettingsError::StopWords)?;
        }
        settings.background = self.background.or(settings.background);
        if let Some(content) = &self.content {
            settings.content = content.parse().map_err(|_| SettingsError::Content)?;
        }
        if let Some(WeightsView { jaccard, word_jaccard, sequence }) = self.weights {
            let all = [jaccard, word_jaccard, sequence];
            if !all.iter().all(|weight| weight.is_finite() && *weight >= 0.0)
                || all.iter().sum::<f64>() <= 0.0
            {
                return Err(SettingsError::Weights);
            }
            settings.weights = ScoreWeights { jaccard, word_jaccard, sequence };
        }
        for (id, switched) in &self.blocks {
            let digits = id.len() == 16 && id.bytes().all(|digit| digit.is_ascii_hexdigit());
            let id: BlockId = id.parse().ok().filter(|_| digits).ok_or(SettingsError::Block)?;
            match switched {
                Some(on) => settings.blocks.insert(id, *on),
                None => settings.blocks.remove(&id),
            };
        }
        settings.least_words = self.least_words.unwrap_or(settings.least_words);
        settings.template_pairs = self.template_pairs.unwrap_or(settings.template_pairs);
        Ok(settings)
    }
}
