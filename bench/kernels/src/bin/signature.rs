//! Times signatures over a flat file of features (see `features`), on one thread.
//!
//! ```text
//! signature FLAT PASSES [LEVEL] [SCHEME] < LINES
//! ```
//! The program runs one round for each line of standard input, so that another program can take turns. A round makes
//! PASSES passes over the file, each into a new matrix of signatures. It then prints a line with the seconds of wall
//! time and the sum of the matrix.

use lookalike::{Level, Options, Scheme, Sketcher};
use lookalike_kernels::Flat;
use std::hint::black_box;
use std::io::{self, Write};
use std::time::Instant;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let usage = || io::Error::other("usage: signature FLAT PASSES [LEVEL] [SCHEME] < LINES");
    let (Some(path), Some(passes)) = (arguments.get(1), arguments.get(2)) else { return Err(usage()) };
    let passes: usize = passes.parse().map_err(io::Error::other)?;
    let level = match arguments.get(3) {
        None => Level::detect(),
        Some(name) => Level::named(name).ok_or_else(usage)?,
    };
    let scheme = match arguments.get(4) {
        None => Scheme::default(),
        Some(name) => Scheme::ALL.iter().find(|(known, _)| known == name).ok_or_else(usage)?.1,
    };
    let flat = Flat::read(path)?;
    let plan = Options { scheme: Some(scheme), ..Options::default() }.plan().map_err(io::Error::other)?;
    let mut sketcher = Sketcher::with_level(&plan, level);
    for line in io::stdin().lines() {
        line?;
        let mut matrix = Vec::new();
        let start = Instant::now();
        for _ in 0..passes {
            matrix = Vec::with_capacity(flat.len() * plan.num_perm());
            for features in flat.iter() {
                matrix.extend_from_slice(sketcher.signature(features));
            }
            black_box(&matrix);
        }
        let seconds = start.elapsed().as_secs_f64();
        println!("{seconds} {}", matrix.iter().map(|&value| u64::from(value)).sum::<u64>());
        io::stdout().flush()?;
    }
    Ok(())
}
