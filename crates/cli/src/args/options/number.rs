//! Numbers, as they are typed. The plan checks the ranges of its own numbers.

use std::str::FromStr;

/// A whole number, which is not negative.
pub(in crate::args) fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "use a whole number".to_owned())
}

/// A whole number from 1.
pub(in crate::args) fn positive<T: FromStr>(text: &str) -> Result<T, String> {
    let is_zero = text.bytes().all(|byte| byte == b'0');
    let number = text.parse().ok().filter(|_| !is_zero);
    number.ok_or_else(|| "use a whole number from 1".to_owned())
}

/// A number of threads.
pub(super) fn threads(text: &str) -> Result<u16, String> {
    let threads = text.parse().ok().filter(|threads| (1..=1024).contains(threads));
    threads.ok_or_else(|| "use a whole number from 1 to 1024".to_owned())
}

/// A number. The plan checks that it is a share.
pub(super) fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "use a number from 0 to 1, such as 0.8".to_owned())
}

/// A share from 0 to 1.
pub(in crate::args) fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "use a number from 0 to 1".to_owned())
}

/// A share above 0.
pub(in crate::args) fn some_share(text: &str) -> Result<f64, String> {
    share(text).ok().filter(|&share| share > 0.0).ok_or_else(|| "use a number above 0, up to 1".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_numbers_have_a_remedy() {
        for text in ["", "-1", "1.5", "x", "99999999999999999999"] {
            assert!(whole::<u64>(text).is_err() && positive::<u64>(text).is_err(), "{text}");
        }
        assert_eq!((whole("0"), positive::<u32>("00").is_err(), positive("7")), (Ok(0_u32), true, Ok(7_u32)));
        assert_eq!((threads("1024"), threads("1025").is_err()), (Ok(1024), true));
        assert_eq!((share("0"), some_share("0").is_err(), share("1.1").is_err()), (Ok(0.0), true, true));
        assert!(share("NaN").is_err() && number("x").is_err());
    }
}
