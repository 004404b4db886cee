//! The weights of what is known of a block.
//!
//! Two logistic regressions of scikit-learn, fitted by `bench/extraction.py --fit` to one half of the domains of WCXB (Foley 2026,
//! the development set) and of the article extraction benchmark of Scrapinghub. No text of these sets is part of it.

/// The sum before anything is added.
pub(super) const BIAS: f32 = -2.8374;

/// The weights, in the order of their [`NAMES`](super::features::NAMES).
#[rustfmt::skip]
#[allow(clippy::approx_constant, reason = "a fitted weight may come close to a constant")]
pub(super) const WEIGHTS: [f32; super::features::COUNT] = [
    -0.0084, // log words
    -1.9712, // linked
    0.049, // word length
    -0.4912, // sentence ends
    -0.0172, // commas
    0.5926, // ends sentence
    -0.0911, // starts upper
    -0.874, // digits
    -0.1735, // separators
    -0.8675, // capitals
    0.6122, // all linked
    -0.4653, // cue promotion
    -0.3656, // cue credit
    -0.3265, // section related
    -0.2997, // section comments
    0.467, // main
    -1.3872, // navigation
    -1.969, // header
    -5.0587, // footer
    -3.2586, // aside
    -0.6801, // form
    0.7878, // heading
    0.8401, // paragraph
    0.5485, // item
    1.7891, // cell
    0.159, // code
    0.0256, // before log words
    -0.1768, // before linked
    -0.0336, // before is text
    0.0009, // behind log words
    -0.2456, // behind linked
    0.0866, // behind is text
    -1.0392, // words before
    -0.8281, // text before
    -0.4507, // has h1
    1.0127, // after h1
    -0.0098, // from h1
    0.2135, // path log blocks
    0.0588, // path log words
    1.1542, // path linked
    0.9373, // path share
    -0.1772, // 1 log words
    -0.1372, // 1 linked
    -0.0484, // 1 text share
    0.3519, // 1 text density
    -0.0636, // 2 log words
    -0.3618, // 2 linked
    0.53, // 2 text share
    -0.0965, // 2 text density
    -0.0579, // 3 log words
    0.8195, // 3 linked
    0.8687, // 3 text share
    0.8681, // 3 text density
    0.876, // in 50
    0.1063, // up 50
    0.0441, // down 50
    0.5372, // in 70
    -0.0722, // up 70
    -0.0134, // down 70
    0.0178, // in 90
    -0.0529, // up 90
    -0.1391, // down 90
    -1.1872, // hint comments
    -0.4524, // hint related
    -0.4362, // hint sharing
    -0.2929, // hint navigation
    -0.5575, // hint footer
    -0.401, // hint header
    -0.0802, // hint advertising
    -0.908, // hint overlay
    -0.4198, // hint about
    -0.1246, // hint control
    -0.1564, // hint hidden
    0.1651, // hint content
    0.0832, // hint forum
    0.0077, // hint card
    -0.9335, // hint caption
    1.0757, // page comments
    -0.3401, // page forum
    0.5796, // page log words
    -0.4801, // page log text
    0.5878, // page text share
    -0.0039, // page text blocks
    -0.4134, // page main
    -0.6015, // page linked
    0.1371, // page linked blocks
    0.9281, // page navigation
    1.0583, // page footer
    0.0834, // repeated
    -2.1369, // said before
    -0.1055, // long path in text
    -0.9523, // in title
    0.0213, // depth
];

/// The sum before anything is added.
pub(super) const CONTEXT_BIAS: f32 = 1.4369;

/// The weights, in the order of their [`NAMES`](super::context::NAMES).
#[rustfmt::skip]
#[allow(clippy::approx_constant, reason = "a fitted weight may come close to a constant")]
pub(super) const CONTEXT_WEIGHTS: [f32; super::context::COUNT] = [
    0.9426, // score
    -2.7241, // chance
    0.5041, // chance before
    0.626, // chance behind
    2.9725, // path chance
    -1.22, // from start
    -0.2561, // from end
    0.5473, // in content
    -1.8099, // certainty
];
