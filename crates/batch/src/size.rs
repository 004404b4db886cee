//! Sizes in bytes, as they are typed.

use lookalike_corpus::MAX_RECORD_BYTES;

/// The longest record that a run reads, in bytes.
///
/// # Errors
/// A sentence that says which sizes are possible.
pub fn record_size(text: &str) -> Result<u64, String> {
    match size(text)? {
        bytes @ 1..=MAX_RECORD_BYTES => Ok(bytes),
        _ => Err("use a size above 0 and up to 2GiB".to_owned()),
    }
}

/// The memory of a run in bytes, such as `2GiB`.
///
/// # Errors
/// A sentence that says how to write a size. A small number without a unit is a mistake.
pub fn memory_size(text: &str) -> Result<u64, String> {
    match size(text)? {
        bytes if bytes < LEAST_WITHOUT_UNIT && text.trim().bytes().all(|byte| byte.is_ascii_digit()) => {
            Err(format!(
                "this is {bytes} {}; give a unit, such as {text}GiB",
                if bytes == 1 { "byte" } else { "bytes" }
            ))
        }
        bytes => Ok(bytes),
    }
}

/// No run takes less memory than this, in bytes.
const LEAST_WITHOUT_UNIT: u64 = 1 << 20;

/// A number of bytes, with a unit of powers of 1000 or 1024.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        _ => return Err("use a number and MiB, GiB, MB or GB, such as 2GiB".to_owned()),
    };
    let number: f64 =
        number.parse().map_err(|_| "use a number of bytes, such as 2GiB or 500MB".to_owned())?;
    Ok((number * unit as f64) as u64)
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_have_the_usual_units() {
        let expected =
            [("200MiB", 200 << 20), ("2G", 2 << 30), ("1.5gib", 3 << 29), ("5 GB", 5_000_000_000), ("7", 7)];
        for (text, bytes) in expected {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "GiB", "2 pounds", "-1", "1..2MB"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
