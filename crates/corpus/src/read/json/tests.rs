use super::stored::read_stored;
use super::*;
use crate::{Fields, StoredValue, StoredValues};
use proptest::prelude::*;

fn parse<'a>(
    line: &'a str,
    fields: &Fields,
    scan: Scan,
    buffers: &'a mut ValueBuffers,
) -> Result<WantedValues<'a>, Problem> {
    super::parse(line, FieldNames::of(fields), scan, buffers)
}

fn fields() -> Fields {
    Fields { id: Some("id".into()), number: Some("score".into()), ..Fields::of_text("text") }
}

fn text_of(line: &str) -> Result<String, Problem> {
    parse(line, &fields(), Scan::Documents, &mut ValueBuffers::default()).map(|wanted| wanted.text.to_owned())
}

#[test]
fn a_number_in_a_list_is_read_as_text_as_it_is_written() {
    for (number, expected) in [("7", Ok("7")), ("-0", Ok("-0")), ("1.50", Ok("1.50")), ("1e3", Ok("1e3"))] {
        let line = format!("{{\"text\":{number}}}");
        let mut buffers = ValueBuffers::default();
        let text = parse(&line, &fields(), Scan::Lists, &mut buffers).map(|wanted| wanted.text);
        assert_eq!(text, expected);
        assert!(parse(&line, &fields(), Scan::Documents, &mut ValueBuffers::default()).is_err());
    }
    assert!(parse("{\"text\":true}", &fields(), Scan::Lists, &mut ValueBuffers::default()).is_err());
}

#[test]
fn the_wanted_fields_are_read_at_any_position() {
    let mut buffers = ValueBuffers::default();
    let line = r#" {"a":{"text":[1,{}]},"score":-2.5,"id":"x","b":[],"text":"a\tb" , "c":null} "#;
    let wanted = parse(line, &fields(), Scan::Documents, &mut buffers).unwrap();
    assert_eq!(
        wanted,
        WantedValues { text: "a\tb", is_null: false, id: Some("x"), number: Rank::of_float(-2.5) }
    );
}

