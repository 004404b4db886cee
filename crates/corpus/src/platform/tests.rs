//! The same checks for the functions of this system and for their twins.

use super::*;

/// A function that reads a file at a position.
type ReadAt = fn(&fs::File, &mut [u8], u64) -> io::Result<usize>;

const READERS: [ReadAt; 2] = [read_at, other::read_at];

#[test]
fn a_file_is_read_at_any_position_by_several_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let content: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
    fs::write(&path, &content).unwrap();
    let file = fs::File::open(&path).unwrap();
    for read_at in READERS {
        std::thread::scope(|scope| {
            for thread in 0..4_usize {
                let (file, content) = (&file, &content);
                scope.spawn(move || {
                    let mut buffer = [0; 64];
                    for position in (thread * 100..content.len()).step_by(5003) {
                        let length = read_at(file, &mut buffer, position as u64).unwrap();
                        let expected = &content[position..content.len().min(position + 64)];
                        assert_eq!(&buffer[..length], expected);
                    }
                });
            }
        });
        let mut buffer = [0; 64];
        assert_eq!(read_at(&file, &mut buffer, content.len() as u64 + 1).unwrap(), 0);
    }
    let mut all = vec![0; content.len()];
    read_exact_at(&file, &mut all, 0).unwrap();
    assert_eq!(all, content);
    let error = read_exact_at(&file, &mut all, 1).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
}

#[test]
fn names_of_one_file_have_one_identity() {
    fn check<I: PartialEq + std::fmt::Debug>(of: impl Fn(&Path) -> I) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("in")).unwrap();
        for name in ["in/a", "in/b"] {
            fs::write(path(name), "").unwrap();
        }
        assert_eq!(of(&path("in/a")), of(&path("in/../in/a")));
        assert_ne!(of(&path("in/a")), of(&path("in/b")));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(path("in/a"), path("link")).unwrap();
            assert_eq!(of(&path("link")), of(&path("in/a")));
        }
    }
    check(|path| FileIdentity::of(path, &fs::metadata(path).unwrap()));
    check(|path| other::FileIdentity::of(path, &fs::metadata(path).unwrap()));
}

#[test]
fn a_removed_file_is_known_to_be_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    for is_removed in [is_removed, other::is_removed] {
        fs::write(&path, "").unwrap();
        let file = fs::File::open(&path).unwrap();
        assert!(!is_removed(&file, &path));
        fs::remove_file(&path).unwrap();
        assert!(is_removed(&file, &path));
    }
}

#[test]
fn a_rename_says_where_the_previous_file_is() {
    for rename in [rename_with_way_back, other::rename_with_way_back] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let read = |name: &str| fs::read(path(name)).ok();
        fs::write(path("new"), "new").unwrap();
        assert_eq!(rename(&path("new"), &path("to")).unwrap(), Previous::Nothing);
        fs::write(path("newer"), "newer").unwrap();
        let previous = rename(&path("newer"), &path("to")).unwrap();
        assert_eq!(read("to").unwrap(), b"newer");
        match previous {
            Previous::Exchanged => assert_eq!(read("newer").unwrap(), b"new"),
            _ => assert_eq!((previous, read("newer")), (Previous::Gone, None)),
        }
        fs::create_dir(path("folder")).unwrap();
        assert!(rename(&path("to"), &path("folder")).is_err());
        assert_eq!(read("to").unwrap(), b"newer");
    }
}

#[test]
fn temporary_files_and_folders_are_made_by_both_ways() {
    let folder = tempfile::tempdir().unwrap();
    for allow_others_to_read in [allow_others_to_read, other::allow_others_to_read] {
        allow_others_to_read(&mut tempfile::Builder::new()).tempfile_in(folder.path()).unwrap();
    }
    sync_folder(folder.path()).unwrap();
    other::sync_folder(folder.path()).unwrap();
    assert_eq!(machine(), machine());
    assert_eq!(other::machine(), other::machine());
    assert!(standard_output().is_ok());
}
