use std::{fs::File, sync::Arc};

use arrow_array::{RecordBatch, StringArray};
use arrow_ipc::{
    CompressionType,
    writer::{IpcWriteOptions, StreamWriter},
};

use super::*;
use crate::{Fields, Inputs, Scan, Waiting};

/// Whether another record batch may be decoded beside one, if batches may take so many bytes.
fn may_open(inputs: &mut Inputs, limit: u64) -> bool {
    inputs.hold_batches(limit);
    let fields = Fields::of_text("text");
    let against_fields = inputs.against_fields().of(&fields);
    let scan = Scan::Documents;
    let pass = Pass { inputs, fields: &fields, against_fields, scan, chunk_bytes: 1 << 20 };
    let mut schedule = Schedule::from_file(0);
    let WorkerStep::Streams { streams, may_open } = schedule.step(&pass).unwrap() else {
        panic!("no stream")
    };
    assert_eq!(streams.len(), 1);
    // Another worker may have been faster.
    schedule.open_next(&pass).unwrap();
    assert_eq!(schedule.streams.len(), if may_open { 2 } else { 1 });
    // One alone is always decoded.
    schedule.streams.clear();
    assert!(matches!(schedule.step(&pass).unwrap(), WorkerStep::Streams { .. }));
    may_open
}

#[test]
fn record_batches_are_decoded_at_once_only_as_far_as_memory_has_room() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.arrows");
    let text = "word ".repeat(200_000);
    for compression in [None, Some(CompressionType::LZ4_FRAME)] {
        let texts = StringArray::from(vec![text.as_str()]);
        let batch = RecordBatch::try_from_iter([("text", Arc::new(texts) as _)]).unwrap();
        let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
        let file = File::create(&path).unwrap();
        let mut writer = StreamWriter::try_new_with_options(file, &batch.schema(), options).unwrap();
        (0..3).for_each(|_| writer.write(&batch).unwrap());
        writer.finish().unwrap();
        let mut inputs = Inputs::resolve(&[path.to_str().unwrap().to_owned()], &Waiting::default()).unwrap();
        assert!(may_open(&mut inputs, u64::MAX), "{compression:?}");
        assert!(may_open(&mut inputs, 2_100_000), "{compression:?}");
        assert!(!may_open(&mut inputs, 1_900_000), "{compression:?}");
    }
}
