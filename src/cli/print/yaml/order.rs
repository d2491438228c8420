//! Order of keys in kubectl's YAML: letters after everything else, digits by their number (`k2` before `k10`).

use std::cmp::Ordering;

use serde_json::{Map, Value};

/// A map's entries in that order.
pub(super) fn sorted(map: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut entries: Vec<_> = map
        .iter()
        .map(|entry| (entry.0.chars().collect::<Vec<_>>(), entry))
        .collect();
    entries.sort_by(|(a, _), (b, _)| compare(a, b));
    entries.into_iter().map(|(_, entry)| entry).collect()
}

fn compare(a: &[char], b: &[char]) -> Ordering {
    let Some(i) = a.iter().zip(b).position(|(x, y)| x != y) else {
        return a.len().cmp(&b.len());
    };
    let (x, y) = (a[i], b[i]);
    match (x.is_alphabetic(), y.is_alphabetic()) {
        (true, true) => return x.cmp(&y),
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    // Inside a number that began before the difference, a zero counts as a digit and not as a leading one.
    let inside = (x == '0' || y == '0')
        && a[..i]
            .iter()
            .rev()
            .take_while(|c| c.is_ascii_digit())
            .any(|c| *c != '0');
    let number = |text: &[char]| {
        let digits = text[i..].iter().take_while(|c| c.is_ascii_digit());
        digits.fold((u64::from(inside), 0_usize), |(value, length), digit| {
            let digit = u64::from(u32::from(*digit) - u32::from('0'));
            (value.saturating_mul(10).saturating_add(digit), length + 1)
        })
    };
    number(a).cmp(&number(b)).then(x.cmp(&y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_as_kubectl_prints_them() {
        // kubectl 1.32's order.
        let want = [
            "-", ".x", "0x", "1", "2", "10", "K", "a-b", "a.b", "a1", "a01", "a10", "a1b", "aB", "ab", "app",
            "app.io/x", "app/x", "k", "k-a", "k.b", "k_", "k2", "k10", "kB", "ka", "x1.2", "x1.10", "z", "é",
        ];
        let map: Map<String, Value> = want.iter().rev().map(|key| ((*key).to_owned(), Value::Null)).collect();
        let got: Vec<_> = sorted(&map).into_iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(got, want);
    }
}
