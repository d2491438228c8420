//! Reads Rust source as far as the rules need it: tokens without comments and texts, what belongs to tests, and paths.

/// One token; texts and characters are `""` whatever they hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) line: usize,
    /// Inside an item under `#[cfg(test)]`.
    pub(crate) test: bool,
}

/// A `mod name;`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Module {
    pub(crate) name: String,
    pub(crate) test: bool,
}

/// All tokens of a file.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let mut tokens = lex(source);
    mark_tests(&mut tokens);
    tokens
}

/// The modules that a file declares and keeps in files of their own.
pub(crate) fn modules(tokens: &[Token]) -> Vec<Module> {
    let is_module = |w: &&[Token]| w[0].text == "mod" && is_ident(&w[1].text) && w[2].text == ";";
    tokens
        .windows(3)
        .filter(is_module)
        .map(|w| Module {
            name: w[1].text.clone(),
            test: w[0].test,
        })
        .collect()
}

/// Modules of the crate's root that a file names, with the line and whether tests do it. `*` is the root itself.
/// `path` is where the file's module stands, such as `["store", "index"]`.
pub(crate) fn root_modules<'t>(tokens: &'t [Token], path: &[String]) -> Vec<(String, &'t Token)> {
    let mut found = Vec::new();
    // How many inline modules surround the token, and at which depth of braces they began.
    let (mut depth, mut inline) = (0_usize, Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        match token.text.as_str() {
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                inline.retain(|began| *began < depth + 1);
            }
            "mod" if text(tokens, at + 2) == "{" => inline.push(depth + 1),
            "crate" | "informerd" if text(tokens, at + 1) == "::" => heads(tokens, at + 2, &mut found),
            "super" if starts_path(tokens, at) => {
                let mut steps = 1;
                while text(tokens, at + 2 * steps) == "super" && text(tokens, at + 2 * steps - 1) == "::" {
                    steps += 1;
                }
                if steps == path.len() + inline.len() && text(tokens, at + 2 * steps - 1) == "::" {
                    heads(tokens, at + 2 * steps, &mut found);
                }
            }
            _ => {}
        }
    }
    found
}

/// Names of `wanted` that stand where a crate's name can stand.
pub(crate) fn mentions(tokens: &[Token], wanted: impl Fn(&str) -> bool) -> Vec<(String, &Token)> {
    let at_start = |at: usize| match text(tokens, at.wrapping_sub(1)) {
        "." => false,
        "::" => !(is_ident(text(tokens, at.wrapping_sub(2))) && text(tokens, at.wrapping_sub(2)) != "use"),
        _ => true,
    };
    tokens
        .iter()
        .enumerate()
        .filter(|(at, token)| wanted(&token.text) && at_start(*at))
        .map(|(_, token)| (token.text.clone(), token))
        .collect()
}

/// Calls that end the process where data is not as hoped, outside of tests, each with its line and what it is called on.
pub(crate) fn panics(tokens: &[Token]) -> Vec<(usize, String)> {
    let product = tokens.iter().enumerate().filter(|(_, token)| !token.test);
    product
        .filter_map(|(at, token)| {
            let name = token.text.as_str();
            let call = matches!(name, "unwrap" | "expect" | "unwrap_err" | "expect_err")
                && text(tokens, at.wrapping_sub(1)) == "."
                && text(tokens, at + 1) == "(";
            let macro_call =
                matches!(name, "panic" | "todo" | "unimplemented" | "unreachable") && text(tokens, at + 1) == "!";
            let on = if call { text(tokens, at.wrapping_sub(2)) } else { "" };
            (call || macro_call).then(|| (token.line, format!("{on}.{name}").trim_start_matches('.').to_owned()))
        })
        .collect()
}

fn text(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| &token.text)
}

