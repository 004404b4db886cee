//! How texts are cut into tokens, for verbs that compare tokens and no documents.

use super::SimilarityArgs;
use super::similarity::{FoldArg, TokensArg};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Tokens")]
pub(crate) struct TokenArgs {
    /// How to cut texts into tokens [default: words]
    #[arg(long)]
    tokens: Option<TokensArg>,

    /// What else does not count in texts, separated by commas [default: nothing]
    #[arg(long, value_delimiter = ',')]
    fold: Vec<FoldArg>,

    /// Words of your own for --tokens jieba: a file with a word a line, and perhaps how often it occurs, as jieba reads it
    #[arg(long, value_name = "FILE")]
    jieba_dict: Option<PathBuf>,
}

impl TokenArgs {
    /// All options of similarity, with these tokens.
    pub(crate) fn similarity(self) -> SimilarityArgs {
        SimilarityArgs::of_tokens(self.tokens, self.fold, self.jieba_dict)
    }
}
