//! The weights of the features, and the least sum of a block that is content.
//!
//! A logistic regression of scikit-learn, fitted by `bench/extraction.py --fit` to one half of the domains of WCXB (Foley 2026, the
//! development set) and of the article extraction benchmark of Scrapinghub. Blocks count by their share of the words of their page.
//! No text of these sets is part of it.

/// The sum before any feature is added.
pub(super) const BIAS: f32 = -1.4277;

/// The weight of each feature, in the order of [`NAMES`](super::features::NAMES).
#[rustfmt::skip]
#[allow(clippy::approx_constant, reason = "a fitted weight may come close to a constant")]
pub(super) const WEIGHTS: [f32; super::features::COUNT] = [
    -0.1239, // log words
    -1.3485, // linked
    -0.035, // word length
    -0.7434, // sentence ends
    0.0635, // commas
    0.78, // ends sentence
    -0.0749, // starts upper
    -1.095, // digits
    -0.1767, // separators
    0.0862, // main
    -0.6487, // navigation
    -0.6961, // header
    -3.5254, // footer
    -2.4025, // aside
    -1.0873, // form
    1.1511, // heading
    0.8203, // paragraph
    0.769, // item
    1.8686, // cell
    0.5752, // code
    0.0875, // before log words
    -0.0682, // before linked
    -0.1912, // before is text
    -0.0372, // behind log words
    -0.1669, // behind linked
    0.1507, // behind is text
    -2.0241, // words before
    -0.9739, // text before
    -0.1747, // has h1
    0.6416, // after h1
    -0.0086, // from h1
    -0.013, // path log blocks
    0.1897, // path log words
    1.122, // path linked
    0.8087, // path share
    -0.0149, // 1 log words
    -0.2149, // 1 linked
    -1.7677, // 1 text share
    0.2965, // 1 text density
    -0.108, // 2 log words
    -0.3813, // 2 linked
    0.477, // 2 text share
    0.0526, // 2 text density
    -0.0035, // 3 log words
    0.7608, // 3 linked
    0.7012, // 3 text share
    0.3927, // 3 text density
    0.855, // in 50
    0.1037, // up 50
    -0.0193, // down 50
    0.7488, // in 70
    -0.1074, // up 70
    0.0159, // down 70
    -0.2141, // in 90
    -0.0508, // up 90
    -0.0128, // down 90
    -0.8678, // hint comments
    -0.1947, // hint related
    -0.2186, // hint sharing
    -0.0038, // hint navigation
    -0.4929, // hint footer
    -0.1426, // hint header
    -0.0178, // hint advertising
    -0.4851, // hint overlay
    -0.2122, // hint about
    -0.0616, // hint control
    0.0504, // hint hidden
    0.1506, // hint content
    0.0532, // hint forum
    0.0327, // hint card
    0.6302, // page comments
    -0.3871, // page forum
    0.4125, // page log words
    -0.3465, // page log text
    0.8984, // page text share
    -0.0066, // page text blocks
    -0.0346, // page main
    -0.4115, // page linked
    -0.1577, // page linked blocks
    -0.3229, // page navigation
    -0.8789, // page footer
    -0.8084, // repeated
    1.5106, // in title
    0.0422, // depth
];
