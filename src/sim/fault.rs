//! Scripted misbehaviour: rules that say which requests go wrong, and how.
//!
//! ```text
//!   Rule { verb, resource, namespace, agent, skip, times } --matches a request--> Action --collected into--> Plan
//!                                                                                      http, list, watch <----/
//! ```
//!
//! Everything is data (`serde`), so a script can come from a file ([`Faults::load`]):
//!
//! ```yaml
//! - {verb: list, resource: pods, skip: 1, times: 1, action: {status: {code: 429, retry_after_seconds: 7}}}
//! - {namespace: team-b, action: {status: {code: 403, reason: Forbidden}}}
//! - {agent: curl, action: {delay: {millis: 3000}}}
//! - {verb: watch, times: 1, action: {error-after: {events: 2, status: {code: 410, reason: Expired}}}}
//! - {verb: list, times: 1, action: {answer: {code: 200, body: '{"kind":"Table","apiVersion":"meta.k8s.io/v1"}'}}}
//! - {verb: watch-list, action: {status: {code: 422, reason: Invalid}}}
//! ```
//!
//! Actions that replace the answer exclude each other: the first rule wins. Actions that shape a body or a watch
//! stream add up. What concerns the state and not one request is a method of the simulation: `compact` (410),
//! `restore` (versions go back), `hide_changes` (writes that no watch tells of, what client-go's fake source calls
//! AddDropWatch, ModifyDropWatch and DeleteDropWatch), `cut_all`, `go_down`.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::status::StatusError;

/// What a request does, as rules and the request log tell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verb {
    /// One object.
    Get,
    /// Many objects, or a page of them.
    List,
    /// A watch without initial events.
    Watch,
    /// A watch with `sendInitialEvents=true`.
    WatchList,
    /// POST
    Create,
    /// PUT
    Update,
    /// PATCH
    Patch,
    /// DELETE of one object or of many.
    Delete,
    /// Anything that is not about objects: discovery, version, health.
    Discovery,
}

/// What goes wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Answers with this failure instead.
    Status(StatusError),
    /// Resets the TCP connection without an answer.
    Reset,
    /// Keeps the connection open and never answers.
    Silence,
    /// Answers 200 with so many bytes that are no JSON.
    Garbage {
        /// How many.
        bytes: usize,
    },
    /// Answers exactly this: another kind, a Table, JSON that is none.
    Answer {
        /// HTTP status code.
        code: u16,
        /// Its `Content-Type`.
        #[serde(default = "json_type")]
        content_type: String,
        /// The body, byte for byte.
        body: String,
    },
    /// Answers, but only after a while.
    Delay {
        /// How long.
        millis: u64,
    },
    /// Sends the body this slowly.
    SlowBody {
        /// How slowly.
        bytes_per_second: usize,
    },
    /// Cuts the body off after so many bytes, and the connection with it.
    TruncateBody {
        /// After how many.
        bytes: usize,
    },
    /// Ends a watch in good order after so many events; with 0 it answers 200 and closes at once.
    CloseAfter {
        /// After how many.
        events: usize,
    },
    /// After so many events a watch stays open but says nothing any more: half-open.
    FreezeAfter {
        /// After how many.
        events: usize,
    },
    /// After so many events a watch sends the first half of the next one and loses its connection.
    TruncateAfter {
        /// After how many.
        events: usize,
    },
    /// After so many events a watch loses its connection by TCP reset.
    ResetAfter {
        /// After how many.
        events: usize,
    },
    /// After so many events a watch sends an ERROR event with this Status and ends.
    ErrorAfter {
        /// After how many.
        events: usize,
        /// What the event holds.
        status: StatusError,
    },
    /// After so many events a watch sends this line as it is, such as an event of another type.
    InjectAfter {
        /// After how many.
        events: usize,
        /// The line, without its end.
        line: String,
    },
    /// A watch keeps some events to itself, while the state has changed.
    HideEvents {
        /// How many events pass before.
        after: usize,
        /// How many are hidden then.
        count: usize,
    },
    /// A watch-list never gets the bookmark that ends its initial events.
    WithholdInitialEventsEnd,
    /// A watch gets no bookmarks, not even the one that ends initial events.
    WithholdBookmarks,
    /// A list comes in random order.
    ShuffleList,
}

/// Which requests go wrong, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// Only this verb; any if absent.
    #[serde(default)]
    pub verb: Option<Verb>,
    /// Only this resource, by plural name; any if absent.
    #[serde(default)]
    pub resource: Option<String>,
    /// Only requests below this namespace; any if absent.
    #[serde(default)]
    pub namespace: Option<String>,
    /// Only clients whose `User-Agent` contains this; any if absent.
    #[serde(default)]
    pub agent: Option<String>,
    /// How many matching requests pass unharmed before.
    #[serde(default)]
    pub skip: usize,
    /// How many are harmed then; all if absent.
    #[serde(default)]
    pub times: Option<usize>,
    /// What happens to them.
    pub action: Action,
}

/// Names a rule that was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RuleId(u64);

/// The script of a simulated cluster: a handle, cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    script: Arc<Mutex<Script>>,
}

#[derive(Debug, Default)]
struct Script {
    next: u64,
    rules: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    id: u64,
    rule: Rule,
    seen: usize,
    hits: usize,
}

/// What happens to one request.
#[derive(Debug, Default, Clone)]
pub(super) struct Plan {
    pub(super) replace: Option<Replace>,
    pub(super) delay: Duration,
    pub(super) bytes_per_second: Option<usize>,
    pub(super) truncate: Option<usize>,
    pub(super) shuffle: bool,
    /// Those of [`Action`] that shape a watch.
    pub(super) stream: Vec<Action>,
}

