//! Finds the end of one JSON value in a stream of chunks.

use memchr::memchr2;

/// Deepest nesting that is followed. Parsers stop earlier (200 levels), so nothing usable is refused.
const MAX_DEPTH: usize = 512;

/// Follows one value. Feed it the bytes from the value's first one on.
#[derive(Debug, Default)]
pub(super) struct ValueEnd {
    /// The brackets that are open, as the bytes that close them.
    closers: Vec<u8>,
    mode: Mode,
}

/// A value that cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueError {
    Mismatch,
    TooDeep,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Start,
    /// A number, true, false or null that is the whole value.
    Scalar,
    /// Between strings inside brackets.
    Nested,
    String,
    /// After a backslash.
    Escape,
}

// === impl ValueEnd ===

impl ValueEnd {
    /// Takes the next bytes. Returns how many of them belong to the value if it ends here, else `None`.
    pub(super) fn advance(&mut self, bytes: &[u8]) -> Result<Option<usize>, ValueError> {
        let mut at = 0;
        while at < bytes.len() {
            match self.mode {
                Mode::Start => {
                    self.mode = match bytes[at] {
                        b'"' => Mode::String,
                        b'{' | b'[' => {
                            self.open(bytes[at])?;
                            Mode::Nested
                        }
                        _ => Mode::Scalar,
                    };
                    at += 1;
                }
                Mode::Scalar => {
                    let end = |b: &u8| matches!(b, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t');
                    return Ok(bytes[at..].iter().position(end).map(|n| at + n));
                }
                Mode::String => match memchr2(b'"', b'\\', &bytes[at..]) {
                    None => return Ok(None),
                    Some(n) => {
                        at += n + 1;
                        if bytes[at - 1] == b'\\' {
                            self.mode = Mode::Escape;
                        } else if self.closers.is_empty() {
                            return Ok(Some(at));
                        } else {
                            self.mode = Mode::Nested;
                        }
                    }
                },
                // For our purpose the four digits of \uXXXX are ordinary characters.
                Mode::Escape => {
                    self.mode = Mode::String;
                    at += 1;
                }
                Mode::Nested => {
                    let special = |b: &u8| SPECIAL[usize::from(*b)];
                    let Some(n) = bytes[at..].iter().position(special) else {
                        return Ok(None);
                    };
                    at += n + 1;
                    match bytes[at - 1] {
                        b'"' => self.mode = Mode::String,
                        open @ (b'{' | b'[') => self.open(open)?,
                        close => {
                            if self.closers.pop() != Some(close) {
                                return Err(ValueError::Mismatch);
                            }
                            if self.closers.is_empty() {
                                return Ok(Some(at));
                            }
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    fn open(&mut self, bracket: u8) -> Result<(), ValueError> {
        if self.closers.len() >= MAX_DEPTH {
            return Err(ValueError::TooDeep);
        }
        // In ASCII both closing brackets stand two after their opening ones.
        self.closers.push(bracket + 2);
        Ok(())
    }
}

/// Bytes that matter between strings.
const SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let mut n = 0;
    while n < 5 {
        table[b"\"{}[]"[n] as usize] = true;
        n += 1;
    }
    table
};
