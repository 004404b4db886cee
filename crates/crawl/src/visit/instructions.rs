//! What a page asks of search engines: `<meta name=robots>` and the header `X-Robots-Tag`.

/// Instructions with a value behind a colon. Any other name before a colon is that of a robot.
const WITH_VALUE: [&str; 4] = ["max-image-preview", "max-snippet", "max-video-preview", "unavailable_after"];

/// The names under which an instruction counts. An audit is about search results, so pages that are closed to the largest search engine are
/// not indexed. Links are followed for all that is asked of others.
pub(super) fn agents(instruction: &str) -> &'static [&'static str] {
    if instruction == "noindex" { &["robots", "googlebot"] } else { &["robots"] }
}

/// Whether a name is one of these.
pub(super) fn is_one(name: &str, agents: &[&str]) -> bool {
    agents.iter().any(|agent| name.eq_ignore_ascii_case(agent))
}

/// Whether the value of a tag has an instruction.
pub(super) fn tag_has(content: &str, instruction: &str) -> bool {
    content.split(',').any(|item| is(item, instruction))
}

/// Whether a header has an instruction for one of these robots. Instructions behind the name of a robot, as in `otherbot: noindex, nofollow`,
/// are for that robot, up to the name of the next one. Instructions before any name are for all.
pub(super) fn header_has(header: &str, instruction: &str, agents: &[&str]) -> bool {
    let mut applies = true;
    header.split(',').any(|mut item| {
        if let Some((name, rest)) = item.split_once(':')
            && let name = name.trim()
            && !is_one(name, &WITH_VALUE)
            // The time of a date has a colon too.
            && !name.contains(char::is_whitespace)
        {
            (applies, item) = (is_one(name, agents), rest);
        }
        applies && is(item, instruction)
    })
}

/// Whether an item is this instruction, or `none`, which stands for two.
fn is(item: &str, instruction: &str) -> bool {
    let item = item.trim();
    item.eq_ignore_ascii_case(instruction)
        || (item.eq_ignore_ascii_case("none") && matches!(instruction, "noindex" | "nofollow"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_instructions_behind_the_name_of_a_robot_are_for_that_robot() {
        let has = |header: &str, instruction| header_has(header, instruction, agents(instruction));
        for header in ["otherbot: noindex, nofollow", "badbot: noarchive, noindex, none", "a: x, b: none"] {
            assert!(!has(header, "noindex") && !has(header, "nofollow"), "{header}");
        }
        for header in ["noindex", "none", "max-snippet: 5, NOINDEX", "otherbot: none, robots: noindex"] {
            assert!(has(header, "noindex"), "{header}");
        }
        assert!(has("unavailable_after: Fri, 25 Jun 2027 15:00:00 GMT, nofollow", "nofollow"));
        assert!(has("GoogleBot: noindex", "noindex") && !has("googlebot: nofollow", "nofollow"));
    }
}
