//! Which columns a resource has: a port of the API server's own printers for the resources people list most, and name and
//! age for all others. (The columns of a CRD are in its definition, which the cache does not serve.)

use serde_json::Value;

use super::{
    at,
    cell::{Context, age_of, name},
    items, number, or_none, pods, sorted, text,
};

/// Columns of one resource.
#[derive(Clone, Copy)]
pub struct Columns {
    /// Header, wide columns last.
    pub names: &'static [&'static str],
    /// How many of them are shown without `-o wide`.
    pub narrow: usize,
    /// False if apiVersion, kind and metadata are enough.
    pub needs_body: bool,
    cells: fn(&Value, &Context) -> Vec<String>,
}

// === impl Columns ===

impl Columns {
    /// Of a resource, plural and lower-case as the server resolves it.
    #[must_use]
    pub fn of(group: &str, resource: &str) -> Self {
        let columns = |names: &'static [&'static str], narrow, cells| Self {
            names,
            narrow,
            needs_body: true,
            cells,
        };
        match (group, resource) {
            ("", "pods") => columns(
                &[
                    "NAME",
                    "READY",
                    "STATUS",
                    "RESTARTS",
                    "AGE",
                    "IP",
                    "NODE",
                    "NOMINATED NODE",
                    "READINESS GATES",
                ],
                5,
                pods::cells,
            ),
            ("", "services") => columns(
                &[
                    "NAME",
                    "TYPE",
                    "CLUSTER-IP",
                    "EXTERNAL-IP",
                    "PORT(S)",
                    "AGE",
                    "SELECTOR",
                ],
                6,
                service,
            ),
            ("", "nodes") => columns(
                &[
                    "NAME",
                    "STATUS",
                    "ROLES",
                    "AGE",
                    "VERSION",
                    "INTERNAL-IP",
                    "EXTERNAL-IP",
                    "OS-IMAGE",
                    "KERNEL-VERSION",
                    "CONTAINER-RUNTIME",
                ],
                5,
                node,
            ),
            ("", "configmaps") => columns(&["NAME", "DATA", "AGE"], 3, config_map),
            ("", "secrets") => columns(&["NAME", "TYPE", "DATA", "AGE"], 4, secret),
            ("", "namespaces") => columns(&["NAME", "STATUS", "AGE"], 3, namespace),
            ("apps", "deployments") => columns(
                &[
                    "NAME",
                    "READY",
                    "UP-TO-DATE",
                    "AVAILABLE",
                    "AGE",
                    "CONTAINERS",
                    "IMAGES",
                    "SELECTOR",
                ],
                5,
                deployment,
            ),
            ("apps", "replicasets") => columns(
                &[
                    "NAME",
                    "DESIRED",
                    "CURRENT",
                    "READY",
                    "AGE",
                    "CONTAINERS",
                    "IMAGES",
                    "SELECTOR",
                ],
                5,
                replica_set,
            ),
            ("apps", "statefulsets") => columns(&["NAME", "READY", "AGE", "CONTAINERS", "IMAGES"], 3, stateful_set),
            ("apps", "daemonsets") => columns(
                &[
                    "NAME",
                    "DESIRED",
                    "CURRENT",
                    "READY",
                    "UP-TO-DATE",
                    "AVAILABLE",
                    "NODE SELECTOR",
                    "AGE",
                    "CONTAINERS",
                    "IMAGES",
                    "SELECTOR",
                ],
                8,
                daemon_set,
            ),
            _ => Self {
                names: &["NAME", "AGE"],
                narrow: 2,
                needs_body: false,
                cells: generic,
            },
        }
    }

    /// The header.
    #[must_use]
    pub fn header(&self, wide: bool) -> Vec<String> {
        let shown = if wide { self.names.len() } else { self.narrow };
        self.names.iter().take(shown).map(|name| (*name).to_owned()).collect()
    }

    /// An object's cells, as many as the header has.
    #[must_use]
    pub fn row(&self, object: &Value, context: &Context) -> Vec<String> {
        let mut cells = (self.cells)(object, context);
        cells.truncate(if context.wide { self.names.len() } else { self.narrow });
        cells
    }
}

// === cells per resource ===

fn generic(o: &Value, c: &Context) -> Vec<String> {
    vec![name(o), age_of(o, c)]
}

