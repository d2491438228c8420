//! How a string is written: plain, 'single', "double" or as a | block, by the rules of kubectl's YAML library (a port of
//! libyaml), so that the output agrees byte for byte.

use std::fmt::Write as _;

/// Where lines are folded: at the first single space behind this column.
const WIDTH: usize = 80;

/// A string with what its characters forbid.
pub(super) struct Scalar<'a> {
    text: &'a str,
    /// Would be read as another type than string.
    typed: bool,
    plain: bool,
    single: bool,
    block: bool,
}

// === impl Scalar ===

impl<'a> Scalar<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        let (Some(&first), Some(&last)) = (chars.first(), chars.last()) else {
            return Self {
                text,
                typed: true,
                plain: true,
                single: true,
                block: false,
            };
        };
        let blank = |i: usize| chars.get(i).is_none_or(|c| matches!(c, ' ' | '\t'));
        let mut indicator = text.starts_with("---") || text.starts_with("...");
        indicator |= match first {
            '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`' => true,
            '?' | ':' | '-' => blank(1),
            _ => false,
        };
        let after_space = |i: usize| i == 0 || blank(i - 1) || is_break(chars[i - 1]);
        for (i, c) in chars.iter().enumerate().skip(1) {
            indicator |= (*c == ':' && blank(i + 1)) || (*c == '#' && after_space(i));
        }
        let pairs = |f: fn(char, char) -> bool| chars.windows(2).any(|w| f(w[0], w[1]));
        let break_space = pairs(|a, b| is_break(a) && b == ' ');
        let space_break = pairs(|a, b| a == ' ' && is_break(b));
        let special = chars.iter().any(|c| !is_printable(*c));
        let edges = [first, last].into_iter().any(|c| c == ' ' || is_break(c));
        let breaks = chars.iter().any(|c| is_break(*c));
        Self {
            text,
            typed: is_typed(text),
            plain: !(indicator || edges || breaks || special),
            single: !(break_space || space_break || special),
            block: !(last == ' ' || space_break || special),
        }
    }

    /// Writes the string as a key, always on one line.
    pub(super) fn write_key(&self, out: &mut String) {
        if self.typed || self.text.chars().any(is_break) {
            self.double(out, None);
        } else {
            self.flow(out, None);
        }
    }

    /// Writes the string as a value, with its newline; further lines are indented by `depth` levels.
    pub(super) fn write(&self, out: &mut String, depth: usize) {
        if self.text.contains('\n') {
            if self.block {
                return self.literal(out, depth);
            }
            self.double(out, Some(depth));
        } else if self.typed {
            self.double(out, Some(depth));
        } else {
            self.flow(out, Some(depth));
        }
        out.push('\n');
    }

    fn flow(&self, out: &mut String, fold: Option<usize>) {
        if self.plain {
            self.folded(out, fold, false);
        } else if self.single {
            out.push('\'');
            self.folded(out, fold, true);
            out.push('\'');
        } else {
            self.double(out, fold);
        }
    }

    /// Plain and single-quoted text: folded at single spaces only, which a reader turns back into one space.
    fn folded(&self, out: &mut String, fold: Option<usize>, quoted: bool) {
        let mut line = Line::begin(out);
        let mut after_space = false;
        let mut chars = self.text.chars().enumerate().peekable();
        while let Some((i, c)) = chars.next() {
            if c == ' ' {
                let next = chars.peek().map(|(_, c)| *c);
                let inside = !quoted || (i > 0 && next.is_some());
                match fold {
                    Some(depth) if inside && !after_space && line.column > WIDTH && next != Some(' ') => {
                        line.fold(out, depth)
                    }
                    _ => line.push(out, c),
                }
            } else {
                if quoted && c == '\'' {
                    line.push(out, '\'');
                }
                line.push(out, c);
            }
            after_space = c == ' ';
        }
    }

    fn double(&self, out: &mut String, fold: Option<usize>) {
        let mut line = Line::begin(out);
        line.push(out, '"');
        let mut after_space = false;
        let mut chars = self.text.chars().enumerate().peekable();
        while let Some((i, c)) = chars.next() {
            let next = chars.peek().map(|(_, c)| *c);
            if !is_printable(c) || is_break(c) || matches!(c, '"' | '\\') {
                for c in escape(c).chars() {
                    line.push(out, c);
                }
            } else if let (' ', Some(depth), Some(next), true) =
                (c, fold, next, i > 0 && !after_space && line.column > WIDTH)
            {
                line.fold(out, depth);
                if next == ' ' {
                    line.push(out, '\\');
                }
            } else {
                line.push(out, c);
            }
            after_space = c == ' ';
        }
        line.push(out, '"');
    }

    fn literal(&self, out: &mut String, depth: usize) {
        out.push('|');
        if self.text.starts_with([' ', '\n']) {
            out.push('2');
        }
        let body = self.text.strip_suffix('\n');
        match body {
            None => out.push('-'),
            Some(body) if body.is_empty() || body.ends_with('\n') => out.push('+'),
            Some(_) => {}
        }
        out.push('\n');
        for line in body.unwrap_or(self.text).split('\n') {
            if !line.is_empty() {
                out.push_str(&"  ".repeat(depth));
                out.push_str(line);
            }
            out.push('\n');
        }
    }
}

