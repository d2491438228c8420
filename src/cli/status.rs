//! `informerd status`: the server, its informers and how current they are. With `--wait-synced` also a readiness probe.

mod document;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::io::AsyncWriteExt as _;
use tonic::{Request, transport::Channel};

use self::document::Document;
use crate::{
    cli::{
        Io,
        args::{StatusArgs, StatusOutput},
        connect::ServerAddress,
        error::{CliError, describe},
        print::{age, table::Table},
        query::{informers, resource_of, wire},
        watch::encode::word,
    },
    proto::v1alpha1::{
        CacheStatus, GetServerInfoRequest, GetServerInfoResponse, Informer, ListInformersRequest, UpstreamError,
        UpstreamState, WaitForCacheSyncRequest,
    },
};

/// What the transport gets on top of the wait: the server's own answer says which informers lag, a deadline does not.
const GRACE: Duration = Duration::from_secs(5);

const COLUMNS: [&str; 12] = [
    "NAME",
    "RESOURCE",
    "SCOPE",
    "STATE",
    "SYNCED",
    "OBJECTS",
    "BYTES",
    "REVISION",
    "RV",
    "AS-OF",
    "WATCHES",
    "LAST ERROR",
];

/// Runs the command.
pub async fn run(args: StatusArgs, io: &mut Io<'_>) -> Result<(), CliError> {
    let channel = ServerAddress::parse(args.server.server.as_deref())?.connect().await?;
    if let Some(wait) = args.wait_synced {
        let mut request = Request::new(WaitForCacheSyncRequest {
            names: Vec::new(),
            timeout: Some(wire(wait)),
        });
        request.set_timeout(wait + GRACE);
        informers(&channel).wait_for_cache_sync(request).await?;
    }
    let info = informers(&channel)
        .get_server_info(GetServerInfoRequest {})
        .await?
        .into_inner();
    let list = list(&channel).await?;
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |t| i64::try_from(t.as_secs()).unwrap_or(0));
    let out = match args.output {
        StatusOutput::Json => Document::new(&info, &list).render()?,
        StatusOutput::Table => table(&info, &list, now, !args.no_headers),
    };
    io.out.write_all(out.as_bytes()).await?;
    io.out.flush().await?;
    if args.output == StatusOutput::Table {
        match informers(&channel).wait_for_cache_sync(look()).await {
            // Also tells of informers that were asked for and cannot be created, which are in no list.
            Err(status) => io.note(&describe(&status)),
            Ok(_) if list.is_empty() => {
                io.note("No informers: they start when a client asks for a resource, or with serve --resource.");
            }
            Ok(_) => {}
        }
    }
    Ok(())
}

/// Whether all is synced, without waiting for it.
fn look() -> WaitForCacheSyncRequest {
    WaitForCacheSyncRequest {
        names: Vec::new(),
        timeout: Some(wire(Duration::ZERO)),
    }
}

async fn list(channel: &Channel) -> Result<Vec<Informer>, CliError> {
    let mut client = informers(channel);
    let mut all = Vec::new();
    let mut page_token = String::new();
    loop {
        let page = client
            .list_informers(ListInformersRequest {
                page_size: 0,
                page_token,
            })
            .await?
            .into_inner();
        all.extend(page.informers);
        if page.next_page_token.is_empty() {
            return Ok(all);
        }
        page_token = page.next_page_token;
    }
}

/// The table, with a line about the server above it.
fn table(info: &GetServerInfoResponse, list: &[Informer], now: i64, header: bool) -> String {
    let rows = list
        .iter()
        .flat_map(|informer| std::iter::once(row(informer, now)).chain(troubled(informer)))
        .collect();
    let table = Table {
        header: COLUMNS.map(str::to_owned).into(),
        rows,
    }
    .render(header);
    let server = format!(
        "informerd {}, epoch {}, {} informers\n",
        info.version,
        info.epoch,
        list.len()
    );
    if header { server + &table } else { table }
}

fn row(informer: &Informer, now: i64) -> Vec<String> {
    let none = CacheStatus::default();
    let status = informer.status.as_ref().unwrap_or(&none);
    let as_of = status
        .current_as_of
        .as_ref()
        .map_or_else(|| "-".into(), |t| age::human(now - t.seconds));
    vec![
        informer
            .name
            .strip_prefix("informers/")
            .unwrap_or(&informer.name)
            .to_owned(),
        resource(informer),
        scope(informer),
        state(status).to_owned(),
        if status.synced { "yes" } else { "no" }.into(),
        informer.object_count.to_string(),
        bytes(informer.object_bytes),
        status.revision.to_string(),
        if status.resource_version.is_empty() {
            "-".into()
        } else {
            status.resource_version.clone()
        },
        as_of,
        informer.watch_count.to_string(),
        last_error(status),
    ]
}

/// Lines below an informer of several namespaces: those that are not followed, and why. What the others do says the line of
/// the informer.
fn troubled(informer: &Informer) -> Vec<Vec<String>> {
    let several = informer.reflectors.len() > 1;
    let troubled = informer.reflectors.iter().filter(|r| {
        let state = r.state();
        several && state != UpstreamState::Watching
    });
    troubled
        .map(|reflector| {
            let mut line = vec![String::new(); COLUMNS.len()];
            line[2] = format!("- {}", reflector.namespace);
            line[3] = word(reflector.state().as_str_name(), "UPSTREAM_STATE_").to_owned();
            line[8].clone_from(&reflector.resource_version);
            line[11] = reflector.last_error.as_ref().map(error).unwrap_or_default();
            line
        })
        .collect()
}

