//! Numbers that are the same on every machine.

pub(in super::super) fn share(part: u64, whole: u64) -> f32 {
    part as f32 / whole.max(1) as f32
}

pub(super) fn flag(is_set: bool) -> f32 {
    f32::from(u8::from(is_set))
}

/// The logarithm of `count + 1` to the base 2, with straight lines between powers. Unlike `ln`, it is the same on every machine.
pub(super) fn log(count: u64) -> f32 {
    let count = count.saturating_add(1);
    let whole = count.ilog2();
    whole as f32 + (count as f64 / (1_u64 << whole) as f64 - 1.0) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_exact_at_powers_and_grow_between() {
        assert_eq!([0, 1, 3, 7, u64::MAX].map(log), [0.0, 1.0, 2.0, 3.0, 64.0]);
        assert!((1..1000).all(|count| log(count) < log(count + 1)));
    }
}
