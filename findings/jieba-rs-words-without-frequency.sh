#!/usr/bin/env bash
# jieba-rs 0.11.0: a line of a user dictionary without a frequency makes a word of frequency 0, which is never cut. jieba 0.42.1 of Python chooses a frequency by
# which it is.
#
# A user dictionary of jieba may leave the frequency out, and most lists of words of one's own do. A reader would expect `Jieba::load_dict` to read them as jieba
# does, as its documents name the same format. `Jieba::add_word` without a frequency does. A word that the dictionary has already loses its frequency,
# and is then cut into characters: to list 北京 takes 北京 away.
#
# Seen: a guess, before `--jieba-dict` was made with `add_word`.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '直击\n北京\n' >own.txt
echo 记者直击北京新机场 >text.txt

python3 -m venv python
python/bin/pip --quiet --disable-pip-version-check install 'setuptools<81' jieba==0.42.1
cat >cut.py <<'END'
import logging
import jieba

jieba.setLogLevel(logging.ERROR)
jieba.load_userdict("own.txt")
print("/".join(jieba.cut(open("text.txt", encoding="utf-8").read().strip(), HMM=False)))
END
of_python=$(python/bin/python -W ignore cut.py)

mkdir src
printf '[package]\nname = "some-package"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\njieba-rs = "=0.11.0"\n[workspace]\n' >Cargo.toml
cat >src/main.rs <<'END'
fn main() {
    let own = std::fs::read_to_string("own.txt").unwrap();
    let text = std::fs::read_to_string("text.txt").unwrap();
    let cut = |jieba: &jieba_rs::Jieba| {
        jieba.cut(text.trim(), false).iter().map(|token| token.word).collect::<Vec<_>>().join("/")
    };
    let (mut loaded, mut added) = (jieba_rs::Jieba::new(), jieba_rs::Jieba::new());
    println!("without: {}", cut(&loaded));
    loaded.load_dict(&mut own.as_bytes()).unwrap();
    own.lines().for_each(|word| _ = added.add_word(word, None, None));
    println!("load_dict: {}\nadd_word: {}", cut(&loaded), cut(&added));
}
END
of_rust=$(cargo run --quiet --release)

echo "jieba 0.42.1, load_userdict: $of_python"
echo "jieba-rs 0.11.0, $of_rust"
[ "$of_python" = 记者/直击/北京/新/机场 ]
grep -qx 'without: 记者/直/击/北京/新/机场' <<<"$of_rust"
grep -qx 'load_dict: 记者/直/击/北/京/新/机场' <<<"$of_rust"
grep -qx 'add_word: 记者/直击/北京/新/机场' <<<"$of_rust"
