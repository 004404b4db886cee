//! `lookalike serve`, with files so small that a few hundred documents seal memtables, merge runs and start new files of the log.
//!
//!     small_files INDEX [ADDRESS [DOCUMENTS BYTES]]
//!
//! INDEX is made if it does not exist. DOCUMENTS is the size of a memtable (64), and BYTES that of a file of the log (32,768). Clusters are
//! compacted after as many changes as a memtable has documents. The program prints its address, and stops after SIGTERM. The scripts in `bench/failures` kill it.
//!
//! Not for users: an index of such files is slow.

use lookalike::Plan;
use lookalike_index::Index;
use lookalike_index::live::IndexSizes;
use lookalike_service::{Service, ServiceSettings};
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("name the folder of an index")?);
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:0".to_owned()).parse()?;
    let memtable = arguments.next().map_or(Ok(64), |size| size.parse())?;
    let log_file = arguments.next().map_or(Ok(32 << 10), |size| size.parse())?;
    let index = match Index::is_at(&folder) {
        true => Index::open_to_add(&folder)?,
        false => Index::create(&folder, &Plan::default())?,
    };
    let index = index.with_sizes(IndexSizes { memtable, log_file, compaction: memtable as u64 });
    let documents = index.documents();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let service = Service::bind(index, ServiceSettings { address, ..ServiceSettings::default() }).await?;
        eprintln!("serving {documents} documents of {} on http://{}", folder.display(), service.address()?);
        service.run(stopped()).await?;
        Ok(())
    })
}

/// Waits for SIGTERM. Where there is none, it waits for ever.
async fn stopped() {
    #[cfg(unix)]
    if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        terminate.recv().await;
        return;
    }
    std::future::pending().await
}
