#!/usr/bin/env bash
# lz4_flex 0.14.0, frame::FrameDecoder: a frame that is cut off between two of its blocks is read to an end, without an error. The mark of its end, its
# length and the checksum of its content, which the frame announces, are missing, and nobody says so. The program lz4 1.9.4 refuses the same file.
#
# A download that stopped at a block looks like a whole file. A reader has to note itself that the source ended before the mark: `read` gives 0 in both
# cases.
#
# Seen: a guess, from the code that reads the length of a block. A cut within a block was guessed to be an error, and is one.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir src
cat >Cargo.toml <<'END'
[package]
name = "cut"
version = "0.0.0"
edition = "2021"

[dependencies]
lz4_flex = "=0.14.0"
END
cat >src/main.rs <<'END'
use lz4_flex::frame::{BlockSize, FrameDecoder, FrameEncoder, FrameInfo};
use std::io::{Read, Write};

fn main() {
    let info = FrameInfo::new().block_size(BlockSize::Max64KB).content_checksum(true);
    let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
    let text: Vec<u8> = (0..40_000).flat_map(|number: u32| format!("{number} ").into_bytes()).collect();
    encoder.write_all(&text).unwrap();
    let whole = encoder.finish().unwrap();
    // The first block stands behind the 7 bytes of the head, and begins with its length.
    let block = u32::from_le_bytes(whole[7..11].try_into().unwrap()) & 0x7fff_ffff;
    for (place, length) in [("between two blocks", 11 + block as usize), ("in a block", 100)] {
        let mut read = Vec::new();
        let result = FrameDecoder::new(&whole[..length]).read_to_end(&mut read);
        println!("cut {place}: {}, {} of {} bytes", if result.is_ok() { "no error" } else { "an error" }, read.len(), text.len());
    }
}
END
CARGO_TARGET_DIR=$folder/target cargo run --quiet | tee seen.txt
grep -qx 'cut between two blocks: no error, 65536 of 228890 bytes' seen.txt
grep -qx 'cut in a block: an error, 0 of 228890 bytes' seen.txt