#[test]
fn a_number_as_id_is_read_as_it_is_written() {
    for id in ["7", "-7", "18446744073709551615", "340282366920938463463374607431768211455", "1.50", "1e3"] {
        let line = format!(r#"{{"id":{id},"text":""}}"#);
        assert_eq!(
            parse(&line, &fields(), Scan::Documents, &mut ValueBuffers::default()).unwrap().id,
            Some(id)
        );
    }
}

#[test]
fn an_id_of_another_type_counts_as_none() {
    for id in ["null", "true", "[1]", "{}"] {
        let line = format!(r#"{{"id":{id},"text":""}}"#);
        assert_eq!(parse(&line, &fields(), Scan::Documents, &mut ValueBuffers::default()).unwrap().id, None);
    }
}

#[test]
fn one_field_can_be_the_id_and_the_number() {
    let fields = Fields { id: Some("n".into()), number: Some("n".into()), ..Fields::of_text("text") };
    let mut buffers = ValueBuffers::default();
    let wanted = parse(r#"{"n":12,"text":""}"#, &fields, Scan::Documents, &mut buffers).unwrap();
    assert_eq!(
        wanted,
        WantedValues { text: "", is_null: false, id: Some("12"), number: Rank::of_float(12.0) }
    );
}

#[test]
fn the_last_of_two_equal_keys_counts() {
    assert_eq!(text_of(r#"{"text":"a\n","text":"b"}"#).unwrap(), "b");
}

#[test]
fn every_escape_is_undone() {
    let line = r#"{"te\u0078t":"\"\\\/\b\f\n\r\t\u00e9\u0000\ud83d\ude00é"}"#;
    assert_eq!(text_of(line).unwrap(), "\"\\/\u{8}\u{c}\n\r\té\0😀é");
}

#[test]
fn an_unpaired_surrogate_is_broken_json_in_a_wanted_field() {
    for (line, field) in [
        (r#"{"text":"\ud83d"}"#, "text"),
        (r#"{"text":"\ude00"}"#, "text"),
        (r#"{"text":"\ud83dx"}"#, "text"),
        (r#"{"text":"a","id":"\ud83d\u0041"}"#, "id"),
    ] {
        let message = format!("unpaired surrogate in field {field:?}");
        assert_eq!(text_of(line), Err(Problem::BrokenJson { message }), "{line}");
    }
}

#[test]
fn values_of_unwanted_fields_are_only_checked_for_their_form() {
    for member in [
        r#""n":1e400"#,
        r#""n":-1E+9999"#,
        r#""n":123456789012345678901234567890.5"#,
        r#""x":"\ud800""#,
        r#""x":["\udc00x",{"y":"\ud83d\ud83d"}]"#,
        r#""\ud800":0"#,
        r#""n":NaN"#,
        r#""n":[Infinity,-Infinity, NaN]"#,
        r#""n" : NaN , "NaN":"NaN, Infinity \"NaN""#,
    ] {
        for line in [format!(r#"{{{member},"text":"a\nb"}}"#), format!(r#"{{"text":"a\nb",{member}}}"#)] {
            assert_eq!(text_of(&line).as_deref(), Ok("a\nb"), "{line}");
        }
    }
    let deep = format!(r#"{{"text":"a","x":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(text_of(&deep).as_deref(), Ok("a"));
}

#[test]
fn numbers_that_are_not_finite_are_ids_as_written_but_no_scores() {
    for (number, score) in [("NaN", None), ("-Infinity", None), ("1e400", None), ("1e3", Some(1e3))] {
        let line = format!(r#"{{"id":{number},"score":{number},"text":""}}"#);
        let mut buffers = ValueBuffers::default();
        let wanted = parse(&line, &fields(), Scan::Documents, &mut buffers).unwrap();
        assert_eq!(
            wanted,
            WantedValues {
                text: "",
                is_null: false,
                id: Some(number),
                number: score.and_then(Rank::of_float)
            }
        );
        let problem = text_of(&format!(r#"{{"text":{number}}}"#)).unwrap_err();
        assert_eq!(problem, Problem::NotText { field: "text".into(), found: "a number" });
    }
}

#[test]
fn one_field_can_be_the_text_the_id_and_the_number() {
    let fields = Fields { id: Some("a".into()), number: Some("a".into()), ..Fields::of_text("a") };
    for (line, text, number) in [
        (r#"{"a":"12"}"#, "12", Some(12.0)),
        (r#"{"a":"1\u0032"}"#, "12", Some(12.0)),
        (r#"{"a":"\t"}"#, "\t", None),
    ] {
        let mut buffers = ValueBuffers::default();
        let wanted = parse(line, &fields, Scan::Documents, &mut buffers).unwrap();
        assert_eq!(
            wanted,
            WantedValues { text, is_null: false, id: Some(text), number: number.and_then(Rank::of_float) }
        );
    }
}

fn nested() -> Fields {
    Fields {
        id: Some("meta.id".into()),
        number: Some("meta.of.score".into()),
        ..Fields::of_text("meta.text")
    }
}

fn nested_text_of(line: &str) -> Result<String, Problem> {
    parse(line, &nested(), Scan::Documents, &mut ValueBuffers::default()).map(|wanted| wanted.text.to_owned())
}

#[test]
fn a_dot_leads_into_an_object() {
    let mut buffers = ValueBuffers::default();
    let line = r#"{"text":"no","meta":{"x":{"text":1},"of":{"score":"7"},"text":"a\nb","id":12},"id":0}"#;
    let wanted = parse(line, &nested(), Scan::Documents, &mut buffers).unwrap();
    assert_eq!(
        wanted,
        WantedValues { text: "a\nb", is_null: false, id: Some("12"), number: Rank::of_float(7.0) }
    );
    assert!(direct::parse(line, FieldNames::of(&nested()), &mut ValueBuffers::default()).is_some());
}

#[test]
fn a_field_with_the_whole_name_has_precedence_over_a_path() {
    let (whole, inside) = (r#""meta.text":"whole""#, r#""meta":{"text":"in\tside"}"#);
    for line in [format!("{{{whole},{inside}}}"), format!("{{{inside},{whole}}}")] {
        assert_eq!(nested_text_of(&line).as_deref(), Ok("whole"), "{line}");
    }
    assert_eq!(nested_text_of(&format!("{{{inside}}}")).as_deref(), Ok("in\tside"));
    let problem = nested_text_of(&format!(r#"{{{inside},"meta.text":null}}"#)).unwrap_err();
    assert_eq!(problem, Problem::NotText { field: "meta.text".into(), found: "null" });
}

#[test]
fn the_last_of_two_equal_keys_counts_on_a_path_too() {
    let text = r#"{"meta":{"text":"a","text":"b"},"meta":{"text":"c"}}"#;
    assert_eq!(nested_text_of(text).as_deref(), Ok("c"));
    for last in [r#"{"x":1}"#, "[]"] {
        assert!(nested_text_of(&format!(r#"{{"meta":{{"text":"a"}},"meta":{last}}}"#)).is_err());
    }
}

#[test]
fn a_missing_field_on_a_path_lists_the_fields_of_the_last_object() {
    for (line, said) in [
        (r#"{"a":1,"b":{"text":"x"}}"#, r#"no field "meta.text"; fields seen: a, b.text"#),
        (
            r#"{"a":1,"meta":{"t\u0065xts":NaN,"n":2}}"#,
            r#"no field "meta.text"; fields seen: meta.texts, meta.n"#,
        ),
        (r#"{"meta":["text"]}"#, r#"no field "meta.text": "meta" is a list, not an object"#),
        (r#"{"meta":null}"#, r#"no field "meta.text": "meta" is null, not an object"#),
        (
            r#"{"meta":{"text":{"a":1}}}"#,
            r#"field "meta.text" is an object, not text; its fields are meta.text.a"#,
        ),
    ] {
        assert_eq!(nested_text_of(line).unwrap_err().to_string(), said, "{line}");
    }
    let deep = Fields::of_text("a.b.c");
    let problem =
        parse(r#"{"a":{"b":"x"}}"#, &deep, Scan::Documents, &mut ValueBuffers::default()).unwrap_err();
    assert_eq!(problem.to_string(), r#"no field "a.b.c": "a.b" is a text, not an object"#);
}

#[test]
fn a_path_of_any_length_takes_no_stack() {
    let name = vec!["a"; 60_000].join(".");
    let fields = Fields::of_text(name);
    let line = format!("{}\"x\"{}", "{\"a\":".repeat(60), "}".repeat(60));
    let problem = parse(&line, &fields, Scan::Documents, &mut ValueBuffers::default()).unwrap_err();
    assert!(matches!(problem, Problem::NoObjectOnPath { .. }));
}

#[test]
fn a_line_with_broken_json_anywhere_gives_no_record() {
    let broken = [
        r#"{"text":"a""#,
        r#"{"text":"a"}}"#,
        r#"{"text":"a"} {"text":"b"}"#,
        r#"{"text":"a",}"#,
        r#"{"text":"a" "b":1}"#,
        r#"{"text":"a","b":tru}"#,
        r#"{"text":"a","b":01}"#,
        r#"{"text":"a","b":"\x"}"#,
        r#"{"text":"a","b":"\u12g4"}"#,
        r#"{"text":"a","b":[1,]}"#,
        r#"{"text":"a","b":{"c"}}"#,
        r#"{"text":"a","b":{1:2}}"#,
        r#"{text:"a"}"#,
        r#"{NaN:"a"}"#,
        r#"{"text":"a","b":1NaN}"#,
        r#"{"text":"a","b":NaNa}"#,
        r#"{"text":"a","b":-NaN}"#,
        r#"{"text":"a","b":1e}"#,
        "{\"text\":\"a\",\"b\tc\":1}",
        "{\"text\":\"a\",\"\\u0062\tc\":1}",
        "{\"text\":\"a\tb\"}",
        "{",
        "x",
    ];
    for line in broken {
        let problem = text_of(line).unwrap_err();
        assert!(matches!(problem, Problem::BrokenJson { .. }), "{line}: {problem}");
    }
}

#[test]
fn a_line_of_a_million_brackets_is_a_bad_record() {
    for opening in ["[", "{\"a\":", "[{\"a\":"] {
        let line = format!("{{\"a\":{}", opening.repeat(1_000_000));
        assert!(matches!(text_of(&line), Err(Problem::BrokenJson { .. })));
        assert!(matches!(text_of(&line[5..]), Err(Problem::BrokenJson { .. })));
    }
}

#[test]
fn a_value_that_is_not_an_object_is_reported_by_kind() {
    for (line, kind) in
        [("[]", "a list"), ("null", "null"), ("1", "a number"), ("\"{}\"", "a text"), ("true", "a boolean")]
    {
        assert_eq!(text_of(line), Err(Problem::NotAnObject { found: kind }));
    }
}

#[test]
fn a_text_field_that_is_not_text_is_reported_by_kind() {
    for (value, kind) in
        [("null", "null"), ("1", "a number"), ("1.5", "a number"), ("[]", "a list"), ("{}", "an object")]
    {
        let problem = text_of(&format!(r#"{{"text":{value}}}"#)).unwrap_err();
        assert_eq!(problem, Problem::NotText { field: "text".into(), found: kind });
    }
}

#[test]
fn a_missing_text_field_lists_the_fields_seen() {
    let problem = text_of(r#"{"body":"a","id":1}"#).unwrap_err();
    assert_eq!(problem.to_string(), r#"no field "text"; fields seen: body, id"#);
}

/// Pieces of valid and broken lines. Put one behind another, they make lines of all kinds.
const PIECES: [&str; 52] = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    " ",
    "\t",
    "\"",
    "\"text\":",
    "\"id\":",
    "\"score\":",
    "\"te\\u0078t\":",
    "\"a\": ",
    "\"é",
    "words of an ordinary length, and then some\"",
    "\\n",
    "\\\"",
    "\\\\",
    "\\/",
    "\\b\\f\\r\\t",
    "\\\u{700}",
    "\\\u{e000}",
    "\\\u{100000}",
    "\\u00e9",
    "\\uD83D\\uDE00",
    "\\ud800",
    "\\udc00\\udc00",
    "\\u+123",
    "\\x",
    "0",
    "-0",
    "-",
    "01",
    "12",
    "-1.5",
    "1.",
    "1e3",
    "123456789012345678",
    "1234567890123456789",
    "0.1234567890123456789",
    "true",
    "false",
    "null",
    "nul",
    "NaN",
    "Infinity",
    "1E-7",
    "e",
    "\u{7f}",
    "\u{1f}",
    "\u{c}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn the_careful_parser_agrees_on_every_line_that_the_direct_parser_accepts(
        members in prop::collection::vec(prop::collection::vec(prop::sample::select(&PIECES[..]), 0..5), 0..5),
        whole in any::<bool>(),
        same in any::<bool>(),
    ) {
        let members: Vec<String> = members
            .into_iter()
            .enumerate()
            .map(|(index, pieces)| {
                let key = ["\"text\":\"", "\"id\":", "\"x\":[", "\"score\": ", ""][index];
                let end = ["\"", "", "]", " ", ""][index];
                format!("{key}{}{end}", pieces.concat())
            })
            .collect();
        let line = if whole { format!("{{{}}}", members.join(",")) } else { members.concat() };
        let number = if same { "id" } else { "score" };
        let fields = Fields { number: Some(number.into()), ..fields() };
        let names = FieldNames::of(&fields);
        // With a block of bytes behind them, the texts are read by vectors on machines that have them.
        let longer = line.strip_suffix('}').map(|line| format!("{line},\"y\":\"{}\"}}", "z".repeat(100)));
        for line in [Some(line), longer].into_iter().flatten() {
            let mut again = ValueBuffers::default();
            let careful = parse_carefully(&line, names, Scan::Documents, &mut again);
            for mut buffers in [ValueBuffers::default(), ValueBuffers::without_vectors()] {
                if let Some(found) = direct::parse(&line, names, &mut buffers) {
                    let direct = wanted(&line, names, Scan::Documents, found, &buffers);
                    prop_assert_eq!(&direct, &careful, "{}", line);
                }
            }
        }
    }
}

#[test]
fn ordinary_lines_are_read_by_the_direct_parser() {
    for line in [
        r#"{"text":"a","id":1}"#,
        r#" { "id" : "x" , "text" : "a\nb\u00e9\ud83d\ude00\"" , "score" : -2.5 } "#,
        r#"{"meta":{"url":"http:\/\/a","n":[1,2.5,null,{"b":true}]},"text":""}"#,
        "{\"text\":\"a\"}\r\n",
    ] {
        assert!(
            direct::parse(line, FieldNames::of(&fields()), &mut ValueBuffers::default()).is_some(),
            "{line}"
        );
    }
}

/// The value that a name leads to by the definition.
fn led_to<'v>(object: &'v serde_json::Value, name: &str) -> Option<&'v serde_json::Value> {
    let object = object.as_object()?;
    object.get(name).or_else(|| {
        let (first, rest) = name.split_once('.')?;
        led_to(object.get(first)?, rest)
    })
}

fn values() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec!["a", "b", "a.b", "b.a", "a.a.b", "\\u0061", "c"]);
    let leaf = prop::sample::select(vec!["1", "null", "[{\"a\":2}]", "\"x\"", "\"y\\n\"", "\"\\u007a\""]);
    leaf.prop_map(str::to_owned).prop_recursive(4, 40, 4, move |value| {
        prop::collection::vec((key.clone(), value), 0..5).prop_map(|members| {
            let members: Vec<_> = members.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
            format!("{{{}}}", members.join(","))
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn names_lead_to_the_values_of_the_definition(
        line in values().prop_filter("an object", |line| line.starts_with('{')),
        [text, id, number] in prop::array::uniform3(prop::sample::select(vec!["a", "b", "a.b", "a.a", "b.a.b", "a.a.b.a"])),
    ) {
        let fields = Fields { id: Some(id.into()), number: Some(number.into()), ..Fields::of_text(text) };
        let (object, names) = (serde_json::from_str(&line).unwrap(), FieldNames::of(&fields));
        let (stored_fields, mut stored) = ([text, id, number].map(str::to_owned), StoredValues::default());
        read_stored(&line, &stored_fields, &mut ValueBuffers::default(), &mut stored);
        for (index, field) in stored_fields.iter().enumerate() {
            let value = stored.get(index).map(|value| match value {
                StoredValue::Text(text) => serde_json::Value::from(text),
                StoredValue::Json(written) => serde_json::from_str(written).unwrap(),
            });
            prop_assert_eq!(value.as_ref(), led_to(&object, field).filter(|value| !value.is_null()), "{}", field);
        }
        let (mut buffers, mut again) = (ValueBuffers::default(), ValueBuffers::default());
        let careful = parse_carefully(&line, names, Scan::Documents, &mut again);
        let text = led_to(&object, text).and_then(serde_json::Value::as_str);
        prop_assert_eq!(careful.as_ref().ok().map(|wanted| wanted.text), text);
        if let (Ok(wanted), Some(id)) = (&careful, led_to(&object, id)) {
            let written = id.is_string() || id.is_number();
            let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
            prop_assert_eq!(wanted.id, written.then_some(id.as_str()));
        }
        if let Some(found) = direct::parse(&line, names, &mut buffers) {
            prop_assert_eq!(wanted(&line, names, Scan::Documents, found, &buffers), careful);
        }
    }
}

#[test]
fn a_null_text_is_an_empty_document_if_that_is_wanted() {
    let line = r#"{"id":7,"score":2,"text":null}"#;
    let mut buffers = ValueBuffers::default();
    let wanted = Fields { null_texts: true, ..fields() };
    let found = parse(line, &wanted, Scan::Documents, &mut buffers).unwrap();
    assert_eq!(found, WantedValues { text: "", is_null: true, id: Some("7"), number: Rank::of_text("2") });
    let problem = parse(line, &fields(), Scan::Documents, &mut buffers).unwrap_err();
    assert_eq!(problem, Problem::NotText { field: "text".into(), found: "null" });
}
