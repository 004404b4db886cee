//! Quick timing.
use lookalike::*;
use std::time::Instant;
#[derive(serde::Deserialize)]
struct D<'a> { #[serde(borrow)] id: std::borrow::Cow<'a, str>, #[serde(borrow)] text: std::borrow::Cow<'a, str> }
fn best(mut f: impl FnMut()) -> f64 { (0..5).map(|_| { let t = Instant::now(); f(); t.elapsed().as_secs_f64() }).fold(9e9, f64::min) }
fn main() {
    let data = std::fs::read(std::env::args().nth(1).unwrap()).unwrap();
    let lines: Vec<&[u8]> = data.split(|b| *b == b'\n').filter(|l| !l.is_empty()).collect();
    let s = best(|| { for l in &lines { let d: D = sonic_rs::from_slice(l).unwrap(); std::hint::black_box((&d.id, &d.text)); } });
    println!("sonic {:.0} MB/s", data.len() as f64 / s / 1e6);
    let texts: Vec<String> = lines.iter().map(|l| sonic_rs::from_slice::<D>(l).unwrap().text.into_owned()).collect();
    let bytes: f64 = texts.iter().map(|t| t.len() as f64).sum();
    let plan = Options { tokens: std::env::args().nth(2).map(|_| Tokens::Whitespace), ..Default::default() }.plan().unwrap();
    for level in Level::available() { if std::env::var("LEVEL").is_ok_and(|l| l != level.name()) { continue; }
        let mut k = Sketcher::with_level(&plan, level);
        let mut n = 0;
        let split = best(|| { for t in &texts { std::hint::black_box(k.tokens(t).count()); } });
        let tok = best(|| { n = 0; for t in &texts { n += k.token_hashes(t).len(); } });
        let feat = best(|| { for t in &texts { std::hint::black_box(k.features(t)); } });
        let sk = best(|| { for t in &texts { std::hint::black_box(k.sketch(t)); } });
        let all: Vec<Vec<u64>> = texts.iter().map(|t| k.features(t).to_vec()).collect();
        let sig = best(|| { for f in &all { std::hint::black_box(k.signature(f)); } });
        let m = n as f64 / 1e6;
        println!("{}: {:.1}M tokens; split {:.0} MB/s ({:.2} ns/tok) tokens {:.0} MB/s ({:.2} ns/tok), +features {:.2} ns/sh, +sketch+keys {:.2} ns/sh, signature alone {:.2} ns ({:.0} M/s); all {:.0} MB/s", level.name(), m, bytes / split / 1e6, split * 1e3 / m, bytes / tok / 1e6, tok * 1e3 / m, (feat - tok) * 1e3 / m, (sk - feat) * 1e3 / m, sig * 1e3 / m, m / sig, bytes / sk / 1e6);
    }
}
