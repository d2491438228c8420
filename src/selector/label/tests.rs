use proptest::prelude::*;

use super::*;

fn parse(text: &str) -> LabelSelector {
    LabelSelector::parse(text).unwrap_or_else(|e| panic!("{e}"))
}

fn selects(selector: &str, labels: &[(&str, &'static str)]) -> bool {
    parse(selector).matches(|key| labels.iter().find(|(k, _)| *k == key).map(|(_, v)| *v))
}

#[test]
fn every_operator_matches_as_kubernetes_does() {
    let web: &[(&str, &'static str)] = &[("app", "web"), ("tier", "front"), ("rank", "7"), ("empty", "")];
    for (selector, expected) in [
        ("", true),
        ("  ", true),
        ("app=web", true),
        ("app==web", true),
        ("app = web", true),
        ("app=db", false),
        ("app!=db", true),
        ("app!=web", false),
        ("missing!=x", true),
        ("missing!=", true),
        ("missing=", false),
        ("empty=", true),
        ("empty", true),
        ("app in (web,db)", true),
        ("app in(web , db)", true),
        ("app in (db)", false),
        ("missing in (db)", false),
        ("app notin (db)", true),
        ("app notin (web,db)", false),
        ("missing notin (a)", true),
        ("empty in (,a)", true),
        ("empty in (a,)", true),
        ("empty in (a,,b)", true),
        ("empty in (a,b)", false),
        ("app", true),
        ("missing", false),
        ("!app", false),
        ("!missing", true),
        ("! missing", true),
        ("rank>6", true),
        ("rank > 7", false),
        ("rank<8", true),
        ("rank<7", false),
        ("missing>1", false),
        ("app>1", false),
        ("app=web,tier=front", true),
        ("app=web,tier=back", false),
        ("app=web,\n\t!missing , rank>6", true),
    ] {
        assert_eq!(selects(selector, web), expected, "{selector:?}");
    }
}

#[test]
fn words_of_the_grammar_can_be_keys_and_values() {
    assert!(selects("in in (notin)", &[("in", "notin")]));
    assert!(selects("notin=in", &[("notin", "in")]));
    assert!(selects("k8s.io/app=web", &[("k8s.io/app", "web")]));
}

#[test]
fn equivalent_spellings_are_one_selector() {
    for (a, b) in [
        ("a=b", "a in (b)"),
        ("a==b", "a=b"),
        ("a!=b", "a notin (b)"),
        ("a=b,c=d", "c = d , a = b"),
        ("a in (x,y)", "a in (y,x,x)"),
        ("a=b,a=b", "a=b"),
        ("a>07", "a>7"),
    ] {
        assert_eq!(parse(a), parse(b), "{a:?} {b:?}");
        assert_eq!(parse(a).normalized(), parse(b).normalized());
    }
    assert_ne!(parse("a=b"), parse("a!=b"));
    assert_eq!(parse("z,!y,x in (b,a),w=").normalized(), "w=,x in (a,b),!y,z");
}

#[test]
fn errors_name_the_place_and_what_was_expected() {
    for (selector, position, expected) in [
        (",a", 1, "label key"),
        ("a,", 3, "label key"),
        ("a,,b", 3, "label key"),
        ("a b", 3, "one of '='"),
        ("!a=b", 3, "','"),
        ("!!a", 2, "label key"),
        ("a in", 5, "'('"),
        ("a in b", 6, "'('"),
        ("a in (b", 8, "',' or ')'"),
        ("a in (b c)", 9, "',' or ')'"),
        ("a in (b=c)", 8, "',' or ')'"),
        ("a=b=c", 4, "','"),
        ("a=b c", 5, "','"),
        ("a===b", 4, "label value"),
        ("a=(b)", 3, "label value"),
        ("a>b", 3, "integer"),
        ("a<", 3, "integer"),
        ("a>1.5", 3, "integer"),
        ("a>99999999999999999999", 3, "integer"),
        ("é=x", 1, "label key"),
        ("a=é,b c", 3, "label value"),
        ("-a=x", 1, "label key"),
        ("a=-x", 3, "label value"),
        ("Up.Case/a=x", 1, "prefix"),
        ("/a=x", 1, "prefix"),
        ("a/=x", 1, "label key"),
        ("a/b/c", 1, "label key"),
    ] {
        let error = LabelSelector::parse(selector).expect_err(selector);
        assert_eq!(error.position, position, "{error}");
        assert!(error.expected.contains(expected), "{error}");
        assert!(LabelSelector::parse(error.example).is_ok());
    }
}

#[test]
fn lengths_are_limited_as_the_api_server_limits_them() {
    let (fits, too_long) = ("x".repeat(63), "x".repeat(64));
    assert!(LabelSelector::parse(&format!("{fits}={fits}")).is_ok());
    assert!(LabelSelector::parse(&format!("{too_long}=a")).is_err());
    assert!(LabelSelector::parse(&format!("a={too_long}")).is_err());
    assert!(LabelSelector::parse(&format!("{}/a", format!("{fits}.").repeat(4))).is_err());
}

#[test]
fn exact_offers_only_the_requirements_that_pin_a_key() {
    let selector = parse("a=1,b in (2,3),c!=4,d,!e,f>5");
    let exact: Vec<_> = selector
        .exact()
        .map(|(k, v)| (k, v.iter().map(String::as_str).collect::<Vec<_>>()))
        .collect();
    assert_eq!(exact, [("a", vec!["1"]), ("b", vec!["2", "3"])]);
}

proptest! {
    #[test]
    fn any_text_is_parsed_or_refused_without_panic(text in ".*") {
        let _ = LabelSelector::parse(&text);
    }

    #[test]
    fn grammar_soup_that_parses_round_trips(text in "([ab,()!=<> 07]|in|notin){0,24}") {
        if let Ok(selector) = LabelSelector::parse(&text) {
            let normalized = selector.normalized();
            let again = LabelSelector::parse(&normalized);
            prop_assert_eq!(again.as_ref(), Ok(&selector), "{:?}", normalized);
        }
    }
}
