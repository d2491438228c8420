//! Resume tokens under `support::fuzz`: what was minted is read as it was, and what was altered is refused or means the same.

use support::fuzz::{Fuzz, Verdict};

use super::*;

#[test]
fn a_token_is_read_as_it_was_and_an_altered_one_is_refused_or_harmless() {
    // Whatever decodes is the content of a token, so that fields that come later are tried, too.
    Fuzz::target("tokens").runs(20_000).check(|input, random| {
        let taken = Token::read(input).is_ok();
        let Ok(mut token) = Token::decode(input) else {
            assert!(!taken, "taken, but it does not decode");
            return (Verdict::Refused, 0);
        };
        assert_eq!(taken, token.check == token.hash());
        token.check = token.hash();
        let sealed = token.encode_to_vec();
        assert_eq!(Token::read(&sealed).expect("a token"), token);
        for _ in 0..8 {
            let mut altered = sealed.clone();
            for _ in 0..=random.below(2) {
                let at = random.below(altered.len());
                match random.below(4) {
                    0 => altered[at] ^= 1 << random.below(8),
                    1 => altered[at] = random.number() as u8,
                    2 => altered.truncate(at),
                    _ => altered.insert(at, random.number() as u8),
                }
                if altered.is_empty() {
                    break;
                }
            }
            if let Ok(read) = Token::read(&altered) {
                assert_eq!(read, token, "{}", altered.escape_ascii());
            }
        }
        (Verdict::Accepted, 1 + sealed.len().min(64))
    });
}
