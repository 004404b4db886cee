//! What does not count in texts: always, and by `--fold`.

use crate::{Folder, failed, silent};

const SAME: &str = "{\"a\":\"a\",\"b\":\"b\",\"jaccard\":1.000000}\n";

fn two(folder: &Folder, a: &str, b: &str) {
    let line = |id: &str, text: &str| serde_json::json!({ "id": id, "text": text }).to_string() + "\n";
    folder.write("in.jsonl", line("a", a) + &line("b", b));
}

#[test]
fn case_form_and_optional_writing_never_count() {
    let folder = Folder::new();
    for (a, b) in [
        ("Straße nach İstanbul", "STRASSE NACH ISTANBUL"),
        ("السَّلَامُ عَلَيْكُمْ", "الســلام عليكم"),
        ("שָׁלוֹם עוֹלָם", "שלום עולם"),
        // Canonical and compatibility variants of Korean, Vietnamese, kana and full width.
        (
            "한국어 문장",
            "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}\u{110b}\u{1165} \u{1106}\u{116e}\u{11ab}\u{110c}\u{1161}\u{11bc}",
        ),
        ("Tiếng Việt", "Tie\u{302}\u{301}ng Vie\u{323}\u{302}t"),
        ("ガギグ", "ｶﾞｷﾞｸﾞ"),
        ("ガギグ", "カ\u{3099}キ\u{3099}ク\u{3099}"),
        ("Full Width 1", "Ｆｕｌｌ　Ｗｉｄｔｈ　１"),
        ("한국어", "\u{1112}\u{1161}ᆫ국어"),
        ("가나", "가\u{1102}\u{1161}"),
        ("đường phố", "đươ\u{300}ng phô\u{301}"),
        ("パピプ", "ﾊﾟﾋﾟﾌﾟ"),
        ("fin office", "ﬁn oﬃce"),
        ("viii 3 1", "Ⅷ ³ ①"),
        ("Ångström Ω K", "\u{212b}ngstro\u{308}m \u{2126} \u{212a}"),
        ("لا اله", "ﻻ ﺍﻟﻪ"),
        ("שלום", "\u{fb2a}לו\u{5b9}ם"),
        ("क़लम", "क\u{93c}लम"),
        ("கொடு", "கெ\u{bbe}டு"),
        ("น\u{e33}", "น\u{e4d}\u{e32}"),
        ("ΐ ΰ", "ι\u{308}\u{301} υ\u{308}\u{301}"),
        ("ёлка йод", "е\u{308}лка и\u{306}од"),
        ("ǆungla", "ǅungla"),
    ] {
        two(&folder, a, b);
        assert_eq!(folder.run("pairs in.jsonl -q --shingle 1").stdout, SAME, "{a} {b}");
    }
    two(&folder, "ọkọ̀", "ọkọ́");
    assert_eq!(folder.run("pairs in.jsonl -q --shingle 1").stdout, "");
}

#[test]
fn folds_take_away_what_they_say_and_nothing_else() {
    let folder = Folder::new();
    for (fold, a, b) in [
        ("digits", "took 35 ms at 10:22", "took 1,204 ms at 9:05"),
        ("accents", "żółty café ọkọ̀", "zolty cafe oko"),
        ("arabic-letters", "یک کتاب مدرسة", "يك كتاب مدرسه"),
        ("hyphens", "an exam-\nple of a well-known word", "an example of a well-\n  known word"),
        ("chinese", "漢語說話", "汉语说话"),
        ("digits,accents", "le 3 février", "le 28 fevrier"),
    ] {
        two(&folder, a, b);
        let by =
            |options: &str| folder.run(&format!("pairs in.jsonl -q --shingle 1 -t 0.99 {options}")).stdout;
        let others = ["digits", "accents", "arabic-letters", "hyphens", "chinese"];
        for other in others.into_iter().filter(|other| !fold.split(',').any(|fold| fold == *other)) {
            // Numbers of several parts are not one number.
            assert!(by(&format!("--fold {other}")).is_empty(), "{fold} {other}");
        }
        if fold == "digits" {
            two(&folder, "took 35 ms", "took 1204 ms");
        }
        assert_eq!((by(""), by(&format!("--fold {fold}"))), (String::new(), SAME.to_owned()), "{fold}");
    }
    let refused = "error: --fold needs --tokens words, chars or jieba\n";
    assert_eq!(folder.run("pairs in.jsonl --fold digits --tokens whitespace"), failed(2, refused));
}

#[test]
fn an_index_keeps_its_folds_and_refuses_others() {
    let folder = Folder::new();
    two(&folder, "user 17 logged in from 10.0.0.1 today", "nothing of the kind was ever seen here");
    assert_eq!(folder.run("index build in.jsonl -o seen.index --fold digits -q"), silent());
    two(&folder, "user 9981 logged in from 192.168.7.44 today", "something else that is new to us all");
    let dedup = "dedup in.jsonl -o kept.jsonl --against seen.index -q";
    assert_eq!(folder.run(dedup), silent());
    assert!(
        folder.read("kept.jsonl").contains("something else") && !folder.read("kept.jsonl").contains("9981")
    );
    folder.write("words.txt", "因为");
    let ran = folder.run(&format!("{dedup} --stop-words words.txt"));
    assert!(
        ran.code == Some(2)
            && ran.stderr.contains(
                "--stop-words: 因为 is several tokens, as its script has no spaces; leave it out\n"
            ),
        "{ran:?}"
    );
    assert!(
        folder
            .run("pairs in.jsonl --fold digits")
            .stderr
            .contains("of 5-word shingles without digits, verified")
    );
    assert!(folder.run("index info seen.index").stdout.contains("tokens: words without digits;"));
    let said = "error: --fold accents differs from the index seen.index, which was made with digits; leave the option out, or make \
                another index with it\n";
    assert_eq!(folder.run(&format!("{dedup} --fold accents")), failed(2, said));
    assert_eq!(folder.run(&format!("{dedup} --fold digits")), silent());
}

#[test]
fn stop_words_that_tokens_cut_count_as_their_tokens_or_are_named() {
    let folder = Folder::new();
    folder.write("words.txt", "don't\naujourd'hui क्या");
    two(&folder, "We don't know aujourd'hui क्या", "we know");
    assert_eq!(folder.run("pairs in.jsonl -q --shingle 1 --stop-words words.txt").stdout, SAME);
    // The characters of these words are parts of many others. Our own lists are known to have them.
    folder.write("words.txt", "的 因为 自己");
    let said = "error: --stop-words: 因为, like 1 other, is several tokens, as its script has no spaces; leave it out, or use --tokens \
                jieba if it is a Chinese word of that dictionary\n";
    assert_eq!(folder.run("pairs in.jsonl --stop-words words.txt"), failed(2, said));
    two(&folder, "已经说的话", "已经说话");
    assert_eq!(folder.run("pairs in.jsonl -q --shingle 1 --stop-words zh").stdout, SAME);
}