fn namespace(o: &Value, c: &Context) -> Vec<String> {
    vec![name(o), text(o, &["status", "phase"]).to_owned(), age_of(o, c)]
}

fn entries(o: &Value, field: &str) -> usize {
    at(o, &[field]).as_object().map_or(0, serde_json::Map::len)
}

fn config_map(o: &Value, c: &Context) -> Vec<String> {
    vec![
        name(o),
        (entries(o, "data") + entries(o, "binaryData")).to_string(),
        age_of(o, c),
    ]
}

fn secret(o: &Value, c: &Context) -> Vec<String> {
    vec![
        name(o),
        text(o, &["type"]).to_owned(),
        entries(o, "data").to_string(),
        age_of(o, c),
    ]
}

fn deployment(o: &Value, c: &Context) -> Vec<String> {
    let status = |field| number(o, &["status", field]);
    let mut cells = vec![
        name(o),
        format!("{}/{}", status("readyReplicas"), number(o, &["spec", "replicas"])),
        status("updatedReplicas").to_string(),
        status("availableReplicas").to_string(),
        age_of(o, c),
    ];
    cells.extend(containers(o));
    cells.push(label_selector(at(o, &["spec", "selector"])));
    cells
}

fn replica_set(o: &Value, c: &Context) -> Vec<String> {
    let mut cells = vec![
        name(o),
        number(o, &["spec", "replicas"]).to_string(),
        number(o, &["status", "replicas"]).to_string(),
        number(o, &["status", "readyReplicas"]).to_string(),
        age_of(o, c),
    ];
    cells.extend(containers(o));
    cells.push(or_none(&label_selector(at(o, &["spec", "selector"]))));
    cells
}

fn stateful_set(o: &Value, c: &Context) -> Vec<String> {
    let ready = format!(
        "{}/{}",
        number(o, &["status", "readyReplicas"]),
        number(o, &["spec", "replicas"])
    );
    let mut cells = vec![name(o), ready, age_of(o, c)];
    cells.extend(containers(o));
    cells
}

fn daemon_set(o: &Value, c: &Context) -> Vec<String> {
    let mut cells = vec![name(o)];
    for field in [
        "desiredNumberScheduled",
        "currentNumberScheduled",
        "numberReady",
        "updatedNumberScheduled",
        "numberAvailable",
    ] {
        cells.push(number(o, &["status", field]).to_string());
    }
    cells.push(labels(at(o, &["spec", "template", "spec", "nodeSelector"])));
    cells.push(age_of(o, c));
    cells.extend(containers(o));
    cells.push(or_none(&label_selector(at(o, &["spec", "selector"]))));
    cells
}

fn service(o: &Value, c: &Context) -> Vec<String> {
    let ports: Vec<String> = items(o, &["spec", "ports"])
        .iter()
        .map(|port| {
            let (number_, protocol) = (number(port, &["port"]), text(port, &["protocol"]));
            match number(port, &["nodePort"]) {
                0 => format!("{number_}/{protocol}"),
                node => format!("{number_}:{node}/{protocol}"),
            }
        })
        .collect();
    vec![
        name(o),
        text(o, &["spec", "type"]).to_owned(),
        or_none(
            items(o, &["spec", "clusterIPs"])
                .first()
                .and_then(Value::as_str)
                .unwrap_or(""),
        ),
        external_ip(o, c.wide),
        or_none(&ports.join(",")),
        age_of(o, c),
        labels(at(o, &["spec", "selector"])),
    ]
}

/// Addresses of load balancers are cut at this width unless the output is wide.
const LOAD_BALANCER_WIDTH: usize = 16;

fn external_ip(o: &Value, wide: bool) -> String {
    let external = items(o, &["spec", "externalIPs"])
        .iter()
        .filter_map(Value::as_str)
        .collect::<Vec<_>>()
        .join(",");
    match text(o, &["spec", "type"]) {
        "ClusterIP" | "NodePort" => or_none(&external),
        "ExternalName" => text(o, &["spec", "externalName"]).to_owned(),
        "LoadBalancer" => {
            let mut ingress: Vec<&str> = items(o, &["status", "loadBalancer", "ingress"])
                .iter()
                .map(|i| match text(i, &["ip"]) {
                    "" => text(i, &["hostname"]),
                    ip => ip,
                })
                .filter(|address| !address.is_empty())
                .collect();
            ingress.sort_unstable();
            ingress.dedup();
            let mut all = ingress.join(",");
            if !wide && all.len() > LOAD_BALANCER_WIDTH {
                all = all.chars().take(LOAD_BALANCER_WIDTH - 3).chain("...".chars()).collect();
            }
            match (all.is_empty(), external.is_empty()) {
                (true, true) => "<pending>".into(),
                (true, false) => external,
                (false, true) => all,
                (false, false) => format!("{all},{external}"),
            }
        }
        _ => "<unknown>".into(),
    }
}

