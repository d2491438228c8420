//! Columns of pods: a port of the API server's `printPod`.

use serde_json::Value;

use super::{
    age, at,
    cell::{Context, age_of, name},
    items, number, or_none, text,
};

/// READY, STATUS and RESTARTS.
struct State {
    ready: usize,
    containers: usize,
    reason: String,
    restarts: i64,
    last_restart: Option<i64>,
}

pub(super) fn cells(pod: &Value, context: &Context) -> Vec<String> {
    let state = state(pod);
    let mut restarts = state.restarts.to_string();
    if let (Some(last), true) = (state.last_restart, state.restarts != 0) {
        restarts = format!("{restarts} ({} ago)", age::human(context.now - last));
    }
    let ip = items(pod, &["status", "podIPs"])
        .first()
        .map_or("", |ip| text(ip, &["ip"]));
    vec![
        name(pod),
        format!("{}/{}", state.ready, state.containers),
        state.reason,
        restarts,
        age_of(pod, context),
        or_none(ip),
        or_none(text(pod, &["spec", "nodeName"])),
        or_none(text(pod, &["status", "nominatedNodeName"])),
        readiness_gates(pod),
    ]
}

/// What kubectl shows as the pod's status.
pub(super) fn status(pod: &Value) -> String {
    state(pod).reason
}

fn state(pod: &Value) -> State {
    let phase = text(pod, &["status", "phase"]);
    let conditions = items(pod, &["status", "conditions"]);
    let condition = |kind: &str| conditions.iter().find(|c| text(c, &["type"]) == kind);
    let is_true = |kind: &str| condition(kind).is_some_and(|c| text(c, &["status"]) == "True");

    let init_containers = items(pod, &["spec", "initContainers"]);
    let restartable = |name: &str| {
        init_containers
            .iter()
            .any(|c| text(c, &["name"]) == name && text(c, &["restartPolicy"]) == "Always")
    };
    let sidecars = init_containers
        .iter()
        .filter(|c| text(c, &["restartPolicy"]) == "Always")
        .count();

    let mut state = State {
        ready: 0,
        containers: items(pod, &["spec", "containers"]).len() + sidecars,
        reason: match text(pod, &["status", "reason"]) {
            "" => phase.to_owned(),
            reason => reason.to_owned(),
        },
        restarts: 0,
        last_restart: None,
    };
    if condition("PodScheduled").is_some_and(|c| text(c, &["reason"]) == "SchedulingGated") {
        state.reason = "SchedulingGated".into();
    }

    let mut initializing = false;
    let (mut sidecar_restarts, mut sidecar_last) = (0, None);
    for (i, status) in items(pod, &["status", "initContainerStatuses"]).iter().enumerate() {
        let sidecar = restartable(text(status, &["name"]));
        let count = number(status, &["restartCount"]);
        state.restarts += count;
        state.last_restart = state.last_restart.max(last_finished(status));
        if sidecar {
            sidecar_restarts += count;
            sidecar_last = sidecar_last.max(last_finished(status));
        }
        let terminated = at(status, &["state", "terminated"]);
        let waiting = text(status, &["state", "waiting", "reason"]);
        if terminated.is_object() && number(terminated, &["exitCode"]) == 0 {
            continue;
        }
        if sidecar && flag(status, "started") {
            state.ready += usize::from(flag(status, "ready"));
            continue;
        }
        state.reason = if terminated.is_object() {
            format!("Init:{}", ending(terminated))
        } else if !waiting.is_empty() && waiting != "PodInitializing" {
            format!("Init:{waiting}")
        } else {
            format!("Init:{i}/{}", init_containers.len())
        };
        initializing = true;
        break;
    }

    if !initializing || is_true("Initialized") {
        state.restarts = sidecar_restarts;
        state.last_restart = sidecar_last;
        main_containers(pod, &mut state, is_true("Ready"));
    }

    if !text(pod, &["metadata", "deletionTimestamp"]).is_empty() {
        if text(pod, &["status", "reason"]) == "NodeLost" {
            state.reason = "Unknown".into();
        } else if !matches!(phase, "Failed" | "Succeeded") {
            state.reason = "Terminating".into();
        }
    }
    state
}

fn main_containers(pod: &Value, state: &mut State, pod_ready: bool) {
    let mut running = false;
    let mut error = String::new();
    for status in items(pod, &["status", "containerStatuses"]).iter().rev() {
        state.restarts += number(status, &["restartCount"]);
        state.last_restart = state.last_restart.max(last_finished(status));
        let waiting = text(status, &["state", "waiting", "reason"]);
        let terminated = at(status, &["state", "terminated"]);
        if !waiting.is_empty() {
            state.reason = waiting.to_owned();
        } else if terminated.is_object() {
            state.reason = ending(terminated);
            if number(terminated, &["exitCode"]) != 0 {
                error.clone_from(&state.reason);
            }
        } else if flag(status, "ready") && at(status, &["state", "running"]).is_object() {
            running = true;
            state.ready += 1;
        }
    }
    // A finished container does not make the pod finished while another one runs.
    if state.reason == "Completed" {
        if running && pod_ready {
            state.reason = "Running".into();
        } else if !error.is_empty() {
            state.reason = error;
        } else if running {
            state.reason = "NotReady".into();
        }
    }
}

