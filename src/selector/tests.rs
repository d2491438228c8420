//! The tables of `k8s.io/apimachinery` v0.37 (`labels/selector_test.go`, `fields/selector_test.go`): what Kubernetes reads is
//! read, with the same meaning, and what it refuses is refused.

use std::borrow::Cow;

use super::*;

fn label(text: &str, labels: &[(&str, &'static str)]) -> bool {
    let selector = LabelSelector::parse(text).unwrap_or_else(|e| panic!("{e}"));
    selector.matches(|key| labels.iter().find(|(k, _)| *k == key).map(|(_, v)| *v))
}

fn field(text: &str, fields: &[(&str, &'static str)]) -> bool {
    let selector = FieldSelector::parse(text).unwrap_or_else(|e| panic!("{e}"));
    selector.matches(|path| fields.iter().find(|(k, _)| *k == path).map(|(_, v)| Cow::Borrowed(*v)))
}

#[test]
fn s10_label_selectors_are_read_as_apimachinery_reads_them() {
    // (selector, the same in our canonical text); TestSelectorParse and TestSetSelectorParser.
    for (text, canonical) in [
        ("x=a,y=b,z=c", "x=a,y=b,z=c"),
        ("", ""),
        ("x!=a,y=b", "x!=a,y=b"),
        ("x=", "x="),
        ("x= ", "x="),
        ("x=,z= ", "x=,z="),
        ("x= ,z= ", "x=,z="),
        ("!x", "!x"),
        ("x>1", "x>1"),
        ("x>1,z<5", "x>1,z<5"),
        ("\rx", "x"),
        (
            "this-is-a-dns.domain.com/key-with-dash",
            "this-is-a-dns.domain.com/key-with-dash",
        ),
        (
            "this-is-another-dns.domain.com/key-with-dash in (so,what)",
            "this-is-another-dns.domain.com/key-with-dash in (so,what)",
        ),
        (
            "0.1.2.domain/99 notin (10.10.100.1, tick.tack.clock)",
            "0.1.2.domain/99 notin (10.10.100.1,tick.tack.clock)",
        ),
        ("foo  in\t (abc)", "foo=abc"),
        ("x notin\n (abc)", "x!=abc"),
        ("x  notin\t\t\t(abc,def)", "x notin (abc,def)"),
        ("x in (abc,def)", "x in (abc,def)"),
        ("x in (abc,)", "x in (,abc)"),
        ("x in (abc,abc)", "x=abc"),
        ("x in ()", "x="),
        ("x in (a,,)", "x in (,a)"),
        ("x in (a,,,,,,)", "x in (,a)"),
        ("x in (a,,a,,a,,a,,)", "x in (,a)"),
        ("x notin (abc,,def),bar,z in (),w", "bar,w,x notin (,abc,def),z="),
        ("x,y in (a)", "x,y=a"),
        ("x=a", "x=a"),
        ("x<7", "x<7"),
        ("x=a,y!=b,z in (h,i,j)", "x=a,y!=b,z in (h,i,j)"),
        ("x notin ( )", "x!="),
        ("x notin (, a)", "x notin (,a)"),
        ("a ", "a"),
        ("a in (x,y,notin, z,in)", "a in (in,notin,x,y,z)"),
    ] {
        let read = LabelSelector::parse(text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(read.normalized(), canonical, "{text:?}");
        assert_eq!(LabelSelector::parse(canonical).as_ref(), Ok(&read), "{canonical:?}");
    }
}

#[test]
fn s10_label_selectors_that_apimachinery_refuses_are_refused() {
    for text in [
        "x=a||y=b",
        "x==a==b",
        "!x=a",
        "x<a",
        "x,,y",
        ",x,y",
        "x nott in (y)",
        "a in (xyz),",
        "a in (xyz)b notin ()",
        "a in (xyz abc)",
        "a notin(",
        "a (",
        "(",
    ] {
        assert!(LabelSelector::parse(text).is_err(), "{text:?}");
    }
}

#[test]
fn s10_label_selectors_match_as_apimachinery_says() {
    // TestSelectorMatches.
    let set: &[(&str, &'static str)] = &[("foo", "bar"), ("baz", "blah")];
    for (text, labels, want) in [
        ("", &[("x", "y")][..], true),
        ("x=y", &[("x", "y")], true),
        ("x=y,z=w", &[("x", "y"), ("z", "w")], true),
        ("x!=y,z!=w", &[("x", "z"), ("z", "a")], true),
        ("notin=in", &[("notin", "in")], true),
        ("x", &[("x", "z")], true),
        ("!x", &[("y", "z")], true),
        ("x>1", &[("x", "2")], true),
        ("x<1", &[("x", "0")], true),
        ("x=z", &[], false),
        ("x=y", &[("x", "z")], false),
        ("x=y,z=w", &[("x", "w"), ("z", "w")], false),
        ("x!=y,z!=w", &[("x", "z"), ("z", "w")], false),
        ("x", &[("y", "z")], false),
        ("!x", &[("x", "z")], false),
        ("x>1", &[("x", "0")], false),
        ("x<1", &[("x", "2")], false),
        ("foo=bar", set, true),
        ("baz=blah", set, true),
        ("foo=bar,baz=blah", set, true),
        ("foo=blah", set, false),
        ("baz=bar", set, false),
        ("foo=bar,foobar=bar,baz=blah", set, false),
        // The empty set of values is the empty value, which a label may have.
        ("x in ()", &[("x", "")], true),
        ("x in ()", &[("x", "y")], false),
        ("x in ()", &[], false),
        ("x notin ()", &[], true),
    ] {
        assert_eq!(label(text, labels), want, "{text:?} {labels:?}");
    }
}

#[test]
fn k9_field_selectors_are_read_and_match_as_apimachinery_says() {
    // TestSelectorParse: these print as they came.
    for text in ["x=a,y=b,z=c", "", "x!=a,y=b", r"x=a||y\=b", r"x=a\=\=b"] {
        let read = FieldSelector::parse(text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(read.normalized(), text);
    }
    for text in ["x=a||y=b", "x==a==b", "x=a,b", "x in (a)", "x in (a,b,c)", "x"] {
        assert!(FieldSelector::parse(text).is_err(), "{text:?}");
    }
    // TestSplitTerms and TestEscapeValue, as whole selectors.
    for (text, canonical) in [
        ("a=a,", "a=a"),
        (",a=a", "a=a"),
        (r"k=\,,k2=v2", r"k=\,,k2=v2"),
        (r"k=\\,k2=v2", r"k=\\,k2=v2"),
        (r"k=\\\,,k2=v2", r"k=\\\,,k2=v2"),
        ("함=수,목=록", "목=록,함=수"),
        ("b==value", "b=value"),
    ] {
        let read = FieldSelector::parse(text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(read.normalized(), canonical, "{text:?}");
    }
    for text in [r"k=\", r"k=\\\", r"k=\a", r"k=\a\b\"] {
        assert!(FieldSelector::parse(text).is_err(), "{text:?}");
    }
    // TestSelectorMatches.
    let set: &[(&str, &'static str)] = &[("foo", "bar"), ("baz", "blah"), ("complex", r"=value\,\")];
    for (text, fields, want) in [
        ("", &[("x", "y")][..], true),
        ("x=y", &[("x", "y")], true),
        ("x=y,z=w", &[("x", "y"), ("z", "w")], true),
        ("x!=y,z!=w", &[("x", "z"), ("z", "a")], true),
        ("notin=in", &[("notin", "in")], true),
        ("x=y", &[("x", "z")], false),
        ("x=y,z=w", &[("x", "w"), ("z", "w")], false),
        ("x!=y,z!=w", &[("x", "z"), ("z", "w")], false),
        ("foo=bar", set, true),
        ("foo=bar,baz=blah", set, true),
        (r"foo=bar,baz=blah,complex=\=value\\\,\\", set, true),
        ("foo=blah", set, false),
        ("foo=bar,foobar=bar,baz=blah", set, false),
        // Row K9: all requirements hold at once, also those of one field.
        ("foo=bar,foo=blah", set, false),
        ("foo=bar,foo!=blah", set, true),
    ] {
        assert_eq!(field(text, fields), want, "{text:?} {fields:?}");
    }
}
