use proptest::prelude::*;

use super::*;

fn parse(text: &str) -> FieldSelector {
    FieldSelector::parse(text).unwrap_or_else(|e| panic!("{e}"))
}

fn selects(selector: &str, fields: &[(&str, &'static str)]) -> bool {
    parse(selector).matches(|path| fields.iter().find(|(k, _)| *k == path).map(|(_, v)| Cow::Borrowed(*v)))
}

#[test]
fn comparisons_match_as_kubernetes_does() {
    let pod: &[(&str, &'static str)] = &[
        ("metadata.name", "a"),
        ("spec.nodeName", "n=1,x\\"),
        ("status.phase", "Running"),
    ];
    for (selector, expected) in [
        ("", true),
        (",", true),
        ("metadata.name=a", true),
        ("metadata.name==a", true),
        ("metadata.name!=a", false),
        ("metadata.name!=b,status.phase=Running", true),
        ("metadata.name=a,,status.phase=Failed", false),
        (r"spec.nodeName=n\=1\,x\\", true),
        ("spec.other=", true),
        ("spec.other!=", false),
        ("spec.other!=x", true),
        ("metadata.name= a", false),
    ] {
        assert_eq!(selects(selector, pod), expected, "{selector:?}");
    }
}

#[test]
fn absent_builtin_fields_have_their_go_zero_value() {
    assert!(selects("spec.hostNetwork=false", &[]));
    assert!(!selects("spec.hostNetwork=false", &[("spec.hostNetwork", "true")]));
    assert!(selects("spec.unschedulable!=true", &[]));
    assert!(selects("status.successful=0", &[]));
    assert!(selects("status.successful=3", &[("status.succeeded", "3")]));
    assert!(selects(
        "status.successful=true",
        &[("status.successful", "true"), ("status.succeeded", "3")]
    ));
}

#[test]
fn pointers_follow_rfc_6901() {
    assert_eq!(pointer_of("spec.nodeName"), "/spec/nodeName");
    assert_eq!(pointer_of("a~b.c/d"), "/a~0b/c~1d");
    let selector = parse("status.successful=1");
    let pointers: Vec<_> = selector.requirements()[0].pointers().collect();
    assert_eq!(pointers, ["/status/successful", "/status/succeeded"]);
}

#[test]
fn equivalent_spellings_are_one_selector() {
    assert_eq!(parse("a.b==x,c=y"), parse("c=y,a.b=x,c==y"));
    assert_eq!(parse(r"c=y\,z,a!=").normalized(), r"a!=,c=y\,z");
}

#[test]
fn errors_name_the_place_and_what_was_expected() {
    for (selector, position, expected) in [
        ("a", 1, "path=value"),
        ("a=b,c", 5, "path=value"),
        ("=b", 1, "dotted path"),
        ("a..b=c", 1, "dotted path"),
        (".a=c", 1, "dotted path"),
        ("a =c", 2, "without blanks"),
        ("a=b, c=d", 5, "without blanks"),
        ("metadata.annotations['x']=c", 21, "plain names"),
        ("a=b=c", 4, "written"),
        ("a===c", 4, "written"),
        (r"a=b\", 4, "written"),
        (r"a=\b", 3, "written"),
        ("é.ü=\\x", 5, "written"),
    ] {
        let error = FieldSelector::parse(selector).expect_err(selector);
        assert_eq!(error.position, position, "{error}");
        assert!(error.expected.contains(expected), "{error}");
        assert!(FieldSelector::parse(error.example).is_ok());
    }
}

proptest! {
    #[test]
    fn any_text_is_parsed_or_refused_without_panic(text in ".*") {
        let _ = FieldSelector::parse(&text);
    }

    #[test]
    fn grammar_soup_that_parses_round_trips(text in r"[ab.,!=\\é]{0,24}") {
        if let Ok(selector) = FieldSelector::parse(&text) {
            let normalized = selector.normalized();
            let again = FieldSelector::parse(&normalized);
            prop_assert_eq!(again.as_ref(), Ok(&selector), "{:?}", normalized);
        }
    }

    #[test]
    fn any_value_survives_escaping(value in ".*") {
        let selector: FieldSelector =
            [FieldRequirement { path: "a.b".into(), operator: FieldOperator::NotEqual, value }].into_iter().collect();
        prop_assert_eq!(FieldSelector::parse(&selector.normalized()), Ok(selector));
    }
}
