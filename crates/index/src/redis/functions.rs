//! Calls the functions of an index. They are loaded when a server does not have them.

use super::address::RedisAddress;
use super::error::RedisError;
use ::redis::aio::{ConnectionManager, ConnectionManagerConfig};
use ::redis::io::tcp::TcpSettings;
use ::redis::{Client, Cmd, FromRedisValue, IntoConnectionInfo, Pipeline, Value};
use std::time::Duration;

/// The library of functions.
const LIBRARY: &str = include_str!("functions.lua");

/// The names of the functions start with it. It is the name of the library, with the version.
const PREFIX: &str = "lookalike_3_";

/// A function of many documents takes milliseconds, and a server that writes to a slow disk may take seconds.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// The time to connect, each time that it is tried.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How often a lost connection is tried again, with pauses from 0.1 to 1 s, before waiting requests get an error. Later requests try again.
const CONNECT_TRIES: usize = 3;

/// How often a request that changes nothing is sent: again on a new connection, if the answer is lost.
const READ_TRIES: usize = 3;

/// How often a request waits for a server that reads its files after a start, and how long each time. Such a server has done nothing.
const LOADING_TRIES: usize = 100;
const LOADING_PAUSE: Duration = Duration::from_millis(50);

/// Whether a request may be sent twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// It changes nothing.
    Safe,
    /// It may have been done, although there was no answer.
    Unsafe,
}

/// A connection that many tasks share. It connects again when it is lost.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    manager: ConnectionManager,
    /// The first key of every function.
    key: String,
}

/// A client whose connections send each call at once. Calls of many tasks share a connection: one would wait for the acknowledgement of another.
fn client(address: &RedisAddress) -> Result<Client, ::redis::RedisError> {
    let server = address.server().into_connection_info()?;
    Client::open(server.set_tcp_settings(TcpSettings::default().set_nodelay(true)))
}

impl Connection {
    /// Connects. The functions are [prepared](Connection::prepare) next.
    pub(crate) async fn open(address: &RedisAddress, key: String) -> Result<Self, RedisError> {
        let connect = |error: ::redis::RedisError| RedisError::Connect {
            address: address.to_string(),
            reason: error.to_string(),
        };
        let client = client(address).map_err(connect)?;
        let config = ConnectionManagerConfig::new()
            .set_response_timeout(Some(ANSWER_TIMEOUT))
            .set_connection_timeout(Some(CONNECT_TIMEOUT))
            .set_number_of_retries(CONNECT_TRIES)
            .set_max_delay(Duration::from_secs(1));
        let manager = ConnectionManager::new_with_config(client, config).await.map_err(connect)?;
        Ok(Connection { manager, key })
    }

    /// Loads the functions for the first time.
    pub(crate) async fn prepare(&self, address: &RedisAddress) -> Result<(), RedisError> {
        self.load().await.map_err(|error| match &error {
            RedisError::Refused { reason } if reason.contains("unknown command") => {
                RedisError::TooOld { address: address.to_string() }
            }
            _ => error,
        })
    }

    /// Loads the functions. They are the same for all programs that know this version.
    async fn load(&self) -> Result<(), RedisError> {
        let mut load = ::redis::cmd("FUNCTION");
        load.arg("LOAD").arg("REPLACE").arg(LIBRARY);
        self.send(&load, Repeat::Safe).await.map(|_: Value| ())
    }

    /// A call of the function `name`. Its arguments follow.
    pub(crate) fn function(&self, name: &str) -> Cmd {
        let mut call = ::redis::cmd("FCALL");
        call.arg(format!("{PREFIX}{name}")).arg(1).arg(&self.key);
        call
    }

    /// Calls a function of [`Connection::function`]. A server that was restarted without its files has lost the functions too.
    pub(crate) async fn call<T: FromRedisValue>(&self, call: &Cmd, repeat: Repeat) -> Result<T, RedisError> {
        match self.send(call, repeat).await {
            Err(error) if is_missing(&error) => {
                self.load().await?;
                self.send(call, repeat).await
            }
            answer => answer,
        }
    }

    /// Sends a command.
    pub(crate) async fn send<T: FromRedisValue>(
        &self,
        command: &Cmd,
        repeat: Repeat,
    ) -> Result<T, RedisError> {
        let (mut sent, mut waited) = (0, 0);
        loop {
            sent += 1;
            match command.query_async(&mut self.manager.clone()).await.map_err(RedisError::from) {
                Err(RedisError::NotAnswered { .. }) if repeat == Repeat::Safe && sent < READ_TRIES => {}
                Err(RedisError::Loading) if waited < LOADING_TRIES => {
                    waited += 1;
                    tokio::time::sleep(LOADING_PAUSE).await;
                }
                answer => return answer,
            }
        }
    }

    /// Sends several commands, and waits for all answers. The functions must have been called before.
    pub(crate) async fn send_all<T: FromRedisValue>(&self, commands: &Pipeline) -> Result<T, RedisError> {
        Ok(commands.query_async(&mut self.manager.clone()).await?)
    }
}

fn is_missing(error: &RedisError) -> bool {
    matches!(error, RedisError::Refused { reason } if reason.contains("Function not found"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use xxhash_rust::xxh3::xxh3_64;

    /// The library of this version. When it changes, the version in its names must change, and then this number.
    const DIGEST: u64 = 0x78a8_ed82_0c38_9b0e;

    #[test]
    fn a_version_of_the_functions_has_one_text() {
        assert!(LIBRARY.starts_with(&format!("#!lua name={}\n", PREFIX.trim_end_matches('_'))));
        assert_eq!(LIBRARY.matches(&format!("'{PREFIX}'")).count(), 1);
        let digest = xxh3_64(LIBRARY.as_bytes());
        assert_eq!(digest, DIGEST, "give the library a new version, then this digest: {digest:#x}");
    }

    #[test]
    fn connections_to_redis_send_without_delay() {
        let client = client(&"redis://127.0.0.1:1/0?name=pages".parse().unwrap()).unwrap();
        assert!(client.get_connection_info().tcp_settings().nodelay());
    }
}
