//! Integrals of smooth functions: the Gauss-Kronrod rule of 21 points, with the interval halved where it is not enough.
//!
//! datasketch integrates by scipy, which starts with the same rule. So errors of rounding are equal, and of two bandings
//! that hardly differ the same one is chosen.
//!
//! Source: Piessens and others, "QUADPACK", 1983, routine QK21.
#![expect(clippy::excessive_precision, reason = "the digits are those of the source")]

/// The error that scipy accepts.
const TOLERANCE: f64 = 1.49e-8;

/// How often an interval is halved at most.
const HALVINGS: u32 = 24;

/// Points of the rule of Kronrod. Those with an odd index are also points of the rule of Gauss.
const POINTS: [f64; 10] = [
    0.995_657_163_025_808_080_735_527_280_689_003,
    0.973_906_528_517_171_720_077_964_012_084_452,
    0.930_157_491_355_708_226_001_207_180_059_508,
    0.865_063_366_688_984_510_732_096_688_423_493,
    0.780_817_726_586_416_897_063_717_578_345_042,
    0.679_409_568_299_024_406_234_327_365_114_874,
    0.562_757_134_668_604_683_339_000_099_272_694,
    0.433_395_394_129_247_190_799_265_943_165_784,
    0.294_392_862_701_460_198_131_126_603_103_866,
    0.148_874_338_981_631_210_884_826_001_129_72,
];

/// Weights of the points, and of the middle.
const KRONROD: [f64; 11] = [
    0.011_694_638_867_371_874_278_064_396_062_192,
    0.032_558_162_307_964_727_478_818_972_459_39,
    0.054_755_896_574_351_996_031_381_300_244_58,
    0.075_039_674_810_919_952_767_043_140_916_19,
    0.093_125_454_583_697_605_535_065_465_083_366,
    0.109_387_158_802_297_641_899_210_590_325_805,
    0.123_491_976_262_065_851_077_958_109_585_166,
    0.134_709_217_311_473_325_928_054_001_771_707,
    0.142_775_938_577_060_080_797_094_273_138_717,
    0.147_739_104_901_338_491_374_841_515_972_068,
    0.149_445_554_002_916_905_664_936_468_389_821,
];

/// Weights of the points with an odd index.
const GAUSS: [f64; 5] = [
    0.066_671_344_308_688_137_593_568_809_893_332,
    0.149_451_349_150_580_593_145_863_397_657_697,
    0.219_086_362_515_982_043_995_534_934_228_163,
    0.269_266_719_309_996_355_091_226_921_569_469,
    0.295_524_224_714_752_870_173_815_619_188_769,
];

/// The integral of `function` from `from` to `to`.
pub(crate) fn integral(function: &impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    within(function, from, to, TOLERANCE, HALVINGS)
}

fn within(function: &impl Fn(f64) -> f64, from: f64, to: f64, tolerance: f64, halvings: u32) -> f64 {
    let (sum, error) = rule(function, from, to);
    if error <= tolerance || halvings == 0 {
        return sum;
    }
    let middle = 0.5 * (from + to);
    let half = |from, to| within(function, from, to, 0.5 * tolerance, halvings - 1);
    half(from, middle) + half(middle, to)
}

/// The rule over one interval, and an estimate of its error. The order of the sums is that of QK21.
fn rule(function: &impl Fn(f64) -> f64, from: f64, to: f64) -> (f64, f64) {
    let (centre, half) = (0.5 * (from + to), 0.5 * (to - from));
    let middle = function(centre);
    let (mut gauss, mut kronrod, mut absolute) = (0.0, KRONROD[10] * middle, (KRONROD[10] * middle).abs());
    let mut values = [[0.0; 2]; 10];
    let odd_first = (0..5).map(|index| 2 * index + 1).chain((0..5).map(|index| 2 * index));
    for index in odd_first {
        let offset = half * POINTS[index];
        let [low, high] = [function(centre - offset), function(centre + offset)];
        values[index] = [low, high];
        if index % 2 == 1 {
            gauss += GAUSS[index / 2] * (low + high);
        }
        kronrod += KRONROD[index] * (low + high);
        absolute += KRONROD[index] * (low.abs() + high.abs());
    }
    let mean = kronrod * 0.5;
    let deviation =
        values.iter().zip(KRONROD).fold(KRONROD[10] * (middle - mean).abs(), |sum, (pair, weight)| {
            sum + weight * ((pair[0] - mean).abs() + (pair[1] - mean).abs())
        });
    let (deviation, absolute) = (deviation * half.abs(), absolute * half.abs());
    let mut error = ((kronrod - gauss) * half).abs();
    if deviation != 0.0 && error != 0.0 {
        error = deviation * (200.0 * error / deviation).powf(1.5).min(1.0);
    }
    if absolute > f64::MIN_POSITIVE / (50.0 * f64::EPSILON) {
        error = error.max(50.0 * f64::EPSILON * absolute);
    }
    (kronrod * half, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_and_smooth_functions_have_their_integrals() {
        let close =
            |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}, {expected}");
        close(integral(&|_| 3.0, 0.25, 1.0), 2.25);
        for power in 1..40 {
            close(integral(&|x| x.powi(power), 0.0, 1.0), 1.0 / f64::from(power + 1));
        }
        close(integral(&f64::exp, 0.0, 1.0), 1.0_f64.exp() - 1.0);
        close(integral(&f64::sin, 0.5, 0.5), 0.0);
    }

    #[test]
    fn an_interval_is_halved_where_a_function_is_steep() {
        // A step at 0.37 of width 10⁻³, whose integral is known by symmetry.
        let step = |x: f64| 1.0 / (1.0 + ((0.37 - x) / 1e-3).exp());
        assert!(rule(&step, 0.0, 1.0).1 > TOLERANCE);
        assert!((integral(&step, 0.0, 1.0) - 0.63).abs() < TOLERANCE);
        let kink = |x: f64| (x - 0.3).abs();
        assert!((integral(&kink, 0.0, 1.0) - (0.3_f64.powi(2) + 0.7_f64.powi(2)) / 2.0).abs() < TOLERANCE);
    }

    /// The sum over many narrow strips, at their middles.
    #[test]
    fn integrals_of_s_curves_are_those_of_strips() {
        for (bands, rows) in [(1, 1), (9, 13), (25, 5), (128, 1), (1, 128), (4, 32)] {
            let curve = |x: f64| 1.0 - (1.0 - x.powf(f64::from(rows))).powf(f64::from(bands));
            for (from, to) in [(0.0, 0.8), (0.8, 1.0), (0.0, 1.0)] {
                const STRIPS: u32 = 20_000;
                let width = (to - from) / f64::from(STRIPS);
                let strips = (0..STRIPS).map(|strip| curve(from + (f64::from(strip) + 0.5) * width) * width);
                let (found, expected) = (integral(&curve, from, to), strips.sum::<f64>());
                assert!((found - expected).abs() < 1e-6, "{bands} x {rows}: {found}, {expected}");
            }
        }
    }
}
