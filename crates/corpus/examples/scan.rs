//! Measures the speed of reading documents, in GB of input per second.
//!
//! `scan THREADS INPUT…` reads every record of the inputs three times, and prints the speed of each pass. The first pass also
//! fills the page cache. Corpus model: bench/README. Unit: bytes as they are stored.

use std::{env, error::Error, thread, time::Instant};

use lookalike_corpus::{Fields, Inputs, Reader, Scan, Scratch, Waiting};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let threads: usize = arguments.next().ok_or("scan THREADS INPUT…")?.parse()?;
    let inputs = Inputs::resolve(&arguments.collect::<Vec<_>>(), &Waiting::default())?;
    let fields = Fields { id: Some("id".into()), ..Fields::of_text("text") };
    for _ in 0..3 {
        let started = Instant::now();
        let reader = Reader::new(&inputs, &fields, Scan::Documents);
        let counts = thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| count(&reader))).collect();
            workers.into_iter().map(|worker| worker.join().expect("no panic")).collect::<Result<Vec<_>, _>>()
        })?;
        let seconds = started.elapsed().as_secs_f64();
        let records: u64 = counts.iter().map(|count| count.0).sum();
        let bytes: u64 = counts.iter().map(|count| count.1).sum();
        let speed = inputs.bytes() as f64 / 1e9 / seconds;
        println!("{speed:.2} GB/s, {records} records, {bytes} bytes of text, {seconds:.3} s");
    }
    Ok(())
}

fn count(reader: &Reader<'_>) -> Result<(u64, u64), lookalike_corpus::Error> {
    let mut scratch = Scratch::default();
    let (mut records, mut bytes) = (0, 0);
    while let Some(chunk) = reader.next()? {
        chunk.load(&mut scratch)?.for_each(|record| {
            if let Ok(record) = record {
                records += 1;
                bytes += record.text.len() as u64;
            }
        });
    }
    Ok((records, bytes))
}
