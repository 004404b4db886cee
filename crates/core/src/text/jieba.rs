//! Chinese words by jieba's dictionary.

use super::jieba_words::{JiebaWords, is_han};
use crate::simd::{FRONT, Spans};
use jieba_rs::Jieba;
use std::sync::LazyLock;

/// Loaded on first use, which takes 75 ms and 25 MB.
static DICTIONARY: LazyLock<Jieba> = LazyLock::new(Jieba::new);

/// Cuts each run of Han characters in the words of a text by the dictionary, to which the `added` words belong.
///
/// The dictionary gets runs of Han characters only, as it would cut other scripts into single letters. Its model of
/// unknown words is off. The result then depends on the dictionary alone.
pub(super) fn split_han(spans: &mut Spans, added: Option<&JiebaWords>) {
    let dictionary = added.map_or_else(|| &*DICTIONARY, JiebaWords::dictionary);
    let mut words = String::new();
    // Start of each word or run of Han characters, and whether it is such a run.
    let (mut starts, mut previous) = (Vec::new(), None);
    let (bytes, from, to) = spans.view();
    for (&start, &end) in from.iter().zip(to) {
        let word = &bytes[start as usize..end as usize];
        let Ok(word) = std::str::from_utf8(word) else { continue };
        // A character with a mark is in no dictionary.
        let han = word.chars().all(is_han);
        if !(han && previous == Some(start)) {
            starts.push((words.len(), han));
        }
        previous = han.then_some(end);
        words.push_str(word);
    }
    spans.clear(words.len());
    let mut at = FRONT;
    for (index, &(start, han)) in starts.iter().enumerate() {
        let word = &words[start..starts.get(index + 1).map_or(words.len(), |next| next.0)];
        if han {
            dictionary.cut(word, false).iter().for_each(|token| at = spans.push(at, token.word));
        } else {
            at = spans.push(at, word);
        }
    }
}

impl JiebaWords {
    /// The dictionary with these words. A word without a frequency gets the least one by which it is cut as one word.
    fn dictionary(&self) -> &Jieba {
        self.dictionary.get_or_init(|| {
            let mut dictionary = Jieba::new();
            for (word, frequency) in self.words() {
                dictionary.add_word(word, frequency, None);
            }
            dictionary
        })
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
    fn chinese_words_come_from_the_dictionary() {
        assert_eq!(words("我来到北京清华大学"), ["我", "来到", "北京", "清华大学"]);
        assert_eq!(words("我们中出了一个叛徒"), ["我们", "中", "出", "了", "一个", "叛徒"]);
        assert_eq!(words("我来\u{ad}到北\u{200b}京"), ["我", "来到", "北京"]);
    }

    #[test]
    fn words_of_other_scripts_are_cut_as_without_jieba() {
        assert_eq!(words("ＡＢＣ网球拍卖会，def！ Привет"), ["abc", "网球", "拍卖会", "def", "привет"]);
        assert_eq!(words("ab12北京 カナ"), ["ab12", "北京", "カ", "ナ"]);
        assert_eq!(words("！！"), ["!!"]);
        assert!(words(" \n").is_empty());
    }

    #[test]
    fn words_of_ones_own_are_cut_as_one_word_and_belong_to_the_plan() {
        let plan = |words: &[&str]| {
            let jieba_dict = Some(words.iter().map(|&word| word.to_owned()).collect());
            Options { tokens: Some(Tokens::Jieba), jieba_dict, ..Options::default() }.plan()
        };
        let words = |plan: &crate::Plan| -> Vec<String> {
            Sketcher::new(plan).tokens("记者直击北京新机场").map(str::to_owned).collect()
        };
        let (without, with) = (plan(&[]).unwrap(), plan(&["直击 5 v", "新机场", "卡拉OK", ""]).unwrap());
        assert_eq!(words(&without), ["记者", "直", "击", "北京", "新", "机场"]);
        assert_eq!(words(&with), ["记者", "直击", "北京", "新机场"]);
        assert_eq!(with.jieba_words().unwrap().lines(), ["直击 5", "新机场"], "others have letters");
        assert_eq!(plan(&["卡拉OK"]).unwrap(), without);
        assert_ne!(with.feature_id(), without.feature_id());
        #[cfg(feature = "serde")]
        {
            let stored = serde_json::to_string(&with).unwrap();
            let read: crate::Plan = serde_json::from_str(&stored).unwrap();
            assert_eq!((&read, words(&read)), (&with, words(&with)));
        }
        for line in ["直击 5x", "直击 5 v 6", "直击 -1"] {
            assert!(plan(&[line]).unwrap_err().to_string().contains(line), "{line}");
        }
        let words = Some(vec!["直击".to_owned()]);
        assert!(Options { jieba_dict: words, ..Options::default() }.plan().is_err());
    }
}
