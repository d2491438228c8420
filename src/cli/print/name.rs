//! `kind.group/name`, as `kubectl -o name` prints it.

/// The part before the slash: lower-case kind, and the group unless it is the core one.
#[must_use]
pub fn prefix(kind: &str, group: &str) -> String {
    let kind = kind.to_lowercase();
    if group.is_empty() {
        kind
    } else {
        format!("{kind}.{group}")
    }
}

/// One line a name.
#[must_use]
pub fn lines<'a>(prefix: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let mut out = String::new();
    for name in names {
        out.push_str(prefix);
        out.push('/');
        out.push_str(name);
        out.push('\n');
    }
    out
}

/// `resource.group "name"`, as the API server's NotFound message has it.
#[must_use]
pub fn not_found(resource: &str, group: &str, name: &str) -> String {
    let dot = if group.is_empty() { "" } else { "." };
    format!("Error from server (NotFound): {resource}{dot}{group} \"{name}\" not found")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_kubectls_forms() {
        for (kind, group, want) in [
            ("Pod", "", "pod/x\n"),
            ("Deployment", "apps", "deployment.apps/x\n"),
            (
                "CustomResourceDefinition",
                "apiextensions.k8s.io",
                "customresourcedefinition.apiextensions.k8s.io/x\n",
            ),
        ] {
            assert_eq!(lines(&prefix(kind, group), ["x"]), want);
        }
    }

    #[test]
    fn a_missing_object_is_told_as_the_api_server_tells_it() {
        assert_eq!(
            not_found("pods", "", "x"),
            "Error from server (NotFound): pods \"x\" not found"
        );
        assert_eq!(
            not_found("deployments", "apps", "x"),
            "Error from server (NotFound): deployments.apps \"x\" not found"
        );
    }
}
