//! Tests fingerprints against other programs: worked examples, and the values asserted by the tests of other libraries.
//!
//! Some values cannot be made from published material and are left out:
//!
//! - yanyiwu/simhash's values of whole texts, as its keywords come from a Chinese dictionary. Only the weighted hashes
//!   of one text are asserted separately.
//! - 1e0ng/simhash's value of a TF-IDF dictionary (scikit-learn's weights, of sentences), and its values of documents.

use lookalike::{
    Fingerprint, Fingerprinter, Level, Method, Options, Plan, Sketcher, Tie, Weighting, Weights,
};

/// A plan for fingerprints of 64 bits by term frequency.
fn plan(tie: Tie) -> Plan {
    let (method, weighting) = (Some(Method::SimHash), Some(Weighting::Tf));
    Options { method, weighting, tie: Some(tie), ..Options::default() }.plan().unwrap()
}

/// The fingerprint of features with weights. All levels must agree.
fn weighted(tie: Tie, features: &[u64], weights: &[u32]) -> Fingerprint {
    let plan = plan(tie);
    let of = |level| Fingerprinter::with_level(&plan, &Weights::Tf, level).weighted(features, weights);
    let all: Vec<Fingerprint> = Level::available().into_iter().map(of).collect();
    assert!(all.iter().all(|fingerprint| *fingerprint == all[0]));
    all[0]
}

/// The fingerprint of features by their number of occurrences. All levels must agree.
fn plain(tie: Tie, features: &[u64]) -> u64 {
    let plan = plan(tie);
    let of = |level| Fingerprinter::with_level(&plan, &Weights::Tf, level).fingerprint(features);
    let all: Vec<Fingerprint> = Level::available().into_iter().map(of).collect();
    assert!(all.iter().all(|fingerprint| *fingerprint == all[0]));
    all[0].value() as u64
}

/// "SimHashes for Deduplication in Web Texts": ten words with hashes of four bits, and two sentences of nine words.
///
/// The article's sums are wrong: nine votes cannot sum up to 0 or +4, its results for the first and the last bit of the
/// second sentence. The correct sums are +1 and +5. The last bit of the first sentence sums up to +3 instead of +2. The
/// second fingerprint is therefore 1111 instead of the article's 0111, and the distance is 1 instead of 2.
#[test]
fn the_example_with_hashes_of_four_bits_has_the_correct_sums() {
    let [the, quick, brown, fox, jumps, over, lazy, dog, fast, a] =
        [0b1101, 0b1010, 0b1001, 0b1111, 0b0110, 0b1011, 0b1100, 0b0101, 0b0011, 0b0111_u64];
    let first = [the, quick, brown, fox, jumps, over, the, lazy, dog];
    let second = [the, fast, brown, fox, jumps, over, a, lazy, dog];
    let sums = |words: &[u64]| {
        [3, 2, 1, 0].map(|bit| words.iter().map(|word| 2 * (word >> bit & 1) as i32 - 1).sum::<i32>())
    };
    assert_eq!(sums(&first), [5, 3, -1, 3]);
    assert_eq!(sums(&second), [1, 3, 1, 5]);
    // Once in the low four bits, and once in the high ones. No feature votes for the other bits.
    for shift in [0, 60] {
        let of = |words: &[u64]| {
            let features: Vec<u64> = words.iter().map(|word| word << shift).collect();
            plain(Tie::Zero, &features)
        };
        assert_eq!(of(&first), 0b1101 << shift);
        assert_eq!(of(&second), 0b1111 << shift);
        assert_eq!((of(&first) ^ of(&second)).count_ones(), 1);
        // The same by term frequency: `the` occurs once, with a weight of 2.
        let features = [the, quick, brown, fox, jumps, over, lazy, dog].map(|word| word << shift);
        let by_weights = weighted(Tie::Zero, &features, &[2, 1, 1, 1, 1, 1, 1, 1]);
        assert_eq!(by_weights.value(), 0b1101 << shift);
    }
}

/// The last steps of the same article, from its printed sums for the second sentence: 0, +3, +1, +4, here doubled.
#[test]
fn printed_sums_give_the_printed_bits_and_distance() {
    let (features, weights) = ([0b0111, 0b1011, 0b1101], [4, 1, 3]);
    let second = weighted(Tie::Zero, &features, &weights);
    assert_eq!(second.value(), 0b0111);
    assert_eq!((0b1101 ^ second.value()).count_ones(), 2);
    // The other tie rule sets the bit with a sum of zero.
    assert_eq!(weighted(Tie::One, &features, &weights).value(), 0b1111);
}

