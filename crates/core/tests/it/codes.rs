//! Collections of codes of all kinds, the same in every run.

use lookalike::search::Code;

/// SplitMix64 (Steele, Lea and Flood, 2014).
pub(crate) struct Generator(pub(crate) u64);

impl Generator {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// A code with random values in its lowest `bits` bits.
    pub(crate) fn code<C: Code>(&mut self, bits: u32) -> C {
        (0..bits)
            .fold(C::default(), |code, index| if self.next() & 1 == 1 { code | C::bit(index) } else { code })
    }

    /// `code` with up to `most` bits flipped.
    pub(crate) fn flipped<C: Code>(&mut self, code: C, most: u64) -> C {
        (0..self.below(most + 1)).fold(code, |code, _| code ^ C::bit(self.below(u64::from(C::BITS)) as u32))
    }
}

/// Collections of `count` codes, each with a name.
pub(crate) fn kinds<C: Code>(generator: &mut Generator, count: usize) -> Vec<(&'static str, Vec<C>)> {
    let planted = |generator: &mut Generator, mut codes: Vec<C>, flips| {
        for _ in 0..count / 3 {
            let at = generator.below(count as u64) as usize;
            let from = generator.below(count as u64) as usize;
            codes[at] = generator.flipped(codes[from], flips);
        }
        codes
    };
    let random =
        |generator: &mut Generator, bits| (0..count).map(|_| generator.code(bits)).collect::<Vec<C>>();
    let spread = random(generator, C::BITS);
    // Copies of one code. A third of them have some bits flipped.
    let one = generator.code(C::BITS);
    let around = planted(generator, vec![one; count], 14);
    let mut half = random(generator, C::BITS);
    half[..count / 2].fill(one);
    // Bits that are rarely set, as in codes of real texts.
    let sparse =
        (0..count).map(|_| generator.code::<C>(C::BITS) & generator.code(C::BITS) & generator.code(C::BITS));
    let sparse = sparse.collect();
    vec![
        ("random and planted", planted(generator, spread, 14)),
        ("twelve bits vary", random(generator, 12)),
        ("one bit varies", random(generator, 1)),
        ("around one code", around),
        ("half are equal", half),
        ("all are equal", vec![one; count]),
        ("sparse", planted(generator, sparse, 4)),
    ]
}
