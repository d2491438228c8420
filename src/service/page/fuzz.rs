//! Page and snapshot tokens under `support::fuzz`: sealed and opened they are the same, and what was altered is refused.

use support::fuzz::{Fuzz, Verdict};

use super::*;

#[test]
fn a_page_token_is_opened_as_it_was_sealed_and_an_altered_one_is_refused() {
    Fuzz::target("page-tokens").runs(20_000).check(|input, random| {
        // As a client might send it.
        let text = String::from_utf8_lossy(input);
        let opened = PageToken::open("page_token", &text).ok();
        if let Some(token) = &opened {
            assert_eq!(PageToken::open("page_token", &token.seal()).ok(), opened);
            assert!(SnapshotToken::open("page_token", &text).is_err(), "two kinds of token");
        }
        let Ok(token) = PageToken::decode(input) else {
            let verdict = if opened.is_some() {
                Verdict::Accepted
            } else {
                Verdict::Refused
            };
            return (verdict, 0);
        };
        let sealed = token.seal();
        assert_eq!(PageToken::open("page_token", &sealed).expect("a token"), token);
        for _ in 0..8 {
            let mut altered = sealed.clone().into_bytes();
            let at = random.below(altered.len());
            match random.below(3) {
                0 => altered[at] = b"Aa0-_="[random.below(6)],
                1 => altered.truncate(at),
                _ => altered.insert(at, b'A'),
            }
            let altered = String::from_utf8(altered).expect("ASCII");
            if altered != sealed {
                let refused = PageToken::open("page_token", &altered).expect_err("altered");
                assert_eq!(tonic::Status::from(refused).code(), Code::InvalidArgument);
            }
        }
        (Verdict::Accepted, 1 + sealed.len().min(64))
    });
}
