//! A browser that is told what to do, and says what happens: the DevTools protocol over two pipes.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

/// A busy machine may take long for each step.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub(crate) struct Chromium {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    _profile: tempfile::TempDir,
    session: Value,
    sent: u64,
    /// Errors, warnings and exceptions of the page.
    pub(crate) complaints: Vec<String>,
    /// The addresses that the page has asked for.
    pub(crate) requests: Vec<String>,
}

impl Chromium {
    pub(crate) fn start(browser: &str) -> Self {
        let profile = tempfile::tempdir().unwrap();
        // The protocol uses the descriptors 3 and 4, of messages that end with a zero byte. The test wrote the pages, so they need no sandbox,
        // which would refuse root.
        let script = "exec \"$@\" 3<&0 4>&1 2>/dev/null";
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh", browser, "--remote-debugging-pipe", "--headless", "--no-sandbox"]);
        command.args(["--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (sender, messages) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        spawn(move || {
            for message in output.split(0).map_while(Result::ok) {
                let _ = serde_json::from_slice(&message).map(|message| sender.send(message));
            }
        });
        let input = child.stdin.take().unwrap();
        let mut chromium = Chromium {
            child,
            input,
            messages,
            _profile: profile,
            session: Value::Null,
            sent: 0,
            complaints: Vec::new(),
            requests: Vec::new(),
        };
        chromium.open_page();
        chromium
    }

    fn open_page(&mut self) {
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        self.session = self.call("Target.attachToTarget", attach)["sessionId"].clone();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
        // Otherwise Chromium gives the page the focus when it likes, and keys before that are lost.
        self.call("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }));
    }

    /// Sends a command, and waits for its result.
    fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.sent += 1;
        let mut message = json!({ "id": self.sent, "method": method, "params": parameters });
        if !self.session.is_null() {
            message["sessionId"] = self.session.clone();
        }
        self.input.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let message = self.messages.recv_timeout(PATIENCE).unwrap();
            if message["id"] == self.sent {
                assert_eq!(message["error"], Value::Null, "{method}");
                return message["result"].clone();
            }
            self.notice(&message);
        }
    }

    fn notice(&mut self, message: &Value) {
        let parameters = &message["params"];
        match message["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" => {
                self.complaints.push(parameters.to_string());
            }
            "Log.entryAdded" => self.complaints.push(parameters["entry"].to_string()),
            "Network.requestWillBeSent" => {
                self.requests.push(parameters["request"]["url"].as_str().unwrap().to_owned());
            }
            _ => {}
        }
    }

    /// The value of an expression in the page.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        self.call("Runtime.evaluate", parameters)["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub(crate) fn wait_for(&mut self, expression: &str) {
        let start = Instant::now();
        while self.evaluate(expression) != true {
            if start.elapsed() > PATIENCE {
                let page = self.evaluate("document.body.innerText");
                panic!("not true: {expression}; {page}; {:?}", self.complaints);
            }
            sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the page has a text.
    pub(crate) fn wait_for_text(&mut self, text: &str) {
        self.wait_for(&format!("document.body?.innerText.includes({})", json!(text)));
    }

    pub(crate) fn set_screen(&mut self, width: u32, scheme: &str) {
        let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    pub(crate) fn open(&mut self, address: &str) {
        self.call("Page.navigate", json!({ "url": address }));
    }

    /// Types a text where the focus is.
    pub(crate) fn write(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// Presses Tab until the element with this id has the focus, a few times at most: Chromium may lose the first one behind a jump in the page.
    pub(crate) fn tab_to(&mut self, id: &str) {
        for _ in 0..5 {
            self.press("Tab");
            if self.evaluate("document.activeElement.id") == id {
                return;
            }
        }
        panic!("{id} is not reached by Tab");
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: &str) {
        let text = match key {
            "Enter" => "\r",
            key if key.len() == 1 => key,
            _ => "",
        };
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            _ => 0,
        };
        for step in ["keyDown", "keyUp"] {
            let mut parameters = json!({ "type": step, "key": key, "windowsVirtualKeyCode": code });
            if !text.is_empty() && step == "keyDown" {
                parameters["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", parameters);
        }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
