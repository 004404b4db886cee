#!/usr/bin/env bash
# tar 0.4.46 (Rust): a value of a pax header that has a line feed is not read back, although the crate itself has written it.
#
# A record of such a header is its length, a space, the key, `=`, the value and a line feed. POSIX.1-2024 lets a value have line feeds, so the length
# says where a record ends. The module tarfile of Python 3.11 reads the value. `Entry::pax_extensions` splits the header at line feeds, and gives an
# error for each of the pieces. The records behind them are read.
#
# Seen: a test that kept the headers of members, and compared the keys.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir src
cat >Cargo.toml <<'END'
[package]
name = "pax"
version = "0.0.0"
edition = "2021"

[dependencies]
tar = { version = "=0.4.46", default-features = false }
END
cat >src/main.rs <<'END'
fn main() {
    let mut archive = tar::Builder::new(Vec::new());
    archive.append_pax_extensions([("comment", &b"two\nlines"[..]), ("mtime", b"1.5")]).unwrap();
    let mut header = tar::Header::new_ustar();
    header.set_size(0);
    header.set_cksum();
    archive.append_data(&mut header, "a.txt", &b""[..]).unwrap();
    let bytes = archive.into_inner().unwrap();
    std::fs::write("a.tar", &bytes).unwrap();
    let mut archive = tar::Archive::new(&bytes[..]);
    let mut entry = archive.entries().unwrap().next().unwrap().unwrap();
    for record in entry.pax_extensions().unwrap().unwrap() {
        println!("tar: {}", record.map_or("an error".to_owned(), |record| record.key().unwrap().to_owned()));
    }
}
END
CARGO_TARGET_DIR=$folder/target cargo run --quiet | tee seen.txt
python3 -c 'import tarfile; print("tarfile:", tarfile.open("a.tar").getmembers()[0].pax_headers)' | tee -a seen.txt
diff seen.txt - <<'END'
tar: an error
tar: an error
tar: mtime
tarfile: {'comment': 'two\nlines', 'mtime': '1.5'}
END
