//! The keys that can be handed out, in order: priority, then turns of the namespaces, then first come, first served
//! (row Y2).
//!
//! ```text
//!   level 10 ─▶ lane "shop" ⇄ lane "web"        lanes take turns: the first gives a key and goes to the back
//!   level  0 ─▶ lane "web"                      lane = list of keys, oldest first
//! ```
//!
//! All lists run through the slots, so a key costs 12 bytes here and is taken from the middle at once.

use std::{cmp::Reverse, collections::BTreeMap, collections::HashMap, sync::Arc};

const NONE: u32 = u32::MAX;

/// The order of the ready keys.
#[derive(Debug)]
pub(super) struct Ready {
    /// False: one lane for all namespaces.
    fair: bool,
    links: Vec<Link>,
    lanes: Vec<Lane>,
    free_lanes: Vec<u32>,
    by_name: HashMap<(i32, Arc<str>), u32>,
    levels: BTreeMap<Reverse<i32>, Level>,
    everybody: Arc<str>,
    len: usize,
}

/// A key's neighbours in its lane.
#[derive(Clone, Copy, Debug)]
struct Link {
    prev: u32,
    next: u32,
    lane: u32,
}

#[derive(Debug)]
struct Lane {
    priority: i32,
    namespace: Arc<str>,
    head: u32,
    tail: u32,
    prev: u32,
    next: u32,
}

#[derive(Debug)]
struct Level {
    head: u32,
    tail: u32,
    len: usize,
}

// === impl Ready ===

impl Ready {
    pub(super) fn new(fair: bool) -> Self {
        Self {
            fair,
            links: Vec::new(),
            lanes: Vec::new(),
            free_lanes: Vec::new(),
            by_name: HashMap::new(),
            levels: BTreeMap::new(),
            everybody: "".into(),
            len: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Keys by priority, highest first.
    pub(super) fn depths(&self) -> impl Iterator<Item = (i32, usize)> {
        self.levels.iter().map(|(priority, level)| (priority.0, level.len))
    }

    /// Puts a key, which must not be here, behind all others of its lane.
    pub(super) fn push(&mut self, slot: u32, priority: i32, namespace: &Arc<str>) {
        let lane = self.lane(priority, namespace);
        let at = slot as usize;
        if self.links.len() <= at {
            let link = Link {
                prev: NONE,
                next: NONE,
                lane: NONE,
            };
            self.links.resize(at + 1, link);
        }
        let tail = std::mem::replace(&mut self.lanes[lane as usize].tail, slot);
        self.links[at] = Link {
            prev: tail,
            next: NONE,
            lane,
        };
        match tail {
            NONE => self.lanes[lane as usize].head = slot,
            tail => self.links[tail as usize].next = slot,
        }
        self.len += 1;
        if let Some(level) = self.levels.get_mut(&Reverse(priority)) {
            level.len += 1;
        }
    }

    /// Takes a key, which must be here.
    pub(super) fn remove(&mut self, slot: u32) {
        let Link { prev, next, lane } = self.links[slot as usize];
        match prev {
            NONE => self.lanes[lane as usize].head = next,
            prev => self.links[prev as usize].next = next,
        }
        match next {
            NONE => self.lanes[lane as usize].tail = prev,
            next => self.links[next as usize].prev = prev,
        }
        self.len -= 1;
        if let Some(level) = self.levels.get_mut(&Reverse(self.lanes[lane as usize].priority)) {
            level.len -= 1;
        }
        if self.lanes[lane as usize].head == NONE {
            self.unlink_lane(lane);
            let lane_ref = &mut self.lanes[lane as usize];
            let namespace = std::mem::replace(&mut lane_ref.namespace, self.everybody.clone());
            self.by_name.remove(&(lane_ref.priority, namespace));
            self.free_lanes.push(lane);
        }
    }

    /// The key whose turn it is.
    pub(super) fn first(&self) -> Option<u32> {
        let (_, level) = self.levels.first_key_value()?;
        Some(self.lanes[level.head as usize].head)
    }

    /// Gives memory back; to be called when the queue knows no key at all.
    pub(super) fn shrink(&mut self) {
        if self.len == 0 {
            *self = Self::new(self.fair);
        }
    }

    /// Takes the key whose turn it is.
    pub(super) fn pop(&mut self) -> Option<u32> {
        let (_, level) = self.levels.first_key_value()?;
        let lane = level.head;
        let slot = self.lanes[lane as usize].head;
        if self.links[slot as usize].next != NONE && level.head != level.tail {
            let priority = self.lanes[lane as usize].priority;
            self.unlink_lane(lane);
            self.append_lane(lane, priority);
        }
        self.remove(slot);
        Some(slot)
    }

    /// The first keys, in the order in which `pop` would give them.
    pub(super) fn peek(&self, max: usize) -> Vec<u32> {
        let mut found = Vec::new();
        for level in self.levels.values() {
            let mut turns: Vec<u32> = Vec::new();
            let mut lane = level.head;
            while lane != NONE {
                turns.push(self.lanes[lane as usize].head);
                lane = self.lanes[lane as usize].next;
            }
            // One round: each lane gives its next key, and those with more come again in the same order.
            while !turns.is_empty() {
                for slot in &turns {
                    if found.len() == max {
                        return found;
                    }
                    found.push(*slot);
                }
                turns.retain_mut(|slot| {
                    *slot = self.links[*slot as usize].next;
                    *slot != NONE
                });
            }
        }
        found
    }

    fn lane(&mut self, priority: i32, namespace: &Arc<str>) -> u32 {
        let namespace = if self.fair { namespace } else { &self.everybody };
        let name = (priority, namespace.clone());
        if let Some(lane) = self.by_name.get(&name) {
            return *lane;
        }
        let lane = Lane {
            priority,
            namespace: name.1.clone(),
            head: NONE,
            tail: NONE,
            prev: NONE,
            next: NONE,
        };
        let id = match self.free_lanes.pop() {
            Some(id) => {
                self.lanes[id as usize] = lane;
                id
            }
            None => {
                self.lanes.push(lane);
                (self.lanes.len() - 1) as u32
            }
        };
        self.by_name.insert(name, id);
        self.append_lane(id, priority);
        id
    }

    fn append_lane(&mut self, lane: u32, priority: i32) {
        let level = self.levels.entry(Reverse(priority)).or_insert(Level {
            head: NONE,
            tail: NONE,
            len: 0,
        });
        let tail = std::mem::replace(&mut level.tail, lane);
        match tail {
            NONE => level.head = lane,
            tail => self.lanes[tail as usize].next = lane,
        }
        let lane = &mut self.lanes[lane as usize];
        lane.prev = tail;
        lane.next = NONE;
    }

    fn unlink_lane(&mut self, lane: u32) {
        let Lane {
            priority, prev, next, ..
        } = self.lanes[lane as usize];
        let Some(level) = self.levels.get_mut(&Reverse(priority)) else {
            return;
        };
        match prev {
            NONE => level.head = next,
            prev => self.lanes[prev as usize].next = next,
        }
        match next {
            NONE => level.tail = prev,
            next => self.lanes[next as usize].prev = prev,
        }
        if level.head == NONE {
            self.levels.remove(&Reverse(priority));
        }
    }
}
