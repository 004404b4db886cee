//! The options of a copy are those of the index that it follows.

use super::*;
use std::io::{BufRead, BufReader};

#[test]
fn a_copy_names_the_canonical_documents_of_its_index_and_refuses_other_options() {
    let folder = Folder::new();
    let primary = Server::start(&folder, "--mode all --canonical longest-text");
    let address = primary.address().to_owned();
    let options =
        |more: &str| format!("--index copy.index --follow http://{address} --listen 127.0.0.1:0 {more}");
    let (mut of, copy) = (primary.client(), Server::start_at(&folder, &options("")));
    let mut at = copy.client();
    assert_eq!(of.add("d0-0", &text(0, 0)).unwrap().0, 201);
    assert_eq!(of.add("d0-1", &(text(0, 1) + " and more")).unwrap().0, 201);
    wait(&mut of, &mut at);
    let (_, cluster) = get(&mut at, "/v1/documents/d0-0/cluster");
    assert_eq!((&cluster["canonical"], &cluster["policy"]), (&json!("d0-1"), &json!("longest-text")));
    let (_, index) = get(&mut at, "/v1/index");
    assert_eq!((&index["mode"], &index["canonical"]), (&json!("all"), &json!("longest-text")));
    drop(at);
    copy.kill();
    for (option, has) in [("--mode unique", "all"), ("--canonical first", "longest-text")] {
        let refused = folder.run(&format!("serve {}", options(option)));
        let expected =
            format!("error: {option} differs from http://{address}, which has {has}; leave the option out\n");
        assert_eq!((refused.code, refused.stderr), (Some(2), expected));
    }
    Server::start_at(&folder, &options("--mode all --canonical longest-text")).kill();
    drop(of);
    primary.kill();
    // It starts without the other service, and says by which options.
    let mut command = folder.command(&format!("serve {}", options("--canonical longest-text")));
    let mut alone = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(alone.stderr.take().unwrap());
    let mut note = String::new();
    said.read_line(&mut note).unwrap();
    assert!(
        note.starts_with("note: ")
            && note.ends_with("the copy has --mode unique and --canonical longest-text\n"),
        "{note}"
    );
    alone.kill().unwrap();
    alone.wait().unwrap();
}
