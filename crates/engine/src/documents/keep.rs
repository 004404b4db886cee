//! The documents that a keep policy prefers.

use super::Documents;
use crate::request::Keep;
use lookalike::cluster::KeepPolicy;

impl Keep {
    /// The member of `cluster` that the policy prefers. Members ascend. Documents of `--against` are kept in any case, and come first. Those of an index
    /// have neither lengths nor numbers: other policies than [`Keep::First`] are refused with an index.
    pub fn choose(&self, cluster: &[u32], documents: &Documents) -> u32 {
        let members = match cluster.partition_point(|&member| !documents.is_new(member)) {
            0 => cluster,
            against => &cluster[..against],
        };
        self.policy().choose(members, |document| self.rank(document, documents))
    }

    /// The document that is kept for the member of `cluster` at `index`, which is the member itself if it is kept. All members are documents
    /// of the inputs, and ascend. `chosen` is the preferred one.
    ///
    /// If no member is kept, this is the chosen one, or the second member for the chosen one: these two are compared.
    pub fn kept_for(&self, cluster: &[u32], index: usize, chosen: u32) -> u32 {
        match self {
            Keep::Count(most) if index < most.get() as usize => cluster[index],
            Keep::None if cluster[index] == chosen => cluster[1],
            _ => chosen,
        }
    }

    /// Sorts documents by preference, with documents of `--against` first. `numbers` ascend at the start.
    pub fn sort(&self, numbers: &mut [u32], documents: &Documents) {
        let against = numbers.partition_point(|&document| !documents.is_new(document));
        let (against, new) = numbers.split_at_mut(against);
        for side in [against, new] {
            self.policy().sort(side, |document| self.rank(document, documents));
        }
    }

    /// A number that orders documents, or `None` if `document` has none.
    fn rank(&self, document: u32, documents: &Documents) -> Option<[u64; 2]> {
        match self {
            Keep::Longest => Some([0, documents.text_bytes(document).into()]),
            Keep::Max(_) | Keep::Min(_) => documents.rank(document),
            Keep::First | Keep::Last | Keep::Count(_) | Keep::None => None,
        }
    }

    /// The policy among documents of one side: of `--against`, or of the inputs.
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
