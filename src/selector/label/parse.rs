//! Lexer and parser of label selectors, production by production as `labels.Parser`.

use std::collections::BTreeSet;

use super::{LabelOperator, LabelRequirement};
use crate::selector::{SelectorError, SelectorKind, validate};

/// A token with the byte offset at which it starts.
#[derive(Debug, Clone, Copy)]
struct Token<'a> {
    kind: Kind,
    text: &'a str,
    at: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    End,
    Open,
    Close,
    Comma,
    Not,
    Equal,
    NotEqual,
    Greater,
    Less,
    /// A word; `in` and `notin` are words too, and operators only where an operator stands.
    Word,
}

struct Parser<'a> {
    input: &'a str,
    at: usize,
}

pub(super) fn parse(input: &str) -> Result<Vec<LabelRequirement>, SelectorError> {
    let mut parser = Parser { input, at: 0 };
    let mut requirements = Vec::new();
    if parser.peek().kind == Kind::End {
        return Ok(requirements);
    }
    loop {
        requirements.push(parser.requirement()?);
        let token = parser.next();
        match token.kind {
            Kind::End => return Ok(requirements),
            Kind::Comma => {}
            _ => return Err(parser.error(token, "',' or the end")),
        }
    }
}

// === impl Parser ===

impl<'a> Parser<'a> {
    fn requirement(&mut self) -> Result<LabelRequirement, SelectorError> {
        let mut token = self.next();
        let negated = token.kind == Kind::Not;
        if negated {
            token = self.next();
        }
        if token.kind != Kind::Word {
            return Err(self.error(token, if negated { "a label key" } else { "a label key or '!'" }));
        }
        validate::label_key(token.text).map_err(|expected| self.error(token, expected))?;
        let operator = if negated {
            LabelOperator::DoesNotExist
        } else if matches!(self.peek().kind, Kind::End | Kind::Comma) {
            LabelOperator::Exists
        } else {
            self.operator()?
        };
        Ok(LabelRequirement {
            key: token.text.to_owned(),
            operator,
        })
    }

    fn operator(&mut self) -> Result<LabelOperator, SelectorError> {
        let token = self.next();
        Ok(match (token.kind, token.text) {
            (Kind::Equal, _) => LabelOperator::In(BTreeSet::from([self.value()?.text.to_owned()])),
            (Kind::NotEqual, _) => LabelOperator::NotIn(BTreeSet::from([self.value()?.text.to_owned()])),
            (Kind::Greater, _) => LabelOperator::GreaterThan(self.integer()?),
            (Kind::Less, _) => LabelOperator::LessThan(self.integer()?),
            (Kind::Word, "in") => LabelOperator::In(self.values()?),
            (Kind::Word, "notin") => LabelOperator::NotIn(self.values()?),
            _ => {
                return Err(self.error(token, "one of '=', '==', '!=', 'in', 'notin', '>', '<', ',' or the end"));
            }
        })
    }

    /// The value after `=` or `!=`; nothing before a comma or the end is the empty value.
    fn value(&mut self) -> Result<Token<'a>, SelectorError> {
        let token = self.peek();
        match token.kind {
            Kind::End | Kind::Comma => Ok(Token {
                kind: Kind::Word,
                text: "",
                at: token.at,
            }),
            Kind::Word => {
                self.next();
                self.checked(token)
            }
            _ => Err(self.error(token, "a label value")),
        }
    }

    fn integer(&mut self) -> Result<i64, SelectorError> {
        let token = self.value()?;
        token
            .text
            .parse()
            .map_err(|_| self.error(token, "an integer after '>' or '<'"))
    }

    /// `(a,b)`. A missing value between commas or beside a parenthesis is the empty value, also in `()`.
    fn values(&mut self) -> Result<BTreeSet<String>, SelectorError> {
        let token = self.next();
        if token.kind != Kind::Open {
            return Err(self.error(token, "'(' after 'in' or 'notin'"));
        }
        let mut values = BTreeSet::new();
        loop {
            let token = self.peek();
            let value = match token.kind {
                Kind::Word => {
                    self.next();
                    self.checked(token)?.text
                }
                Kind::Comma | Kind::Close => "",
                _ => return Err(self.error(token, "a label value, ',' or ')'")),
            };
            values.insert(value.to_owned());
            let token = self.next();
            match token.kind {
                Kind::Comma => {}
                Kind::Close => return Ok(values),
                _ => return Err(self.error(token, "',' or ')'")),
            }
        }
    }

    fn checked(&self, token: Token<'a>) -> Result<Token<'a>, SelectorError> {
        validate::label_value(token.text).map_err(|expected| self.error(token, expected))?;
        Ok(token)
    }

    fn peek(&self) -> Token<'a> {
        self.lex().0
    }

    fn next(&mut self) -> Token<'a> {
        let (token, end) = self.lex();
        self.at = end;
        token
    }

    /// The token at the current place and where it ends.
    fn lex(&self) -> (Token<'a>, usize) {
        let rest = &self.input[self.at..];
        let trimmed = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        let at = self.input.len() - trimmed.len();

        let (kind, len) = match trimmed.as_bytes() {
            [] => (Kind::End, 0),
            [b'=', b'=', ..] => (Kind::Equal, 2),
            [b'!', b'=', ..] => (Kind::NotEqual, 2),
            [b'=', ..] => (Kind::Equal, 1),
            [b'!', ..] => (Kind::Not, 1),
            [b'(', ..] => (Kind::Open, 1),
            [b')', ..] => (Kind::Close, 1),
            [b',', ..] => (Kind::Comma, 1),
            [b'>', ..] => (Kind::Greater, 1),
            [b'<', ..] => (Kind::Less, 1),
            _ => {
                let stop = |c: char| matches!(c, '=' | '!' | '(' | ')' | ',' | '>' | '<' | ' ' | '\t' | '\r' | '\n');
                (Kind::Word, trimmed.find(stop).unwrap_or(trimmed.len()))
            }
        };
        (
            Token {
                kind,
                text: &trimmed[..len],
                at,
            },
            at + len,
        )
    }

    fn error(&self, token: Token<'_>, expected: &str) -> SelectorError {
        SelectorError::new(SelectorKind::Label, self.input, token.at, token.text, expected)
    }
}
