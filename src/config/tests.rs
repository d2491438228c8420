use super::*;

fn settings(yaml: &str) -> Settings {
    Settings::parse(yaml).expect(yaml)
}

#[test]
fn every_key_is_read() {
    let all = settings(
        "kubeconfig: /k\ncontext: c\nsocket: /s\nlisten: 127.0.0.1:5000\nmetrics-listen: 127.0.0.1:5001\nresource: [pods, deployments]\n\
         namespace: [a, b]\nselector: app=web\nresync: 5m\nlog-level: debug\nlog-format: json\n",
    );
    let config = all.clone().resolve().expect("valid");
    assert_eq!(all.log_level.as_deref(), Some("debug"));
    assert_eq!(all.log_format, Some(LogFormat::Json));
    assert_eq!(config.kubeconfig, Some("/k".into()));
    assert_eq!(config.context.as_deref(), Some("c"));
    assert_eq!(config.socket, Some("/s".into()));
    assert_eq!(config.listen, ["127.0.0.1:5000".parse().expect("address")]);
    assert_eq!(config.metrics_listen, Some("127.0.0.1:5001".parse().expect("address")));
    assert_eq!(config.resources, ["pods", "deployments"]);
    assert_eq!(config.namespaces, ["a", "b"]);
    assert_eq!(config.selector, "app=web");
    assert_eq!(config.resync, Some(Duration::from_secs(300)));
}

#[test]
fn an_empty_file_leaves_the_defaults() {
    for yaml in ["", "# only a comment\n", "---\n", "{}"] {
        let config = settings(yaml).resolve().expect("valid");
        assert_eq!(config.socket, Some(DEFAULT_SOCKET.into()), "{yaml:?}");
        assert_eq!(config.resync, None);
        assert_eq!(config.metrics_listen, None);
    }
}

#[test]
fn an_unknown_key_is_an_error_that_names_it() {
    let error = Settings::parse("resorce: pods\n").expect_err("misspelt").to_string();
    assert!(error.contains("resorce"), "{error}");
}

#[test]
fn malformed_values_are_errors() {
    for yaml in [
        "resync: 30\n",
        "resync: soon\n",
        "listen: here\n",
        "metrics-listen: here\n",
        "log-format: xml\n",
        "socket: ''\n",
        "resource: {a: b}\n",
        "- a\n",
    ] {
        assert!(Settings::parse(yaml).is_err(), "{yaml:?}");
    }
}

#[test]
fn the_upper_layer_wins_and_lists_are_replaced_whole() {
    let file = settings("socket: /file\nresource: [pods]\nselector: a=b\nnamespace: [n]\n");
    let flags = Settings {
        socket: Some(SocketChoice::Path("/flag".into())),
        resource: vec!["nodes".into()],
        ..Settings::default()
    };
    let config = flags.over(file).resolve().expect("valid");
    assert_eq!(config.socket, Some("/flag".into()));
    assert_eq!(config.resources, ["nodes"]);
    assert_eq!(config.selector, "a=b");
    assert_eq!(config.namespaces, ["n"]);
}

#[test]
fn serving_nowhere_is_refused() {
    let error = settings("socket: none\n").resolve().expect_err("nowhere").to_string();
    assert!(error.contains("--listen"), "{error}");
    let config = settings("socket: none\nlisten: ['[::1]:0']\n")
        .resolve()
        .expect("TCP only");
    assert_eq!(config.socket, None);
}

#[test]
fn a_resync_of_zero_is_off_and_a_tiny_one_is_refused() {
    assert_eq!(settings("resync: 0s\n").resolve().expect("off").resync, None);
    assert!(settings("resync: 10ms\n").resolve().is_err());
}

#[test]
fn resources_are_trimmed_and_named_once() {
    let config = settings("resource: [' pods', pods, '', nodes]\n")
        .resolve()
        .expect("valid");
    assert_eq!(config.resources, ["pods", "nodes"]);
}

#[test]
fn a_missing_file_is_named() {
    let error = Settings::load(Path::new("does/not/exist.yaml"))
        .expect_err("missing")
        .to_string();
    assert!(error.contains("does/not/exist.yaml"), "{error}");
}

#[test]
fn namespaces_come_from_a_list_or_by_label() {
    let by_label = settings("namespace-selector: team=red\n");
    let config = by_label.clone().resolve().expect("valid");
    assert_eq!(
        (config.namespaces.len(), config.namespace_selector.as_str()),
        (0, "team=red")
    );
    let both = settings("namespace: a\nnamespace-selector: team=red\n").resolve();
    assert!(
        both.expect_err("both").to_string().contains("exclude"),
        "a list or labels"
    );
    // Above and below: the upper one counts alone.
    let by_list = settings("namespace: a\n");
    let config = by_list.clone().over(by_label.clone()).resolve().expect("valid");
    assert_eq!((config.namespaces.len(), config.namespace_selector.as_str()), (1, ""));
    let config = by_label.over(by_list).resolve().expect("valid");
    assert_eq!(
        (config.namespaces.len(), config.namespace_selector.as_str()),
        (0, "team=red")
    );
}
