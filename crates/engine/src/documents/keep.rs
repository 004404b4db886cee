//! Which documents a keep policy prefers.

use super::Documents;
use crate::request::Keep;
use lookalike::cluster::KeepPolicy;

impl Keep {
    /// The member of `cluster` that stays; members ascend. What is compared against stays anyway, and is preferred.
    pub fn choose(&self, cluster: &[u32], documents: &Documents) -> u32 {
        let members = match cluster.partition_point(|&member| !documents.is_new(member)) {
            0 => cluster,
            against => &cluster[..against],
        };
        self.policy().choose(members, |document| self.rank(document, documents))
    }

    /// The document that is kept for the member of `cluster` at `index`: itself, if it stays. All members are documents of inputs, and
    /// they ascend; `chosen` is the preferred one.
    ///
    /// Where none stays, the chosen one is given all the same, and for that another: those are the two that are compared.
    pub fn kept_for(&self, cluster: &[u32], index: usize, chosen: u32) -> u32 {
        match self {
            Keep::Count(most) if index < most.get() as usize => cluster[index],
            Keep::None if cluster[index] == chosen => cluster[1],
            _ => chosen,
        }
    }

    /// Puts ascending numbers in the order of preference, what is compared against first.
    pub fn sort(&self, numbers: &mut [u32], documents: &Documents) {
        let against = numbers.partition_point(|&document| !documents.is_new(document));
        let (against, new) = numbers.split_at_mut(against);
        for side in [against, new] {
            self.policy().sort(side, |document| self.rank(document, documents));
        }
    }

    /// What `document` is ranked by; `None` if it has no number.
    fn rank(&self, document: u32, documents: &Documents) -> Option<f64> {
        match self {
            Keep::Longest => Some(documents.text_bytes(document).into()),
            _ => documents.rank(document),
        }
    }

    /// How documents of one side are ranked by it.
    fn policy(&self) -> KeepPolicy {
        match self {
            Keep::First | Keep::Count(_) | Keep::None => KeepPolicy::First,
            Keep::Last => KeepPolicy::Last,
            Keep::Longest => KeepPolicy::Longest,
            Keep::Max(_) => KeepPolicy::Max,
            Keep::Min(_) => KeepPolicy::Min,
        }
    }
}
