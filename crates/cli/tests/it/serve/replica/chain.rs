//! A copy of a copy.

use super::*;

#[test]
fn a_copy_of_a_copy_gets_all_changes_also_after_a_kill_of_the_one_between() {
    let folder = Folder::new();
    let start = |index: &str, follows: &str, listens: &str| {
        Server::start_at(&folder, &format!("--index {index} --follow http://{follows} --listen {listens}"))
    };
    let primary = Server::start(&folder, "--mode all");
    let middle = start("middle.index", primary.address(), "127.0.0.1:0");
    let last = start("last.index", middle.address(), "127.0.0.1:0");
    let (mut of, mut at) = (primary.client(), last.client());
    for family in 0..20 {
        for variant in 0..3 {
            assert_eq!(of.add(&format!("d{family}-{variant}"), &text(family, variant)).unwrap().0, 201);
        }
    }
    for family in 0..5 {
        assert_eq!(of.ask("DELETE", &format!("/v1/documents/d{family}-0"), "").unwrap().0, 204);
    }
    wait(&mut of, &mut at);
    compare(&mut of, &mut at, 20);
    let (_, cluster) = get(&mut at, "/v1/documents/d3-1/cluster");
    assert_eq!((&cluster["canonical"], &cluster["count"]), (&json!("d3-1"), &json!(2)));
    assert_eq!(get(&mut at, "/v1/index").1["follows"], format!("http://{}", middle.address()));
    // The one between is killed, and has missed something when it starts again.
    let address = middle.address().to_owned();
    middle.kill();
    assert_eq!(of.add("d20-0", &text(20, 0)).unwrap().0, 201);
    assert_eq!(of.ask("DELETE", "/v1/documents/d6-0", "").unwrap().0, 204);
    while get(&mut at, "/v1/index").1["not_following"].is_null() {
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(get(&mut at, "/v1/documents/d20-0").0, 404);
    let middle = start("middle.index", primary.address(), &address);
    wait(&mut of, &mut at);
    compare(&mut of, &mut at, 21);
    drop((of, at));
    [primary, middle, last].into_iter().for_each(Server::kill);
    for index in ["middle.index", "last.index"] {
        let info = folder.run(&format!("index info {index} --verify"));
        assert_eq!(info.code, Some(0), "{info:?}");
    }
}
