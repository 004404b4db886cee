//! stub
use crate::decide::{Decisions, Reason};
use crate::error::Error;
use crate::ids::Names;
use crate::progress::Monitor;
use lookalike::Match;
use lookalike_corpus::{Fields, Inputs};
pub(crate) struct Dedup;
impl Dedup {
    pub(crate) fn create(_: &crate::job::Dedup, _: &Inputs) -> Result<Self, Error> { Ok(Dedup) }
    pub(crate) fn need_ids(&self) -> bool { false }
    pub(crate) fn need_reasons(&self) -> bool { false }
    pub(crate) fn write(&self, _: &Fields, _: &Names<'_>, _: &Decisions, _: &[Vec<Reason>], _: &Monitor) -> Result<(), Error> { Ok(()) }
}
pub(crate) struct Pairs;
impl Pairs {
    pub(crate) fn create(_: Option<&std::path::Path>) -> Result<Self, Error> { Ok(Pairs) }
    pub(crate) fn write(&self, names: &Names<'_>, pairs: &[Match]) -> Result<(), Error> {
        for p in pairs { println!("{{\"a\":\"{}\",\"b\":\"{}\",\"jaccard\":{}}}", names.id(p.a), names.id(p.b), p.jaccard); }
        Ok(())
    }
}
