//! Durations as people write them: `30s`, `5m`, `1h30m`, `250ms`.

use std::time::Duration;

/// Units, longest spelling first where one starts another (`ms` before `m`).
const UNITS: [(&str, u64); 5] = [
    ("ms", 1),
    ("s", 1_000),
    ("m", 60_000),
    ("h", 3_600_000),
    ("d", 86_400_000),
];

/// Parses one or more `NUMBER UNIT` pairs, units falling; `0` needs no unit, any other number does, because a bare
/// number means seconds to some and milliseconds to others.
///
/// ```
/// use std::time::Duration;
/// assert_eq!(informerd::config::duration::parse("1m30s"), Ok(Duration::from_secs(90)));
/// assert!(informerd::config::duration::parse("30").is_err());
/// ```
pub fn parse(text: &str) -> Result<Duration, String> {
    let bad = |why: &str| format!("`{text}` is not a duration: {why} (examples: 250ms, 30s, 5m, 1h30m)");
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(bad("it is empty"));
    }
    if rest == "0" {
        return Ok(Duration::ZERO);
    }
    let mut total: u64 = 0;
    let mut last_unit = u64::MAX;
    while !rest.is_empty() {
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .ok_or_else(|| bad("a unit is missing"))?;
        let number: u64 = rest[..end].parse().map_err(|_| bad("a whole number is expected"))?;
        rest = &rest[end..];
        let (name, unit) = UNITS
            .into_iter()
            .find(|(name, _)| rest.starts_with(name))
            .ok_or_else(|| bad("the units are ms, s, m, h, d"))?;
        if unit >= last_unit {
            return Err(bad("each unit once, the largest first"));
        }
        last_unit = unit;
        total = number
            .checked_mul(unit)
            .and_then(|millis| total.checked_add(millis))
            .ok_or_else(|| bad("it is too long"))?;
        rest = &rest[name.len()..];
    }
    Ok(Duration::from_millis(total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        for (text, millis) in [
            ("0", 0),
            ("0s", 0),
            ("250ms", 250),
            ("30s", 30_000),
            ("5m", 300_000),
            ("1h30m", 5_400_000),
            ("2d", 172_800_000),
            (" 1m1s1ms ", 61_001),
        ] {
            assert_eq!(parse(text), Ok(Duration::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_ambiguous_or_wrong() {
        for text in [
            "",
            "30",
            "-1s",
            "1.5s",
            "s",
            "5x",
            "1s1m",
            "1s2s",
            "99999999999999999999s",
            "18446744073709551615d",
        ]
        .into_iter()
        {
            let error = parse(text).expect_err(text);
            assert!(error.contains(&format!("`{text}`")), "{error}");
        }
    }
}
