//! Documents in and out.
