//! Label selectors: the canonical text is stable, and what is selected is what a plain reading of the text selects.

use std::collections::BTreeMap;

use informerd::selector::LabelSelector;
use support::Random;
use support::fuzz::{Fuzz, Verdict};

const WORDS: &[&str] = &[
    "app",
    "tier",
    "in",
    "notin",
    " in (a,b)",
    " notin (a)",
    "!",
    "!=",
    "==",
    "=",
    ",",
    "(",
    ")",
    "()",
    ">1",
    "<10",
    "a",
    "b",
    "1",
    "10",
    "-1",
    "x.io/app",
    "é",
    " ",
];

#[test]
fn a_label_selector_is_stable_and_selects_what_a_plain_reading_selects() {
    Fuzz::target("labels").words(WORDS).runs(40_000).check(|input, random| {
        let text = String::from_utf8_lossy(input);
        let selector = match LabelSelector::parse(&text) {
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
        let again = LabelSelector::parse(&shown).unwrap_or_else(|error| panic!("{shown:?}: {error}"));
        assert_eq!(again, selector, "{shown:?}");
        assert_eq!(again.to_string(), shown);
        let mut seen = [0, 0];
        for _ in 0..12 {
            let labels = labels(&text, random);
            let ours = selector.matches(|key| labels.get(key).map(String::as_str));
            assert_eq!(ours, plainly(&text, &labels), "{text:?} with {labels:?}");
            seen[usize::from(ours)] = 1;
        }
        (
            Verdict::Accepted,
            format!("{} {seen:?}", selector.requirements().len().min(6)),
        )
    });
}

/// Labels whose keys and values stand in the selector, more often than not.
fn labels(text: &str, random: &mut Random) -> BTreeMap<String, String> {
    let mut words: Vec<&str> = text.split(|c: char| " \t\r\n,()=!<>".contains(c)).collect();
    words.extend(["app", "a", "7", "+7", "007", "-3", ""]);
    let mut pick = || words[random.below(words.len())].to_owned();
    let pairs: Vec<_> = (0..3).map(|_| (pick(), pick())).collect();
    let most = random.below(4);
    pairs.into_iter().take(most).collect()
}

/// A matcher that reads the text of a valid selector afresh: split at the commas outside of parentheses, and each part
/// looked at by itself.
fn plainly(text: &str, labels: &BTreeMap<String, String>) -> bool {
    let mut depth = 0;
    let parts = text.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts
        .map(|part| part.trim_matches([' ', '\t', '\r', '\n']))
        .all(|part| {
            let has = |key: &str| labels.get(key.trim());
            if part.is_empty() {
                return true;
            }
            if let Some((head, list)) = part.split_once('(') {
                let values: Vec<&str> = list.trim_end_matches(')').split(',').map(str::trim).collect();
                let (key, operator) = head
                    .trim()
                    .rsplit_once([' ', '\t', '\r', '\n'])
                    .expect("key and operator");
                let found = has(key).is_some_and(|value| values.contains(&value.as_str()));
                return found == (operator == "in");
            }
            if let Some((key, value)) = part.split_once("!=") {
                return has(key).is_none_or(|found| found != value.trim());
            }
            if let Some((key, value)) = part.split_once('=') {
                return has(key).is_some_and(|found| found == value.trim_start_matches('=').trim());
            }
            for (sign, above) in [('>', true), ('<', false)] {
                if let Some((key, bound)) = part.split_once(sign) {
                    let bound: i64 = bound.trim().parse().expect("an integer");
                    let number = has(key).and_then(|found| found.parse::<i64>().ok());
                    return number.is_some_and(|n| if above { n > bound } else { n < bound });
                }
            }
            match part.strip_prefix('!') {
                Some(key) => has(key).is_none(),
                None => has(part).is_some(),
            }
        })
}