#[test]
fn three_word_shingles_equal_the_example() {
    let plan = Options { shingle: Some(3), ..Options::default() }.plan().unwrap();
    let mut sketcher = Sketcher::new(&plan);
    let shingles: Vec<&str> = sketcher.shingles("The quick brown fox jumps over the lazy dog").collect();
    let expected = [
        "the quick brown",
        "quick brown fox",
        "brown fox jumps",
        "fox jumps over",
        "jumps over the",
        "over the lazy",
        "the lazy dog",
    ];
    assert_eq!(shingles, expected);
}

/// seomoz/simhash-cpp, `test-simhash.cpp`, and simhash-py, `test.py`.
#[test]
fn values_of_simhash_cpp() {
    assert_eq!(plain(Tie::Zero, &[]), 0);
    assert_eq!(plain(Tie::Zero, &[0xdead_beef; 100]), 0xdead_beef);
    assert_eq!(plain(Tie::Zero, &[0xdead_beef, !0xdead_beef]), 0);
    assert_eq!(plain(Tie::Zero, &[0xabcd, 0xbcde, 0xcdef]), 0xadcf);
}

/// FNV-1 with 64 bits, which mfonda/simhash uses. FNV-1a has its two steps in the other order.
fn fnv1(word: &str) -> u64 {
    word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        hash.wrapping_mul(0x0000_0100_0000_01b3) ^ u64::from(byte)
    })
}

/// mfonda/simhash and go-dedup/simhash: words, and ties are 1.
#[test]
fn values_of_the_go_libraries() {
    let of = |text: &str| plain(Tie::One, &text.split(' ').map(fnv1).collect::<Vec<u64>>());
    let phrase = of("this is a test phrase");
    assert_eq!(phrase, 0x8c3a_5f7e_9ecb_3f35);
    for (text, fingerprint, distance) in [
        ("this is a test phrass", 0x8c3a_5f7e_9ecb_3f21, 2),
        ("these are test phrases", 0xddfd_bf7f_bfaf_fb1d, 22),
        ("foo bar", 0xd8db_e718_6bad_3db3, 29),
    ] {
        assert_eq!(of(text), fingerprint, "{text}");
        assert_eq!((phrase ^ fingerprint).count_ones(), distance, "{text}");
    }
    // The cases of the sums: all zero, all negative, one positive, every second one positive.
    assert_eq!(plain(Tie::One, &[]), u64::MAX);
    assert_eq!(plain(Tie::One, &[0]), 0);
    assert_eq!(plain(Tie::One, &[1]), 1);
    assert_eq!(plain(Tie::One, &[6_148_914_691_236_517_205]), 6_148_914_691_236_517_205);
}

/// The feature of 1e0ng/simhash: the last eight bytes of MD5, as a big-endian number.
fn md5_feature(word: &str) -> u64 {
    u128::from_be_bytes(md5::compute(word).0) as u64
}

/// 1e0ng/simhash 2.1.2, `tests/test_simhash.py`: ties are 0.
#[test]
fn values_of_the_python_library() {
    for (words, fingerprint) in [
        (&["aaa", "bbb"][..], 57_087_923_692_560_392),
        (&["a"], 3_585_878_926_028_121_697),
        (&["a", "b", "c"], 3_587_003_245_248_337_699),
    ] {
        let features: Vec<u64> = words.iter().map(|word| md5_feature(word)).collect();
        assert_eq!(plain(Tie::Zero, &features), fingerprint, "{words:?}");
    }
    let numbers: Vec<u64> = (0..500).map(|number: u32| md5_feature(&number.to_string())).collect();
    assert_eq!(plain(Tie::Zero, &numbers), 7_984_652_473_404_407_437);
    let weights: Vec<u32> = (0..500).map(|number| 50 * number).collect();
    assert_eq!(weighted(Tie::Zero, &numbers, &weights).value(), 3_372_825_719_632_739_723);
}

/// yanyiwu/simhash: five keywords with their TF-IDF in thousandths.
#[test]
fn value_of_weighted_keywords() {
    let keywords = [
        (15_142_046_212_652_221_781, 318_452),
        (2_117_559_126_361_955_906, 151_001),
        (14_814_508_906_697_812_479, 140_870),
        (13_004_687_738_940_023_035, 106_978),
        (18_264_030_747_823_598_625, 103_739),
    ];
    let (features, weights): (Vec<u64>, Vec<u32>) = keywords.into_iter().unzip();
    assert_eq!(weighted(Tie::Zero, &features, &weights).value(), 15_286_165_794_479_097_173);
}