fn is_ident(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn starts_path(tokens: &[Token], at: usize) -> bool {
    text(tokens, at.wrapping_sub(1)) != "::" || text(tokens, at.wrapping_sub(2)) == "self"
}

/// The first names behind `crate::`: one, or those of a group.
fn heads<'t>(tokens: &'t [Token], at: usize, found: &mut Vec<(String, &'t Token)>) {
    let mut take = |at: usize| {
        let Some(token) = tokens.get(at) else { return };
        let name = if is_ident(&token.text) && token.text != "self" {
            token.text.clone()
        } else {
            "*".to_owned()
        };
        found.push((name, token));
    };
    if text(tokens, at) != "{" {
        return take(at);
    }
    let (mut depth, mut fresh) = (1, true);
    for inside in at + 1..tokens.len() {
        match text(tokens, inside) {
            "{" => depth += 1,
            "}" => depth -= 1,
            "," if depth == 1 => fresh = true,
            _ if depth == 1 && fresh => {
                take(inside);
                fresh = false;
            }
            _ => {}
        }
        if depth == 0 {
            return;
        }
    }
}

/// Marks what stands under `#[cfg(test)]`.
fn mark_tests(tokens: &mut [Token]) {
    let mut at = 0;
    while at < tokens.len() {
        if text(tokens, at) != "#" || text(tokens, at + 1) != "[" {
            at += 1;
            continue;
        }
        let attribute_end = closing(tokens, at + 1);
        let inside: Vec<&str> = (at + 2..attribute_end).map(|i| text(tokens, i)).collect();
        if inside.first() != Some(&"cfg") || !inside.contains(&"test") || inside.contains(&"not") {
            at = attribute_end + 1;
            continue;
        }
        let end = item_end(tokens, attribute_end + 1);
        for token in &mut tokens[at..end] {
            token.test = true;
        }
        at = end;
    }
}

/// The index behind the item that starts here, further attributes included.
fn item_end(tokens: &[Token], start: usize) -> usize {
    let mut at = start;
    while text(tokens, at) == "#" {
        at = closing(tokens, at + 1) + 1;
    }
    // A field, a variant or an arm ends at a comma; an item does not.
    let listed = !matches!(
        text(tokens, at),
        "pub" | "mod" | "fn" | "use" | "impl" | "struct" | "enum" | "const" | "static" | "type" | "trait" | "async"
    );
    while at < tokens.len() {
        match text(tokens, at) {
            ";" => return at + 1,
            "," if listed => return at + 1,
            "{" => return closing(tokens, at) + 1,
            "(" | "[" => at = closing(tokens, at) + 1,
            "}" => return at,
            _ => at += 1,
        }
    }
    at
}

/// The index of the bracket that closes the one at `open`.
fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for at in open..tokens.len() {
        match text(tokens, at) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len().saturating_sub(1)
}

fn lex(source: &str) -> Vec<Token> {
    let chars: Vec<char> = source.chars().collect();
    let peek = |at: usize| chars.get(at).copied().unwrap_or('\0');
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut at, mut line, mut tokens) = (0, 1, Vec::new());
    while at < chars.len() {
        let (start, first) = (at, line);
        let text = match (peek(at), peek(at + 1)) {
            ('/', '/') => {
                while at < chars.len() && peek(at) != '\n' {
                    at += 1;
                }
                None
            }
            ('/', '*') => {
                let mut depth = 0;
                loop {
                    match (peek(at), peek(at + 1)) {
                        ('/', '*') => (depth, at) = (depth + 1, at + 2),
                        ('*', '/') => (depth, at) = (depth - 1, at + 2),
                        _ => at += 1,
                    }
                    if depth == 0 || at >= chars.len() {
                        break None;
                    }
                }
            }
            ('"', _) => {
                at = quoted(&chars, at, '"');
                Some("\"\"".to_owned())
            }
            // A character, not a lifetime.
            ('\'', next) if next == '\\' || peek(at + 2) == '\'' => {
                at = quoted(&chars, at, '\'');
                Some("\"\"".to_owned())
            }
            ('r', '"' | '#') | ('b' | 'c', 'r') if raw(&chars, at).is_some() => {
                at = raw(&chars, at).unwrap_or(at + 1);
                Some("\"\"".to_owned())
            }
            (':', ':') => {
                at += 2;
                Some("::".to_owned())
            }
            (c, _) if word(c) => {
                while word(peek(at)) {
                    at += 1;
                }
                Some(chars[start..at].iter().collect())
            }
            (c, _) => {
                at += 1;
                (!c.is_whitespace()).then(|| c.to_string())
            }
        };
        line += chars[start..at].iter().filter(|c| **c == '\n').count();
        if let Some(text) = text {
            let test = false;
            tokens.push(Token {
                text,
                line: first,
                test,
            });
        }
    }
    tokens
}

/// The index behind a text with escapes.
fn quoted(chars: &[char], start: usize, quote: char) -> usize {
    let mut at = start + 1;
    while at < chars.len() && chars[at] != quote {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(chars.len())
}

/// The index behind a raw text, if one starts here.
fn raw(chars: &[char], start: usize) -> Option<usize> {
    let mut at = start + chars[start..].iter().position(|c| *c == 'r')? + 1;
    let hashes = chars[at..].iter().take_while(|c| **c == '#').count();
    at += hashes;
    if chars.get(at) != Some(&'"') {
        return None;
    }
    let end: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
    let length = chars[at + 1..].windows(end.len()).position(|w| w == end)?;
    Some(at + 1 + length + end.len())
}
