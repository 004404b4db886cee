//! The names of schemes in datasketch.

use lookalike::sketch::PermutationScheme;

/// The name of a scheme.
pub fn scheme_name(scheme: PermutationScheme) -> &'static str {
    match scheme {
        PermutationScheme::Affine32 => "affine32",
        PermutationScheme::Affine64 => "affine64",
        PermutationScheme::Legacy => "legacy",
    }
}

/// The scheme of a name.
pub fn scheme_named(name: &str) -> Option<PermutationScheme> {
    match name {
        "affine32" => Some(PermutationScheme::Affine32),
        "affine64" => Some(PermutationScheme::Affine64),
        "legacy" => Some(PermutationScheme::Legacy),
        _ => None,
    }
}

/// Bytes as datasketch stores them: values of the width of the scheme, big-endian.
///
/// A value of `legacy` takes 8 bytes, of which the first 4 are 0. Words are those of a sketch.
pub(crate) fn stored_bytes(is_legacy: bool, words: &[u32]) -> Vec<u8> {
    if is_legacy {
        return words.iter().flat_map(|&word| u64::from(word).to_be_bytes()).collect();
    }
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// Words of 32 bits in a value.
pub(crate) fn words_of_value(scheme: PermutationScheme) -> usize {
    if scheme == PermutationScheme::Affine64 { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_names_its_scheme() {
        for scheme in [PermutationScheme::Affine32, PermutationScheme::Affine64, PermutationScheme::Legacy] {
            assert_eq!(scheme_named(scheme_name(scheme)), Some(scheme));
        }
        assert_eq!(scheme_named("bucketed"), None);
    }

    #[test]
    fn a_value_is_stored_in_the_width_of_its_scheme() {
        assert_eq!(stored_bytes(false, &[0x0102_0304]), [1, 2, 3, 4]);
        assert_eq!(stored_bytes(true, &[0x0102_0304]), [0, 0, 0, 0, 1, 2, 3, 4]);
    }
}