/// `deployments.apps`, as kubectl accepts it.
fn resource(informer: &Informer) -> String {
    match resource_of(informer) {
        ("", resource) => resource.to_owned(),
        (group, resource) => format!("{resource}.{group}"),
    }
}

/// Namespaces (`*` for all, `{…}` for those of a label selector) and selectors.
fn scope(informer: &Informer) -> String {
    let Some(spec) = &informer.spec else {
        return String::new();
    };
    let mut parts = vec![match (informer.namespaced, &spec.namespaces[..]) {
        (false, _) => "cluster".into(),
        (true, []) if !spec.namespace_selector.is_empty() => format!("{{{}}}", spec.namespace_selector),
        (true, []) => "*".into(),
        (true, namespaces) => namespaces.join(","),
    }];
    parts.extend(
        [&spec.label_selector, &spec.field_selector]
            .into_iter()
            .filter(|s| !s.is_empty())
            .cloned(),
    );
    parts.join(" ")
}

fn state(status: &CacheStatus) -> &'static str {
    UpstreamState::try_from(status.upstream_state).map_or("UNKNOWN", |s| word(s.as_str_name(), "UPSTREAM_STATE_"))
}

fn last_error(status: &CacheStatus) -> String {
    status.last_error.as_ref().map(error).unwrap_or_default()
}

fn error(error: &UpstreamError) -> String {
    let code = if error.http_status == 0 {
        String::new()
    } else {
        format!("{} ", error.http_status)
    };
    format!("{code}{}: {}", error.reason, error.message)
}

/// Binary units with one decimal.
fn bytes(n: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut unit = 0;
    let mut size = n as f64;
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    if unit == 0 {
        format!("{n}B")
    } else {
        format!("{size:.1}{}", UNITS[unit])
    }
}

#[cfg(test)]
mod tests {
    use prost_types::Timestamp;

    use super::*;
    use crate::proto::v1alpha1::{InformerSpec, Reflector, ResourceRef};

    #[test]
    fn bytes_have_binary_units() {
        for (n, want) in [
            (0, "0B"),
            (1023, "1023B"),
            (1536, "1.5KiB"),
            (5 << 20, "5.0MiB"),
            (u64::MAX, "16777216.0TiB"),
        ] {
            assert_eq!(bytes(n), want);
        }
    }

    #[test]
    fn a_row_says_what_is_cached_and_what_is_wrong() {
        let informer = Informer {
            name: "informers/d".into(),
            spec: Some(InformerSpec {
                resource: Some(ResourceRef {
                    group: "apps".into(),
                    version: "v1".into(),
                    resource: "deployments".into(),
                }),
                namespaces: vec!["a".into(), "b".into()],
                label_selector: "app=web".into(),
                ..InformerSpec::default()
            }),
            namespaced: true,
            status: Some(CacheStatus {
                synced: true,
                upstream_state: UpstreamState::Backoff.into(),
                revision: 9,
                resource_version: "77".into(),
                current_as_of: Some(Timestamp { seconds: 10, nanos: 0 }),
                last_error: Some(UpstreamError {
                    http_status: 403,
                    reason: "Forbidden".into(),
                    message: "no\nrights".into(),
                    time: None,
                }),
                ..CacheStatus::default()
            }),
            object_count: 3,
            object_bytes: 2048,
            watch_count: 2,
            ..Informer::default()
        };
        let text = table(
            &GetServerInfoResponse::default(),
            &[informer.clone(), Informer::default()],
            55,
            false,
        );
        let words: Vec<Vec<&str>> = text
            .lines()
            .map(|l| l.split("   ").map(str::trim).filter(|w| !w.is_empty()).collect())
            .collect();
        assert_eq!(
            words[0],
            [
                "d",
                "deployments.apps",
                "a,b app=web",
                "BACKOFF",
                "yes",
                "3",
                "2.0KiB",
                "9",
                "77",
                "45s",
                "2",
                "403 Forbidden: no..."
            ]
        );
        assert_eq!(words.len(), 2);
        let text = table(
            &GetServerInfoResponse {
                version: "1".into(),
                epoch: "e".into(),
                ..Default::default()
            },
            &[informer],
            55,
            true,
        );
        assert!(
            text.starts_with("informerd 1, epoch e, 1 informers\nNAME   RESOURCE"),
            "{text}"
        );
    }
    #[test]
    fn case_29_namespaces_that_are_not_followed_have_lines_of_their_own() {
        let reflector = |namespace: &str, state: UpstreamState, error: Option<&str>| Reflector {
            namespace: namespace.into(),
            state: state.into(),
            last_error: error.map(|message| UpstreamError {
                http_status: 403,
                reason: "Forbidden".into(),
                message: message.into(),
                time: None,
            }),
            ..Reflector::default()
        };
        let informer = Informer {
            namespaced: true,
            spec: Some(InformerSpec {
                namespace_selector: "team=red".into(),
                ..InformerSpec::default()
            }),
            reflectors: vec![
                reflector("a", UpstreamState::Watching, None),
                reflector("b", UpstreamState::Forbidden, Some("no rights")),
            ],
            ..Informer::default()
        };
        let text = table(
            &GetServerInfoResponse::default(),
            std::slice::from_ref(&informer),
            0,
            false,
        );
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert!(lines[0].contains("{team=red}"), "{text}");
        assert!(lines[1].contains("- b") && lines[1].contains("FORBIDDEN"), "{text}");
        assert!(lines[1].contains("403 Forbidden: no rights"), "{text}");
        let one = Informer {
            reflectors: informer.reflectors[1..].to_vec(),
            ..informer
        };
        assert_eq!(
            table(&GetServerInfoResponse::default(), &[one], 0, false)
                .lines()
                .count(),
            1
        );
    }
}