/// The column of the line being written.
struct Line {
    column: usize,
}

// === impl Line ===

impl Line {
    fn begin(out: &str) -> Self {
        let start = out.rfind('\n').map_or(0, |at| at + 1);
        Self {
            column: out[start..].chars().count(),
        }
    }

    fn push(&mut self, out: &mut String, c: char) {
        out.push(c);
        self.column += 1;
    }

    fn fold(&mut self, out: &mut String, depth: usize) {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
        self.column = 2 * depth;
    }
}

fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The library takes characters beyond the basic plane for unprintable.
fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
}

fn escape(c: char) -> String {
    let short = match c {
        '\0' => '0',
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\r' => 'r',
        '\u{1b}' => 'e',
        '"' | '\\' => c,
        '\u{85}' => 'N',
        '\u{a0}' => '_',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        c => {
            let mut text = String::new();
            let _ = match u32::from(c) {
                n @ ..=0xff => write!(text, "\\x{n:02X}"),
                n @ ..=0xffff => write!(text, "\\u{n:04X}"),
                n => write!(text, "\\U{n:08X}"),
            };
            return text;
        }
    };
    format!("\\{short}")
}

// === what YAML 1.1 reads as something else than a string ===

fn is_typed(text: &str) -> bool {
    const WORDS: [&str; 35] = [
        "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON", "n", "N", "no", "No", "NO", "false",
        "False", "FALSE", "off", "Off", "OFF", "~", "null", "Null", "NULL", ".nan", ".NaN", ".NAN", ".inf", ".Inf",
        ".INF", "+.inf", "+.Inf", "+.INF",
    ];
    let Some(first) = text.chars().next() else {
        return true;
    };
    if WORDS.contains(&text) || matches!(text, "-.inf" | "-.Inf" | "-.INF") {
        return true;
    }
    match first {
        '.' => is_float(text),
        '0'..='9' | '+' | '-' => {
            let bare = text.replace('_', "");
            is_timestamp(text) || is_int(&bare) || is_float(&bare) || is_base60(text)
        }
        _ => false,
    }
}

/// Go's `strconv` with base 0: decimal, 0x, 0o or 0, 0b.
fn is_int(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let all = |digits: &str, radix| !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    match digits.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("0x") => all(&digits[2..], 16),
        Some("0o") => all(&digits[2..], 8),
        Some("0b") => all(&digits[2..], 2),
        // Octal, unless it has an 8 or 9: then it is a float. Either way it is a number.
        _ => all(digits, 10),
    }
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
fn is_float(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (text, None),
    };
    let digits = |s: &str| s.chars().all(|c| c.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    digits(whole)
        && digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|e| !e.is_empty() && digits(e))
}

/// `[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?`
fn is_base60(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (text, fraction) = text.split_once('.').unwrap_or((text, ""));
    let underscored = |s: &str| s.chars().all(|c| c.is_ascii_digit() || c == '_');
    let mut parts = text.split(':');
    let first = parts.next().unwrap_or("");
    let mut rest = parts.peekable();
    first.starts_with(|c: char| c.is_ascii_digit())
        && underscored(first)
        && underscored(fraction)
        && rest.peek().is_some()
        && rest.all(|p| match p.as_bytes() {
            [b] => b.is_ascii_digit(),
            [a, b] => (b'0'..=b'5').contains(a) && b.is_ascii_digit(),
            _ => false,
        })
}

/// `YYYY-M-D`, alone, or with a time: `T` and a zone, or a space and none.
fn is_timestamp(text: &str) -> bool {
    let number = |s: &str, max_length: usize, range: std::ops::RangeInclusive<u32>| {
        (1..=max_length).contains(&s.len())
            && s.bytes().all(|b| b.is_ascii_digit())
            && s.parse().is_ok_and(|n: u32| range.contains(&n))
    };
    let is_date = |s: &str| {
        let parts: Vec<_> = s.split('-').collect();
        matches!(parts[..], [y, m, d] if y.len() == 4 && number(y, 4, 0..=9999) && number(m, 2, 1..=12) && number(d, 2, 1..=31))
    };
    let is_time = |s: &str| {
        let (clock, fraction) = s.split_once('.').unwrap_or((s, "0"));
        let parts: Vec<_> = clock.split(':').collect();
        !fraction.is_empty()
            && fraction.bytes().all(|b| b.is_ascii_digit())
            && matches!(parts[..], [h, m, s] if number(h, 2, 0..=23) && number(m, 2, 0..=59) && number(s, 2, 0..=59))
    };
    if let Some((date, time)) = text.split_once(' ') {
        return is_date(date) && is_time(time);
    }
    let Some((date, rest)) = text.split_once(['T', 't']) else {
        return is_date(text);
    };
    let time = match rest.strip_suffix('Z') {
        Some(time) => time,
        None => match rest.rfind(['+', '-']) {
            Some(at) => {
                let Some((hours, minutes)) = rest[at + 1..].split_once(':') else {
                    return false;
                };
                if hours.len() != 2 || minutes.len() != 2 || !number(hours, 2, 0..=24) || !number(minutes, 2, 0..=60) {
                    return false;
                }
                &rest[..at]
            }
            None => return false,
        },
    };
    is_date(date) && is_time(time)
}
