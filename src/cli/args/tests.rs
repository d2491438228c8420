use clap::{CommandFactory as _, error::ErrorKind};

use super::*;

fn parse(line: &str) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(std::iter::once("informerd").chain(line.split_whitespace()))
}

fn command(line: &str) -> Command {
    parse(line).expect(line).command
}

#[test]
fn the_definition_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn get_reads_what_kubectl_users_write() {
    let Command::Get(get) =
        command("get pods -n kube-system -l app=web,tier!=db -o name --field-selector spec.nodeName=n1")
    else {
        panic!("not get");
    };
    assert_eq!(get.targets, ["pods"]);
    assert_eq!(get.filter.namespace, ["kube-system"]);
    assert_eq!(get.filter.selector, "app=web,tier!=db");
    assert_eq!(get.filter.field_selector, "spec.nodeName=n1");
    assert_eq!(get.output, GetOutput::Name);

    let Command::Get(get) = command("get deploy a b") else {
        panic!("not get")
    };
    assert_eq!(get.targets, ["deploy", "a", "b"]);
    assert_eq!(get.filter.namespace, ["default"]);
    assert_eq!(get.output, GetOutput::Table);
}

#[test]
fn an_index_value_may_hold_equal_signs_and_commas() {
    let Command::Get(get) = command("get pods --index label:app=a=b,c --index label:app=d") else {
        panic!("not get")
    };
    assert_eq!(
        get.filter.index,
        [("label:app".into(), "a=b,c".into()), ("label:app".into(), "d".into())]
    );
}

#[test]
fn serve_flags_lie_over_the_file() {
    let dir = tempfile::tempdir().expect("directory");
    let file = dir.path().join("informerd.yaml");
    std::fs::write(
        &file,
        "resource: [pods]\nselector: from=file\nmetrics-listen: 127.0.0.1:1\nresync: 5m\nlog-level: debug\n",
    )
    .expect("written");
    let line = format!(
        "serve --config {} --no-socket --listen 127.0.0.1:0 --resource nodes,pods --metrics-listen 127.0.0.1:2",
        file.display()
    );
    let cli = parse(&line).expect("valid");
    let Command::Serve(serve) = cli.command else {
        panic!("not serve")
    };
    let settings = serve.settings(cli.log).expect("valid");
    assert_eq!(settings.log_level.as_deref(), Some("debug"));
    let config = settings.resolve().expect("valid");
    assert_eq!(config.socket, None);
    assert_eq!(config.metrics_listen, Some("127.0.0.1:2".parse().expect("address")));
    assert_eq!(config.resources, ["nodes", "pods"]);
    assert_eq!(config.selector, "from=file");
    assert_eq!(config.resync, Some(Duration::from_secs(300)));
}

#[test]
fn log_flags_are_accepted_after_the_command_too() {
    let cli = parse("status --log-level debug --log-format json").expect("valid");
    assert_eq!(cli.log.log_level.as_deref(), Some("debug"));
    assert_eq!(cli.log.log_format, Some(LogFormat::Json));
}

#[test]
fn demo_ends_by_itself_when_told_so() {
    let Command::Demo(demo) = command("demo --for 10s --seed 7 --rate 2.5") else {
        panic!("not demo")
    };
    assert_eq!(demo.run_for, Some(Duration::from_secs(10)));
    assert_eq!((demo.seed, demo.rate), (Some(7), 2.5));
}

#[test]
fn usage_errors_have_exit_code_2() {
    for line in [
        "",
        "get",
        "fetch pods",
        "get pods -o xml",
        "get pods -A -n a",
        "get pods --index x",
        "get pods --timeout 2m",
        "watch pods --resync 10ms",
        "status --wait-synced 1h",
        "demo --rate 0",
        "demo --for soon",
        "serve --listen nowhere",
    ] {
        let error = parse(line).expect_err(line);
        assert_eq!(error.exit_code(), 2, "{line}: {error}");
    }
}

#[test]
fn the_version_is_printed_with_exit_code_0() {
    let error = parse("--version").expect_err("printed by clap");
    assert_eq!((error.kind(), error.exit_code()), (ErrorKind::DisplayVersion, 0));
    assert_eq!(
        error.to_string(),
        concat!("informerd ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn peek_reads_states_and_namespaces_only_with_states() {
    let Command::Queue(QueueCommand::Peek(peek)) = command("queue peek q --state parked,stale -n a -n b") else {
        panic!("not peek")
    };
    assert_eq!(peek.state, [QueueItemState::Parked, QueueItemState::Stale]);
    assert_eq!((peek.namespace, peek.max), (vec!["a".to_owned(), "b".into()], 100));
    for line in [
        "queue",
        "queue peek",
        "queue peek q -n a",
        "queue peek q --max 0",
        "queue peek q --state lost",
        "queue requeue q",
        "queue drain q --timeout 11m",
    ] {
        assert!(parse(line).is_err(), "{line}");
    }
}
