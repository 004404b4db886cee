//! Options that would have no effect are refused.

use super::arguments::SimilarityArgs;
use super::values::{MeasureArg, MethodArg, TokensArg, VerifyArg, WeightsArg};
use crate::args::usage::Usage;
use lookalike::Tokens;

const VERIFY: &str = "--verify; without it only the distance of fingerprints decides";

impl SimilarityArgs {
    /// Refuses `--method` and `--weights` for `tune`, which tries all methods and compares sets.
    pub(crate) fn refuse_untunable(&self) -> Result<(), Usage> {
        match (self.method, self.weights) {
            (None | Some(MethodArg::Auto), None) => Ok(()),
            (None | Some(MethodArg::Auto), Some(_)) => {
                Err(Usage("tune compares sets of shingles; leave out --weights".to_owned()))
            }
            _ => Err(Usage("tune compares all methods; leave out --method".to_owned())),
        }
    }

    /// Refuses an option that would change nothing, because the user expects something from it.
    pub(super) fn refuse_options_without_effect(&self) -> Result<(), Usage> {
        let simhash = matches!(self.method, Some(MethodArg::Simhash));
        let (is_exact, estimates) =
            (self.verify == Some(VerifyArg::Exact), self.verify == Some(VerifyArg::Estimate));
        let minhash = !simhash && !matches!(self.method, Some(MethodArg::Exact));
        let cosine = matches!(self.measure, Some(MeasureArg::Cosine));
        let (bands, weighs) = (minhash || self.shows_all, simhash || cosine || self.shows_all);
        let weights = |kind: fn(&WeightsArg) -> bool| self.weights.as_ref().is_some_and(kind);
        let effects = [
            ("--hamming", self.hamming.is_some(), simhash, "--method simhash"),
            ("--verify=estimate", estimates, minhash, "--method minhash"),
            ("--bits", self.bits.is_some(), simhash, "--method simhash"),
            ("--tie", self.tie.is_some(), simhash, "--method simhash"),
            ("--feature-hash", self.feature_hash.is_some(), simhash, "--method simhash"),
            ("--weights", self.weights.is_some(), weighs, "--method simhash or --measure cosine"),
            ("--threshold", self.threshold.is_some(), !simhash || is_exact, VERIFY),
            ("--measure", self.measure.is_some(), !simhash || is_exact, VERIFY),
            (
                "--stop-words",
                !self.stop_words.is_empty(),
                !matches!(self.tokens, Some(TokensArg::Chars)),
                "--tokens words, whitespace or jieba",
            ),
            (
                "--jieba-dict",
                self.jieba_dict.is_some(),
                self.tokens.is_some_and(|tokens| Tokens::from(tokens).name() == "jieba"),
                "--tokens jieba",
            ),
            (
                "--fold",
                !self.fold.is_empty(),
                !matches!(self.tokens, Some(TokensArg::Whitespace)),
                "--tokens words, chars or jieba",
            ),
            ("--recall", self.recall.is_some(), bands, "--method minhash"),
            ("--num-perm", self.num_perm.is_some(), bands, "--method minhash"),
            ("--bands", self.bands.is_some(), bands, "--method minhash"),
            ("--rows", self.rows.is_some(), bands, "--method minhash"),
            ("--scheme", self.scheme.is_some(), bands, "--method minhash"),
            (
                "--frequencies",
                self.frequencies.is_some(),
                weights(|weights| matches!(weights, WeightsArg::TfIdf)) || self.drop_frequent.is_some(),
                "--weights tf-idf or --drop-frequent",
            ),
            (
                "--levels",
                self.levels.is_some(),
                weights(|weights| matches!(weights, WeightsArg::Levels)),
                "--weights levels",
            ),
        ];
        if self.drop_frequent.is_some() && weights(|weights| matches!(weights, WeightsArg::TfIdf)) {
            let message = "--weights tf-idf weighs frequent shingles down already; leave out --drop-frequent";
            return Err(Usage(message.to_owned()));
        }
        match effects.into_iter().find(|&(_, given, takes_effect, _)| given && !takes_effect) {
            Some((option, _, _, with)) => Err(Usage(format!("{option} needs {with}"))),
            None if weights(|weights| matches!(weights, WeightsArg::Levels)) && self.levels.is_none() => {
                Err(Usage("--weights levels needs --levels FILE".to_owned()))
            }
            None => Ok(()),
        }
    }
}
