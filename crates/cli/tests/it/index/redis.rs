//! An index in Redis, beside folders.

#[allow(dead_code, reason = "other tests kill it too")]
#[path = "../../../../index/src/redis/tests/server.rs"]
mod server;

use crate::{Folder, failed};
use server::RedisServer;

#[test]
fn an_index_that_redis_does_not_have_is_not_copied() {
    let (folder, server) = (Folder::new(), RedisServer::start());
    let address = server.address("nope");
    let expected = format!("error: {address}: this Redis has no index of the name nope\n");
    for _ in 0..2 {
        assert_eq!(folder.run(&format!("index copy {address} out.index")), failed(1, &expected));
    }
    assert!(folder.names().is_empty());
}
