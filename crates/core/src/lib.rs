//! Near-duplicate text detection: text in, clusters out.
