//! The lines of a robots.txt, split in the way in which the parser of its rules splits them. It keeps no line numbers, and compares a
//! `User-agent` with the name of a crawler as a whole.

use super::AGENT;
use robotxt::Robots;
use std::collections::HashMap;

/// The spellings of `User-agent` and `Disallow`, and of all other keys that end a list of `User-agent` lines.
const AGENTS: [&str; 3] = ["user-agent", "user agent", "useragent"];
const DISALLOWS: [&str; 6] = ["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"];
const OTHERS: [&str; 6] = ["allow", "alow", "allaw", "crawl-delay", "crawl delay", "crawldelay"];

/// A line that says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RobotsLine<'a> {
    Agent(&'a str),
    Disallow(&'a str),
    OtherRule,
}

/// The lines of a text, without their ends: runs of `\r` with one `\n` or `\0`, or one of these.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (line, end) = rest.split_at(rest.find(['\r', '\n', '\0']).unwrap_or(rest.len()));
        let end = end.trim_start_matches('\r');
        rest = end.strip_prefix(['\n', '\0']).unwrap_or(end);
        Some(line)
    })
}

/// What a line says. Its key is followed by a colon, or by a space.
fn read(line: &str) -> Option<RobotsLine<'_>> {
    let line = line.trim_start_matches([' ', '\t']);
    let value_of = |key: &&str| {
        let start = line.get(..key.len()).filter(|start| start.eq_ignore_ascii_case(key))?;
        let rest = &line[start.len()..];
        let spaced = rest.trim_start_matches([' ', '\t']);
        let value = match spaced.strip_prefix(':') {
            Some(value) => value,
            None if spaced.len() < rest.len() => spaced,
            None => return None,
        };
        Some(value.split('#').next().unwrap_or_default().trim_ascii())
    };
    let agent = AGENTS.iter().find_map(value_of).map(RobotsLine::Agent);
    let disallow = || DISALLOWS.iter().find_map(value_of).map(RobotsLine::Disallow);
    agent.or_else(disallow).or_else(|| OTHERS.iter().find_map(value_of).map(|_| RobotsLine::OtherRule))
}

/// The name of a crawler without its version: `lookalike` of `lookalike/1.0` (RFC 9309, section 2.2.1).
fn product(agent: &str) -> &str {
    let is_of_name = |char: char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '*');
    &agent[..agent.find(|char| !is_of_name(char)).unwrap_or(agent.len())]
}

/// The text with the names of crawlers without their versions.
pub(super) fn without_versions(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in split(text) {
        match read(line) {
            Some(RobotsLine::Agent(agent)) => out.extend(["User-agent: ", product(agent)]),
            _ => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// The number and text of the line of each `Disallow` pattern in the groups for `agent`, by the form in which the parser keeps the pattern.
pub(super) fn lines_of_patterns(text: &str, agent: &str) -> HashMap<String, (u32, String)> {
    let (mut applies, mut in_agents) = (false, false);
    let mut lines = HashMap::new();
    for (number, line) in (1..).zip(split(text)) {
        match read(line) {
            Some(RobotsLine::Agent(name)) => {
                applies = (in_agents && applies) || product(name).eq_ignore_ascii_case(agent);
                in_agents = true;
            }
            Some(RobotsLine::Disallow(value)) => {
                in_agents = false;
                if let (true, Some(pattern)) = (applies, normalised(value)) {
                    let shown = || line.split('#').next().unwrap_or_default().trim().to_owned();
                    lines.entry(pattern).or_insert_with(|| (number, shown()));
                }
            }
            Some(RobotsLine::OtherRule) => in_agents = false,
            None => {}
        }
    }
    lines
}

/// A pattern in the form in which the parser keeps it.
fn normalised(pattern: &str) -> Option<String> {
    let robots = Robots::parse(format!("User-agent: *\nDisallow: {pattern}").as_bytes(), AGENT);
    Some(robots.rules().first()?.pattern().to_owned())
}