/// How a container ended.
fn ending(terminated: &Value) -> String {
    match (text(terminated, &["reason"]), number(terminated, &["signal"])) {
        ("", 0) => format!("ExitCode:{}", number(terminated, &["exitCode"])),
        ("", signal) => format!("Signal:{signal}"),
        (reason, _) => reason.to_owned(),
    }
}

fn last_finished(status: &Value) -> Option<i64> {
    age::seconds_of(text(status, &["lastState", "terminated", "finishedAt"]))
}

fn flag(value: &Value, field: &str) -> bool {
    at(value, &[field]) == &Value::Bool(true)
}

fn readiness_gates(pod: &Value) -> String {
    let gates = items(pod, &["spec", "readinessGates"]);
    if gates.is_empty() {
        return "<none>".into();
    }
    let conditions = items(pod, &["status", "conditions"]);
    let met = gates.iter().filter(|gate| {
        let condition = conditions
            .iter()
            .find(|c| text(c, &["type"]) == text(gate, &["conditionType"]));
        condition.is_some_and(|c| text(c, &["status"]) == "True")
    });
    format!("{}/{}", met.count(), gates.len())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(pod: Value) -> String {
        let context = Context {
            now: 1_767_225_600 + 90,
            wide: true,
        };
        cells(&pod, &context)[1..].join(" ")
    }

    fn pod(spec: Value, status: Value) -> Value {
        json!({"metadata": {"name": "p", "creationTimestamp": "2026-01-01T00:00:00Z"}, "spec": spec, "status": status})
    }

    #[test]
    fn pods_look_as_the_api_server_prints_them() {
        let one = json!({"containers": [{"name": "c"}]});
        let two = json!({"containers": [{"name": "c"}, {"name": "d"}]});
        let running = json!({"name": "c", "ready": true, "restartCount": 0, "state": {"running": {}}});
        for (spec, status, want) in [
            (one.clone(), json!({"phase": "Pending"}), "0/1 Pending 0 90s"),
            (
                one.clone(),
                json!({"phase": "Running", "containerStatuses": [running]}),
                "1/1 Running 0 90s",
            ),
            (
                one.clone(),
                json!({"phase": "Running", "containerStatuses": [{"name": "c", "ready": false, "restartCount": 3,
                    "state": {"waiting": {"reason": "CrashLoopBackOff"}},
                    "lastState": {"terminated": {"finishedAt": "2026-01-01T00:01:00Z"}}}]}),
                "0/1 CrashLoopBackOff 3 (30s ago) 90s",
            ),
            (
                one.clone(),
                json!({"phase": "Failed", "containerStatuses": [{"name": "c", "state": {"terminated": {"exitCode": 2}}}]}),
                "0/1 ExitCode:2 0 90s",
            ),
            (
                one.clone(),
                json!({"phase": "Failed", "reason": "Evicted"}),
                "0/1 Evicted 0 90s",
            ),
            (
                one.clone(),
                json!({"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False", "reason": "SchedulingGated"}]}),
                "0/1 SchedulingGated 0 90s",
            ),
            (
                two,
                json!({"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}], "containerStatuses":
                    [{"name": "c", "state": {"terminated": {"exitCode": 0, "reason": "Completed"}}}, running]}),
                "1/2 Running 0 90s",
            ),
            (
                json!({"containers": [{"name": "c"}], "initContainers": [{"name": "i"}, {"name": "j"}]}),
                json!({"phase": "Pending", "initContainerStatuses": [{"name": "i", "state": {"terminated": {"exitCode": 0}}},
                    {"name": "j", "state": {"waiting": {"reason": "PodInitializing"}}}]}),
                "0/1 Init:1/2 0 90s",
            ),
            (
                json!({"containers": [{"name": "c"}], "initContainers": [{"name": "s", "restartPolicy": "Always"}]}),
                json!({"phase": "Running", "containerStatuses": [running],
                    "initContainerStatuses": [{"name": "s", "started": true, "ready": true, "restartCount": 1, "state": {"running": {}}}]}),
                "2/2 Running 1 90s",
            ),
        ] {
            assert!(
                row(pod(spec.clone(), status.clone())).starts_with(want),
                "{} is not {want}: {status}",
                row(pod(spec.clone(), status.clone()))
            );
        }
    }

    #[test]
    fn a_deleted_pod_is_terminating_unless_it_has_ended() {
        for (phase, want) in [("Running", "Terminating"), ("Succeeded", "Succeeded")] {
            let mut pod = pod(json!({}), json!({"phase": phase}));
            pod["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
            assert_eq!(status(&pod), want);
        }
    }

    #[test]
    fn wide_columns_say_none_when_empty() {
        let bare = row(pod(json!({}), json!({"phase": "Pending"})));
        assert!(bare.ends_with("<none> <none> <none> <none>"), "{bare}");
        let gated = pod(
            json!({"nodeName": "n1", "readinessGates": [{"conditionType": "a"}, {"conditionType": "b"}]}),
            json!({"podIPs": [{"ip": "10.0.0.1"}], "conditions": [{"type": "a", "status": "True"}]}),
        );
        assert!(row(gated).ends_with("10.0.0.1 n1 <none> 1/2"));
    }

    #[test]
    fn an_object_of_the_wrong_shape_is_no_panic() {
        for odd in [
            json!(null),
            json!([]),
            json!({"spec": 1, "status": "x"}),
            json!({"status": {"containerStatuses": [1, null]}}),
        ] {
            assert_eq!(cells(&odd, &Context { now: 0, wide: true }).len(), 9);
        }
    }
}
