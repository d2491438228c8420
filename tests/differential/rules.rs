//! Where informerd deviates from client-go on purpose. Whatever no rule here explains is a failure.

use crate::calls::{Call, Kind};

/// One deviation, which docs/architecture.md and the reflector's documentation name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rule {
    /// H11: client-go hands over every object of a relist as an update, informerd only those that changed.
    UnchangedIsSilence,
    /// C5: an object that was replaced by another one of its name between two lists is one update in client-go, a
    /// deletion and an addition in informerd.
    RecreationIsTwoEvents,
    /// C3: both tell deletions before everything else; the order among the rest is that of the list in client-go, and of
    /// its watch-list, which has none.
    ListsHaveNoOrder,
}

/// How the calls of a chapter came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The first list.
    Initial,
    /// The watch, in which order counts.
    Live,
    /// A relist, and after it the watch again, with the marker's last write alone.
    Relist,
}

// === impl Rule ===

impl Rule {
    pub(crate) const ALL: [Self; 3] = [
        Self::UnchangedIsSilence,
        Self::RecreationIsTwoEvents,
        Self::ListsHaveNoOrder,
    ];
}

/// Brings both sequences of a chapter into one form, and says which rules that took.
pub(crate) fn normalize(origin: Origin, theirs: &[Call], ours: &[Call]) -> (Vec<Call>, Vec<Call>, Vec<Rule>) {
    let mut used = Vec::new();
    let mut calls = Vec::new();
    for call in theirs {
        match &call.old {
            Some((uid, version)) if (uid, *version) == (&call.uid, call.version) => used.push(Rule::UnchangedIsSilence),
            Some((uid, version)) if *uid != call.uid && origin == Origin::Relist => {
                used.push(Rule::RecreationIsTwoEvents);
                calls.push(Call {
                    kind: Kind::Deleted,
                    uid: uid.clone(),
                    version: *version,
                    old: None,
                    tombstone: true,
                    ..call.clone()
                });
                calls.push(Call {
                    kind: Kind::Added,
                    old: None,
                    ..call.clone()
                });
            }
            _ => calls.push(call.clone()),
        }
    }
    let mut ours: Vec<Call> = ours.to_vec();
    if origin != Origin::Live {
        for calls in [&mut calls, &mut ours] {
            // The marker's last write is live and stays where it is.
            let listed = calls.len() - usize::from(origin == Origin::Relist && !calls.is_empty());
            let before = calls.clone();
            calls[..listed].sort();
            if *calls != before {
                used.push(Rule::ListsHaveNoOrder);
            }
        }
    }
    for call in &mut ours {
        call.relisted = None;
    }
    (calls, ours, used)
}

/// What holds of each side by itself.
///
/// # Panics
/// If it does not.
pub(crate) fn check(origin: Origin, theirs: &[Call], ours: &[Call]) {
    let deletions_first = |calls: &[Call]| {
        let first = calls
            .iter()
            .position(|call| call.kind != Kind::Deleted)
            .unwrap_or(calls.len());
        // The two events of a recreation stand together, as one atomic step.
        let again = |call: &Call| {
            calls
                .iter()
                .any(|other| other.kind == Kind::Added && other.key == call.key)
        };
        calls[first..]
            .iter()
            .all(|call| call.kind != Kind::Deleted || again(call))
    };
    if origin == Origin::Relist {
        assert!(deletions_first(theirs), "C3, client-go:\n{}", lines(theirs));
        assert!(deletions_first(ours), "C3, informerd:\n{}", lines(ours));
    }
    for (at, call) in ours.iter().enumerate() {
        let last = at + 1 == ours.len();
        let relisted = origin == Origin::Relist && !last;
        assert_eq!(call.relisted, Some(relisted), "{origin:?} {call:?}");
        assert_eq!(call.initial, origin == Origin::Initial, "{origin:?} {call:?}");
    }
}

/// One call a line.
pub(crate) fn lines(calls: &[Call]) -> String {
    calls.iter().map(|call| format!("  {call:?}\n")).collect()
}
