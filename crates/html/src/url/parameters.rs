//! The parameters that name a visitor, and not the page that is shown.

/// The parameters that a URL loses, as `docs/formats.md` lists them.
const LEFT_OUT: [(ParameterName, VisitorValue); 19] = [
    // Where a visitor came from.
    (ParameterName::StartsWith("utm_"), VisitorValue::Any),
    (ParameterName::Is("dclid"), VisitorValue::Any),
    (ParameterName::Is("fbclid"), VisitorValue::Any),
    (ParameterName::Is("gbraid"), VisitorValue::Any),
    (ParameterName::Is("gclid"), VisitorValue::Any),
    (ParameterName::Is("igshid"), VisitorValue::Any),
    (ParameterName::Is("mc_cid"), VisitorValue::Any),
    (ParameterName::Is("mc_eid"), VisitorValue::Any),
    (ParameterName::Is("msclkid"), VisitorValue::Any),
    (ParameterName::Is("wbraid"), VisitorValue::Any),
    (ParameterName::Is("yclid"), VisitorValue::Any),
    // A visit. A server makes a new value for each visitor, and shows the same page.
    (ParameterName::Is("aspsessionid"), VisitorValue::Any),
    (ParameterName::Is("cfid"), VisitorValue::Any),
    (ParameterName::Is("cftoken"), VisitorValue::Any),
    (ParameterName::Is("jsessionid"), VisitorValue::Any),
    (ParameterName::Is("phpsessid"), VisitorValue::Any),
    (ParameterName::Is("zenid"), VisitorValue::Any),
    // A visit, or a session of a conference. Only the former have a token as their value.
    (ParameterName::Is("session_id"), VisitorValue::Token),
    (ParameterName::Is("sessionid"), VisitorValue::Token),
];

/// The fewest characters of a token. Servers make 20 to 40.
const TOKEN: usize = 16;

/// The start of a visit's name in a path, as Java servers write it.
const PATH_SESSION: &str = ";jsessionid=";

/// A name in small letters. Names are compared without regard to case.
enum ParameterName {
    Is(&'static str),
    StartsWith(&'static str),
}

/// The values with which a parameter is left out.
#[derive(PartialEq)]
enum VisitorValue {
    Any,
    Token,
}

/// Whether a parameter of a query, decoded, names a visitor.
pub(super) fn is_of_a_visitor(parameter: &str) -> bool {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    let name = name.to_ascii_lowercase();
    LEFT_OUT.iter().any(|(left_out, values)| {
        let has_name = match left_out {
            ParameterName::Is(whole) => name == *whole,
            ParameterName::StartsWith(start) => name.starts_with(start),
        };
        has_name && (*values == VisitorValue::Any || is_token(value))
    })
}

/// A path without the name of a visit, if it has one. The segments behind it stay.
pub(super) fn without_visit(path: &str) -> Option<String> {
    let start = path.to_ascii_lowercase().find(PATH_SESSION)?;
    let behind = &path[start + PATH_SESSION.len()..];
    let rest = &behind[behind.find(['/', ';']).unwrap_or(behind.len())..];
    Some(format!("{}{rest}", &path[..start]))
}

/// Whether a value was drawn at random: hexadecimal digits, or letters and digits without any separator.
fn is_token(value: &str) -> bool {
    let is_hex = value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_mixed = value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
        && value
            .trim_end_matches("%3D")
            .trim_end_matches('=')
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric());
    value.len() >= TOKEN && (is_hex || is_mixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of the table in the documentation, as they follow from the table above.
    fn rows() -> Vec<String> {
        let rows = LEFT_OUT.iter().map(|(name, value)| {
            let name = match name {
                ParameterName::Is(whole) => format!("`{whole}`"),
                ParameterName::StartsWith(start) => format!("`{start}…`"),
            };
            let value = if *value == VisitorValue::Any {
                "any".to_owned()
            } else {
                format!("a token of {TOKEN} characters or more")
            };
            format!("| {name} | {value} |")
        });
        rows.collect()
    }

    #[test]
    fn the_documentation_lists_the_parameters_that_are_left_out() {
        let page =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md")).unwrap();
        let table = page.split_once("| parameter | left out with the value |\n|---|---|\n").unwrap().1;
        let listed: Vec<&str> = table.lines().take_while(|line| line.starts_with('|')).collect();
        assert_eq!(listed, rows());
        assert!(page.contains(&format!("`{PATH_SESSION}…`")));
    }
}
