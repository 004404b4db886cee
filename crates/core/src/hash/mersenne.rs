//! The Mersenne Twister MT19937, seeded and read as numpy's `RandomState` does it.
//!
//! Not for: new parameters. They are drawn from [`SplitMix64`](super::SplitMix64).
//!
//! Source: Matsumoto and Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed uniform pseudorandom number
//! generator", 1998.

/// Numbers of the state.
const SIZE: usize = 624;

/// How far apart the numbers are that are combined.
const SHIFT: usize = 397;

/// The generator.
pub(crate) struct MersenneTwister {
    state: [u32; SIZE],
    /// The place of the next number. At the end, all numbers are replaced.
    next: usize,
}

impl MersenneTwister {
    pub(crate) fn new(seed: u32) -> Self {
        let mut state = [seed; SIZE];
        for place in 1..SIZE {
            let before = state[place - 1];
            state[place] = 1_812_433_253_u32.wrapping_mul(before ^ (before >> 30)).wrapping_add(place as u32);
        }
        MersenneTwister { state, next: SIZE }
    }

    /// The next 32 bits.
    pub(crate) fn next_u32(&mut self) -> u32 {
        if self.next == SIZE {
            self.replace();
        }
        let mut number = self.state[self.next];
        self.next += 1;
        number ^= number >> 11;
        number ^= (number << 7) & 0x9d2c_5680;
        number ^= (number << 15) & 0xefc6_0000;
        number ^ (number >> 18)
    }

    /// The next 64 bits, of which the high half comes first.
    pub(crate) fn next_u64(&mut self) -> u64 {
        u64::from(self.next_u32()) << 32 | u64::from(self.next_u32())
    }

    /// A number from 0 to `greatest`. Numbers with the bits of `greatest` are drawn until one is small enough.
    pub(crate) fn up_to(&mut self, greatest: u64) -> u64 {
        let mask = u64::MAX >> greatest.leading_zeros();
        loop {
            let number = self.next_u64() & mask;
            if number <= greatest {
                return number;
            }
        }
    }

    fn replace(&mut self) {
        for place in 0..SIZE {
            let joined = (self.state[place] & 0x8000_0000) | (self.state[(place + 1) % SIZE] & 0x7fff_ffff);
            let twist = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[place] = self.state[(place + SHIFT) % SIZE] ^ (joined >> 1) ^ twist;
        }
        self.next = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_numbers_come_out() {
        // The C++ standard, section rand.predef: the 10,000th number of a generator with the seed 5489.
        let mut generator = MersenneTwister::new(5489);
        let last = (0..10_000).map(|_| generator.next_u32()).last();
        assert_eq!(last, Some(4_123_659_995));
    }
}
