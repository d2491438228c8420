//! Configuration files and durations: never a panic, what is read can be written and read again, and an unknown key is an error.

use std::time::Duration;

use informerd::config::{LogFormat, Settings, SocketChoice, duration};
use support::fuzz::{Fuzz, Verdict};

const WORDS: &[&str] = &[
    "kubeconfig: ",
    "context: ",
    "socket: ",
    "socket: none\n",
    "listen: ",
    "[127.0.0.1:80]",
    "metrics-listen: ",
    "resource: ",
    "namespace: ",
    "[a, b]",
    "selector: ",
    "resync: ",
    "5m",
    "1h30m",
    "0",
    "250ms",
    "log-level: ",
    "log-format: json\n",
    "\n",
    "---\n",
    "# ",
    "null",
    "~",
    "''",
    "\"\\n\"",
    "&a ",
    "*a",
    "!!str ",
    "? ",
    "- ",
    "{",
    "}",
    "<<: ",
    "| \n  x\n",
];

#[test]
fn a_configuration_is_read_back_as_it_was_and_unknown_keys_are_errors() {
    Fuzz::target("config").words(WORDS).runs(10_000).check(|input, random| {
        let text = String::from_utf8_lossy(input);
        let settings = match Settings::parse(&text) {
            Ok(settings) => settings,
            Err(error) => {
                let said = error.to_string();
                let words: Vec<&str> = said.split_whitespace().take(2).collect();
                return (Verdict::Refused, words.join(" "));
            }
        };
        let written = write(&settings);
        let again = Settings::parse(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
        assert_eq!(again, settings, "{written}");
        assert_eq!(settings.clone().over(Settings::default()), settings);
        assert_eq!(Settings::default().over(settings.clone()), settings);
        let unknown = format!("x{:x}", random.number());
        let error = Settings::parse(&format!("{written}{unknown}: 1\n"))
            .expect_err("an unknown key")
            .to_string();
        assert!(error.contains(&unknown), "{error}");
        let class = match settings.clone().resolve() {
            Ok(config) => {
                assert!(config.socket.is_some() || !config.listen.is_empty(), "served nowhere");
                assert!(config.resync.is_none_or(|period| period >= Duration::from_secs(1)));
                format!("{} {}", config.listen.len().min(3), config.resources.len().min(3))
            }
            Err(error) => error.to_string(),
        };
        (Verdict::Accepted, format!("{} {class}", written.lines().count()))
    });
}

/// The settings as a file, in which every text is quoted.
fn write(settings: &Settings) -> String {
    let quote = |text: &str| serde_json::Value::from(text).to_string();
    let list = |items: &[String]| {
        let quoted: Vec<_> = items.iter().map(|item| quote(item)).collect();
        (!items.is_empty()).then(|| format!("[{}]", quoted.join(", ")))
    };
    let path = |path: &std::path::Path| quote(&path.to_string_lossy());
    let addresses: Vec<String> = settings.listen.iter().map(ToString::to_string).collect();
    let lines = [
        ("kubeconfig", settings.kubeconfig.as_deref().map(path)),
        ("context", settings.context.as_deref().map(quote)),
        (
            "socket",
            settings.socket.as_ref().map(|socket| match socket {
                SocketChoice::Path(socket) => path(socket),
                SocketChoice::None => "none".into(),
            }),
        ),
        ("listen", list(&addresses)),
        (
            "metrics-listen",
            settings.metrics_listen.map(|address| quote(&address.to_string())),
        ),
        ("resource", list(&settings.resource)),
        ("namespace", list(&settings.namespace)),
        ("selector", settings.selector.as_deref().map(quote)),
        (
            "resync",
            settings.resync.map(|period| format!("{}ms", period.as_millis())),
        ),
        ("log-level", settings.log_level.as_deref().map(quote)),
        (
            "log-format",
            settings.log_format.map(|format| match format {
                LogFormat::Text => "text".into(),
                LogFormat::Json => "json".into(),
            }),
        ),
    ];
    let line = |(key, value): (&str, Option<String>)| value.map(|value| format!("{key}: {value}\n"));
    lines.into_iter().filter_map(line).collect()
}

#[test]
fn a_duration_is_the_sum_of_its_parts() {
    let words = &["1h", "30m", "5s", "250ms", "2d", "ms", "0", " "];
    Fuzz::target("durations").words(words).runs(40_000).check(|input, _| {
        let text = String::from_utf8_lossy(input);
        let Ok(found) = duration::parse(&text) else {
            return (Verdict::Refused, 0);
        };
        let (mut sum, mut last) = (0_u128, u128::MAX);
        let mut number = String::new();
        let mut unit = String::new();
        // One more digit, so that the last part is counted too.
        for c in text.trim().chars().chain(['0']) {
            if c.is_ascii_digit() && !unit.is_empty() {
                assert!(millis(&unit) < last, "{text:?}: each unit once, the largest first");
                last = millis(&unit);
                sum += number.parse::<u128>().expect("a number") * last;
                (number, unit) = (String::new(), String::new());
            }
            if c.is_ascii_digit() { &mut number } else { &mut unit }.push(c);
        }
        assert_eq!(found.as_millis(), sum, "{text:?}");
        (Verdict::Accepted, text.trim().len().min(20))
    });
}

fn millis(unit: &str) -> u128 {
    match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        other => panic!("{other:?} is no unit"),
    }
}
