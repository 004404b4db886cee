//! Chinese words by dictionary.

use super::{FRONT, Spans};
use jieba_rs::Jieba;
use std::sync::LazyLock;

/// Loaded when it is first needed: that takes a tenth of a second, and some 100 MB.
static DICTIONARY: LazyLock<Jieba> = LazyLock::new(Jieba::new);

/// Cuts a normalised text into the words that hold an alphanumeric character.
pub(super) fn split(text: &str, spans: &mut Spans) {
    spans.clear(text.len());
    let mut at = FRONT;
    // With the model of unknown words: names stay whole.
    for word in DICTIONARY.cut(text, true) {
        if word.word.contains(|character: char| character.is_alphanumeric() || character == '_') {
            at = spans.push(at, word.word);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, Sketcher, Tokens};

    fn words(text: &str) -> Vec<String> {
        let plan = Options { tokens: Some(Tokens::Jieba), ..Options::default() }.plan().unwrap();
        Sketcher::new(&plan).tokens(text).map(str::to_owned).collect()
    }

    #[test]
    fn chinese_words_are_those_of_the_dictionary() {
        assert_eq!(words("我来到北京清华大学"), ["我", "来到", "北京", "清华大学"]);
        // 杭研 is in no dictionary.
        assert_eq!(words("他来到了网易杭研大厦"), ["他", "来到", "了", "网易", "杭研", "大厦"]);
    }

    #[test]
    fn latin_words_are_lower_case_and_punctuation_is_no_word() {
        assert_eq!(words("ＡＢＣ网球拍卖会，def！"), ["abc", "网球", "拍卖会", "def"]);
        assert_eq!(words("！！"), ["!!"]);
        assert!(words(" \n").is_empty());
    }
}