fn node(o: &Value, c: &Context) -> Vec<String> {
    let ready = items(o, &["status", "conditions"])
        .iter()
        .rfind(|c| text(c, &["type"]) == "Ready");
    let mut status = match ready.map(|c| text(c, &["status"])) {
        Some("True") => "Ready",
        Some(_) => "NotReady",
        None => "Unknown",
    }
    .to_owned();
    if at(o, &["spec", "unschedulable"]) == &Value::Bool(true) {
        status.push_str(",SchedulingDisabled");
    }
    let mut roles: Vec<&str> = at(o, &["metadata", "labels"])
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(key, value)| match key.strip_prefix("node-role.kubernetes.io/") {
            Some(role) => Some(role),
            None if key == "kubernetes.io/role" => value.as_str(),
            None => None,
        })
        .filter(|role| !role.is_empty())
        .collect();
    roles.sort_unstable();
    roles.dedup();
    let address = |kind: &str| {
        let found = items(o, &["status", "addresses"])
            .iter()
            .find(|a| text(a, &["type"]) == kind);
        found.map_or_else(|| "<none>".into(), |a| text(a, &["address"]).to_owned())
    };
    let info = |field: &str| text(o, &["status", "nodeInfo", field]);
    let unknown = |value: &str| {
        if value.is_empty() {
            "<unknown>".into()
        } else {
            value.to_owned()
        }
    };
    let mut kernel = unknown(info("kernelVersion"));
    if !info("architecture").is_empty() {
        kernel = format!("{kernel} ({})", info("architecture"));
    }
    vec![
        name(o),
        status,
        or_none(&roles.join(",")),
        age_of(o, c),
        info("kubeletVersion").to_owned(),
        address("InternalIP"),
        address("ExternalIP"),
        unknown(info("osImage")),
        kernel,
        unknown(info("containerRuntimeVersion")),
    ]
}

/// Names and images of a pod template's containers.
fn containers(o: &Value) -> [String; 2] {
    let list = |field: &str| {
        let containers = items(o, &["spec", "template", "spec", "containers"]);
        containers
            .iter()
            .map(|c| text(c, &[field]))
            .collect::<Vec<_>>()
            .join(",")
    };
    [list("name"), list("image")]
}

/// `a=b,c=d`; `<none>` if empty.
fn labels(map: &Value) -> String {
    let pairs = map.as_object().map(sorted).unwrap_or_default();
    let pairs: Vec<String> = pairs
        .into_iter()
        .map(|(k, v)| format!("{k}={}", v.as_str().unwrap_or("")))
        .collect();
    or_none(&pairs.join(","))
}

/// A LabelSelector as text, requirements in the order of their keys.
fn label_selector(selector: &Value) -> String {
    let mut requirements: Vec<(&str, String)> = Vec::new();
    for (key, value) in at(selector, &["matchLabels"]).as_object().into_iter().flatten() {
        requirements.push((key, format!("{key}={}", value.as_str().unwrap_or(""))));
    }
    for expression in items(selector, &["matchExpressions"]) {
        let key = text(expression, &["key"]);
        let mut values: Vec<&str> = items(expression, &["values"])
            .iter()
            .filter_map(Value::as_str)
            .collect();
        values.sort_unstable();
        let values = values.join(",");
        requirements.push((
            key,
            match text(expression, &["operator"]) {
                "In" => format!("{key} in ({values})"),
                "NotIn" => format!("{key} notin ({values})"),
                "Exists" => key.to_owned(),
                "DoesNotExist" => format!("!{key}"),
                _ => return "<invalid>".into(),
            },
        ));
    }
    requirements.sort_by(|a, b| a.0.cmp(b.0));
    requirements
        .into_iter()
        .map(|(_, text)| text)
        .collect::<Vec<_>>()
        .join(",")
}

#[cfg(test)]
mod tests;
