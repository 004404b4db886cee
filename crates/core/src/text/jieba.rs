//! Chinese words by jieba's dictionary.

use crate::simd::{FRONT, Spans};
use jieba_rs::Jieba;
use std::sync::LazyLock;

/// Loaded on first use, which takes 75 ms and 25 MB.
static DICTIONARY: LazyLock<Jieba> = LazyLock::new(Jieba::new);

/// Cuts each run of Han characters in the words of a text by the dictionary.
///
/// The dictionary gets runs of Han characters only, as it would cut other scripts into single letters. Its model of
/// unknown words is off. The result then depends on the dictionary alone.
pub(super) fn split_han(spans: &mut Spans) {
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
            DICTIONARY.cut(word, false).iter().for_each(|token| at = spans.push(at, token.word));
        } else {
            at = spans.push(at, word);
        }
    }
}

fn is_han(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
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
}