/// What comes instead of an answer.
#[derive(Debug, Clone)]
pub(super) enum Replace {
    Status(StatusError),
    Reset,
    Silence,
    Garbage(usize),
    Answer {
        code: u16,
        content_type: String,
        body: String,
    },
}

/// What rules look at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) verb: Verb,
    pub(super) resource: Option<&'a str>,
    pub(super) namespace: Option<&'a str>,
    pub(super) agent: &'a str,
}

fn json_type() -> String {
    "application/json".to_owned()
}

// === impl Rule ===

impl Rule {
    /// Harms every request of this verb.
    pub fn on(verb: Verb, action: Action) -> Self {
        Self {
            verb: Some(verb),
            ..Self::on_any(action)
        }
    }

    /// Harms every request.
    pub fn on_any(action: Action) -> Self {
        Self {
            verb: None,
            resource: None,
            namespace: None,
            agent: None,
            skip: 0,
            times: None,
            action,
        }
    }

    /// Only requests for this resource (plural name).
    pub fn resource(self, plural: impl Into<String>) -> Self {
        Self {
            resource: Some(plural.into()),
            ..self
        }
    }

    /// Only requests below this namespace.
    pub fn namespace(self, namespace: impl Into<String>) -> Self {
        Self {
            namespace: Some(namespace.into()),
            ..self
        }
    }

    /// Only clients whose `User-Agent` contains this.
    pub fn agent(self, part: impl Into<String>) -> Self {
        Self {
            agent: Some(part.into()),
            ..self
        }
    }

    /// Only the nth matching request (from 1), unless [`Rule::times`] says how many from there.
    pub fn nth(self, n: usize) -> Self {
        Self {
            skip: n.saturating_sub(1),
            times: Some(1),
            ..self
        }
    }

    /// Only so many matching requests.
    pub fn times(self, times: usize) -> Self {
        Self {
            times: Some(times),
            ..self
        }
    }

    /// Only the next matching request.
    pub fn once(self) -> Self {
        self.times(1)
    }

    fn matches(&self, asked: Asked<'_>) -> bool {
        let is = |wanted: &Option<String>, got: Option<&str>| wanted.as_deref().is_none_or(|w| Some(w) == got);
        self.verb.is_none_or(|verb| verb == asked.verb)
            && is(&self.resource, asked.resource)
            && is(&self.namespace, asked.namespace)
            && self.agent.as_deref().is_none_or(|part| asked.agent.contains(part))
    }
}

// === impl Faults ===

impl Faults {
    /// Adds a rule behind the others. It stays until it is removed, used up or not.
    pub fn add(&self, rule: Rule) -> RuleId {
        let mut script = self.script.lock();
        let id = script.next;
        script.next += 1;
        script.rules.push(Entry {
            id,
            rule,
            seen: 0,
            hits: 0,
        });
        RuleId(id)
    }

    /// Adds the rules of a script (YAML or JSON: a list of rules) behind the others; all or none.
    pub fn load(&self, script: &str) -> Result<Vec<RuleId>, serde_yaml_ng::Error> {
        // YAML spells enum variants with tags; as JSON values they are maps, as in the scripts of tests.
        let rules: serde_json::Value = serde_yaml_ng::from_str(script)?;
        let rules: Vec<Rule> =
            serde_json::from_value(rules).map_err(<serde_yaml_ng::Error as serde::de::Error>::custom)?;
        Ok(rules.into_iter().map(|rule| self.add(rule)).collect())
    }

    /// Removes a rule; streams that it already shapes keep their shape.
    pub fn remove(&self, id: RuleId) {
        self.script.lock().rules.retain(|entry| entry.id != id.0);
    }

    /// Removes all rules.
    pub fn clear(&self) {
        self.script.lock().rules.clear();
    }

    /// How many requests a rule has harmed; 0 if it was removed.
    pub fn hits(&self, id: RuleId) -> usize {
        self.script
            .lock()
            .rules
            .iter()
            .find(|entry| entry.id == id.0)
            .map_or(0, |entry| entry.hits)
    }

    /// Counts a request and says what happens to it.
    pub(super) fn plan(&self, asked: Asked<'_>) -> Plan {
        let mut plan = Plan::default();
        for entry in &mut self.script.lock().rules {
            if !entry.rule.matches(asked) {
                continue;
            }
            let place = entry.seen;
            entry.seen += 1;
            let due = place.checked_sub(entry.rule.skip);
            if due.is_some_and(|n| entry.rule.times.is_none_or(|times| n < times)) {
                entry.hits += 1;
                plan.add(&entry.rule.action);
            }
        }
        plan
    }
}

// === impl Plan ===

impl Plan {
    fn add(&mut self, action: &Action) {
        let replace = match action {
            Action::Status(status) => Replace::Status(status.clone()),
            Action::Reset => Replace::Reset,
            Action::Silence => Replace::Silence,
            Action::Garbage { bytes } => Replace::Garbage(*bytes),
            Action::Answer {
                code,
                content_type,
                body,
            } => Replace::Answer {
                code: *code,
                content_type: content_type.clone(),
                body: body.clone(),
            },
            Action::Delay { millis } => {
                return self.delay = self.delay.saturating_add(Duration::from_millis(*millis));
            }
            Action::SlowBody { bytes_per_second } => {
                return self.bytes_per_second = Some(*bytes_per_second);
            }
            Action::TruncateBody { bytes } => return self.truncate = Some(*bytes),
            Action::ShuffleList => return self.shuffle = true,
            shaping => return self.stream.push(shaping.clone()),
        };
        self.replace.get_or_insert(replace);
    }
}
