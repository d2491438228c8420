//! How much one step delivers.

use std::collections::VecDeque;

use crate::processor::Delivery;

/// How much one step may deliver.
pub struct Budget<'a> {
    /// Most events.
    pub events: usize,
    /// Most bytes, unless one event alone is larger.
    pub bytes: usize,
    /// Bytes of an event as it will be sent.
    pub size_of: &'a (dyn Fn(&Delivery) -> usize + Send + Sync),
}

/// Events gathered for one step.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) events: Vec<Delivery>,
    bytes: usize,
}

// === impl Batch ===

impl Batch {
    /// Takes an event; false if it does not fit any more. The first always fits.
    pub(super) fn push(&mut self, next: Delivery, budget: &Budget<'_>) -> bool {
        let fits = self.has_room(&next, budget);
        if fits {
            self.events.push(next);
        }
        fits
    }

    /// Takes what fits; false if something is left.
    pub(super) fn fill(&mut self, pending: &mut VecDeque<Delivery>, budget: &Budget<'_>) -> bool {
        while let Some(next) = pending.front() {
            if !self.has_room(next, budget) {
                return false;
            }
            self.events.extend(pending.pop_front());
        }
        true
    }

    fn has_room(&mut self, next: &Delivery, budget: &Budget<'_>) -> bool {
        self.bytes += (budget.size_of)(next);
        self.events.is_empty() || (self.bytes <= budget.bytes && self.events.len() < budget.events)
    }
}
