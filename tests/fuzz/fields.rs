//! Field selectors: the canonical text is stable, and what is selected is what a plain reading of the text selects.

use std::borrow::Cow;
use std::collections::BTreeMap;

use informerd::selector::{FieldSelector, field_default, lookup_paths};
use support::Random;
use support::fuzz::{Fuzz, Verdict};

const WORDS: &[&str] = &[
    "metadata.name",
    "spec.nodeName",
    "spec.hostNetwork",
    "status.successful",
    "status.succeeded",
    "=",
    "==",
    "!=",
    ",",
    "\\,",
    "\\=",
    "\\\\",
    "\\",
    "false",
    "true",
    "0",
    "a",
    ".",
    "é",
    " ",
];

/// Paths beside those of the selector.
const PATHS: &[&str] = &["metadata.name", "spec.nodeName", "spec.hostNetwork", "status.succeeded"];

/// Escapes, what stands for them while the text is split, and what they mean.
const HIDDEN: [(&str, char, &str); 3] = [("\\\\", '\u{1}', "\\"), ("\\,", '\u{2}', ","), ("\\=", '\u{3}', "=")];

#[test]
fn a_field_selector_is_stable_and_selects_what_a_plain_reading_selects() {
    Fuzz::target("fields").words(WORDS).runs(40_000).check(|input, random| {
        let text = String::from_utf8_lossy(input);
        let selector = match FieldSelector::parse(&text) {
            Ok(selector) => selector,
            Err(error) => {
                assert!(
                    error.position >= 1 && error.position <= text.chars().count() + 1,
                    "{error}"
                );
                return (Verdict::Refused, error.expected);
            }
        };
        let shown = selector.to_string();
        let again = FieldSelector::parse(&shown).unwrap_or_else(|error| panic!("{shown:?}: {error}"));
        assert_eq!(again, selector, "{shown:?}");
        assert_eq!(again.to_string(), shown);
        if text.contains(HIDDEN.map(|(_, mark, _)| mark)) {
            return (Verdict::Accepted, "a mark of the plain reading".into());
        }
        let terms = terms(&text);
        let mut seen = [0, 0];
        for _ in 0..12 {
            let fields = fields(&terms, random);
            let ours = selector.matches(|path| fields.get(path).map(|text| Cow::Borrowed(text.as_str())));
            assert_eq!(ours, plainly(&terms, &fields), "{text:?} with {fields:?}");
            seen[usize::from(ours)] = 1;
        }
        (Verdict::Accepted, format!("{} {seen:?}", terms.len().min(6)))
    });
}

/// Path, whether it must be equal, and the text, as a plain reading of a valid selector finds them: escapes are taken off
/// first, so that what is left of commas and equals signs separates.
fn terms(text: &str) -> Vec<(String, bool, String)> {
    let hidden = HIDDEN.iter().fold(text.to_owned(), |text, (escape, mark, _)| {
        text.replace(escape, &mark.to_string())
    });
    let shown = |text: &str| {
        HIDDEN
            .iter()
            .fold(text.to_owned(), |text, (_, mark, plain)| text.replace(*mark, plain))
    };
    let terms = hidden.split(',').filter(|term| !term.is_empty());
    terms
        .map(|term| {
            let (path, value) = term.split_once('=').expect("an operator");
            match path.strip_suffix('!') {
                Some(path) => (path.to_owned(), false, shown(value)),
                None => (path.to_owned(), true, shown(value.strip_prefix('=').unwrap_or(value))),
            }
        })
        .collect()
}

fn fields(terms: &[(String, bool, String)], random: &mut Random) -> BTreeMap<String, String> {
    let mut paths: Vec<&str> = terms.iter().map(|(path, ..)| path.as_str()).collect();
    paths.extend(PATHS);
    let mut texts: Vec<&str> = terms.iter().map(|(_, _, text)| text.as_str()).collect();
    texts.extend(["", "a", "false", "0"]);
    let count = random.below(5);
    let pick = |random: &mut Random, from: &[&str]| from[random.below(from.len())].to_owned();
    (0..count)
        .map(|_| (pick(random, &paths), pick(random, &texts)))
        .collect()
}

fn plainly(terms: &[(String, bool, String)], fields: &BTreeMap<String, String>) -> bool {
    terms.iter().all(|(path, equal, text)| {
        let found = lookup_paths(path).find_map(|path| fields.get(path));
        (found.map_or(field_default(path), String::as_str) == text) == *equal
    })
}
