//! Finds earlier texts that are similar to a new one. An index of signatures gives candidates, which are compared
//! exactly.

use lookalike::compare::Verifier;
use lookalike::search::{ComparedFeatures, SketchBuilder};
use lookalike::{Incompatible, Level, MinHashIndex, Plan, Signature, Weights};

struct Seen {
    plan: Plan,
    builder: SketchBuilder,
    verifier: Verifier,
    index: MinHashIndex,
    compared: Vec<ComparedFeatures>,
}

impl Seen {
    fn new(plan: &Plan) -> Self {
        Seen {
            plan: plan.clone(),
            builder: SketchBuilder::new(plan, &Weights::Set, Level::detect()),
            verifier: Verifier::new(Level::detect(), plan.measure(), plan.threshold()),
            index: MinHashIndex::new(plan),
            compared: Vec::new(),
        }
    }

    /// The number of an earlier text that is similar to `text`. If there is none, remembers `text`.
    fn find_or_add(&mut self, text: &str) -> Result<Option<u32>, Incompatible> {
        let values = Box::from(self.builder.sketch(text).signature);
        let signature = Signature::new(self.plan.signature_id(), values);
        let compared = ComparedFeatures::new(&mut self.builder, text);
        let mut held = self.verifier.hold(compared.set());
        for candidate in self.index.query(&signature)? {
            if held.reaches(self.compared[candidate.id as usize].set()).is_some() {
                return Ok(Some(candidate.id));
            }
        }
        self.index.insert(self.compared.len() as u32, signature)?;
        self.compared.push(compared);
        Ok(None)
    }
}

pub(crate) fn main() -> Result<(), Incompatible> {
    let mut seen = Seen::new(&Plan::default());
    assert_eq!(seen.find_or_add("It was the best of times, it was the worst of times")?, None);
    assert_eq!(seen.find_or_add("Call me Ishmael. Some years ago, never mind how long precisely")?, None);
    let again = seen.find_or_add("It was the BEST of times: it was the worst of times!")?;
    println!("the third text is similar to text {again:?}");
    assert_eq!(again, Some(0));
    Ok(())
}
