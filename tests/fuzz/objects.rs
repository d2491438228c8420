//! Objects: what the scanner accepts is JSON, says what serde_json says, and is kept whole but for what the transform cuts.

use informerd::object::{Object, Pointer, PointerSet, ScanError, Scanner, Transform, TypeMeta};
use support::Random;
use support::fuzz::{Fuzz, Verdict};

use crate::json::{Json, Read};

const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Pointers that are read in the same pass.
const POINTERS: &[&str] = &[
    "/spec/nodeName",
    "/spec/*/name",
    "/metadata/annotations/a",
    "/metadata/*/a",
    "/status/phase",
    "/kind",
];

/// Words of objects.
pub(crate) const WORDS: &[&str] = &[
    "\"metadata\":",
    "\"name\":\"x\"",
    "\"namespace\":\"n\"",
    "\"uid\":\"6f1f5e4e-0000-4000-8000-0123456789ab\"",
    "\"resourceVersion\":\"12\"",
    "\"labels\":{\"a\":\"b\"}",
    "\"annotations\":{",
    "\"kubectl.kubernetes.io/last-applied-configuration\":\"{}\"",
    "\"managedFields\":[{}]",
    "\"ownerReferences\":[{\"uid\":\"u\",\"controller\":true}]",
    "\"ownerReferences\":[{\"uid\":\"u\",\"controller\":false}]",
    "\"deletionTimestamp\":null",
    "\"generation\":3",
    "\"kind\":\"Pod\"",
    "\"apiVersion\":\"v1\"",
    "\"spec\":{\"nodeName\":\"n1\"}",
    "\\u0041",
    "\\ud83d\\ude00",
    "\\ud800",
    "1e400",
    "-0.0",
    "true",
    "null",
    "{}",
    "[]",
    ",",
];

#[test]
fn what_the_scanner_accepts_is_what_serde_json_reads() {
    Fuzz::target("objects")
        .words(WORDS)
        .runs(15_000)
        .check(|input, random| {
            let reader = Reader::new(random);
            reader.agree(&reader.scanner.scan(input), input)
        });
}

/// A scanner, and what it cuts.
pub(crate) struct Reader {
    pub(crate) scanner: Scanner,
    managed_fields: bool,
    last_applied: bool,
}

fn pointers(random: &mut Random) -> PointerSet {
    let chosen = POINTERS.iter().filter(|_| random.below(2) == 0);
    PointerSet::new(chosen.map(|text| Pointer::parse(text).expect("a pointer")))
}

// === impl Reader ===

impl Reader {
    pub(crate) fn new(random: &mut Random) -> Self {
        let (managed_fields, last_applied) = (random.below(4) > 0, random.below(4) > 0);
        let cuts: Vec<_> = [
            managed_fields.then_some("/metadata/managedFields"),
            last_applied.then_some("/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration"),
        ]
        .into_iter()
        .flatten()
        .collect();
        let transform = Transform::drop(cuts.into_iter()).expect("known pointers");
        Self {
            scanner: Scanner::new(TypeMeta::new("v1", "Pod"), transform, pointers(random)),
            managed_fields,
            last_applied,
        }
    }

    /// What the scanner makes of bytes beside what serde_json makes of them.
    pub(crate) fn agree(&self, ours: &Result<Object, ScanError>, input: &[u8]) -> (Verdict, String) {
        let theirs = Json::read(input);
        match (ours, theirs) {
            (Ok(_), Read::Invalid) => panic!("accepted, but it is no JSON"),
            (Ok(_), Read::Odd) => (Verdict::Accepted, "odd".into()),
            (Ok(_), Read::Document(theirs)) if theirs.is_ambiguous() => (Verdict::Accepted, "ambiguous".into()),
            (Ok(object), Read::Document(theirs)) => (Verdict::Accepted, self.same(object, theirs)),
            (Err(ScanError::Malformed(why)), Read::Document(theirs)) if theirs.get("metadata").is_some() => {
                let texts = ["kind", "apiVersion"].map(|name| matches!(theirs.get(name), None | Some(Json::Text(_))));
                assert!(
                    texts.contains(&false),
                    "refused ({why}), but serde_json reads {theirs:?}"
                );
                (Verdict::Refused, "odd type".into())
            }
            (Err(ScanError::NoName), Read::Document(theirs)) if !theirs.is_ambiguous() => {
                let name = theirs.get("metadata").and_then(|metadata| metadata.text("name"));
                assert!(name.unwrap_or_default().is_empty(), "{name:?} is a name");
                (Verdict::Refused, "no name".into())
            }
            // The words of an error without the places in it.
            (Err(error), _) => {
                let words = error.to_string();
                (
                    Verdict::Refused,
                    words.chars().filter(|c| !c.is_ascii_digit()).collect(),
                )
            }
        }
    }

    fn same(&self, object: &Object, theirs: Json) -> String {
        let metadata = theirs.get("metadata").expect("metadata").clone();
        let text = |name| metadata.text(name).unwrap_or_default();
        assert_eq!(object.key.name(), text("name"));
        assert_eq!(object.key.namespace(), text("namespace"));
        assert_eq!(object.meta.uid.to_string(), text("uid"));
        assert_eq!(object.resource_version().to_string(), text("resourceVersion"));
        let deleting = metadata
            .get("deletionTimestamp")
            .is_some_and(|time| *time != Json::Null);
        assert_eq!(object.meta.deleting, deleting);
        let generation = match metadata.get("generation") {
            Some(Json::Bare(number)) => number.parse().unwrap_or(0),
            _ => 0,
        };
        assert_eq!(object.meta.generation, generation);
        let labels = metadata.get("labels").map_or(&[][..], Json::members);
        let texts = labels.iter().filter_map(|(key, value)| match value {
            Json::Text(value) => Some((&**key, &**value)),
            _ => None,
        });
        let ours = object.meta.labels.iter().map(|(key, value)| (&**key, &**value));
        assert_eq!(ours.collect::<Vec<_>>(), texts.collect::<Vec<_>>());
        let owners = match metadata.get("ownerReferences") {
            Some(Json::List(owners)) => owners.iter().filter(|owner| matches!(owner, Json::Map(_))).collect(),
            _ => Vec::new(),
        };
        assert_eq!(object.meta.owners.len(), owners.len());
        for (ours, theirs) in object.meta.owners.iter().zip(&owners) {
            let text = |name| theirs.text(name).unwrap_or_default();
            assert_eq!((&*ours.api_version, &*ours.kind), (text("apiVersion"), text("kind")));
            assert_eq!((&*ours.name, &*ours.uid.to_string()), (text("name"), text("uid")));
            let controller = theirs.get("controller") == Some(&Json::Bare("true".into()));
            assert_eq!(ours.controller, controller);
        }
        self.body(object, theirs)
    }

    /// The stored bytes are the document without what is cut and with the type that it lacked.
    fn body(&self, object: &Object, theirs: Json) -> String {
        let kept = self.keep(theirs);
        let stored = object.body().bytes();
        let Read::Document(ours) = Json::read(&stored) else {
            panic!("the body is no JSON: {}", stored.escape_ascii());
        };
        assert_eq!(ours.clone().sorted(), kept.clone().sorted());
        assert_eq!(Some(&*object.type_meta.kind), kept.text("kind"));
        assert_eq!(Some(&*object.type_meta.api_version), kept.text("apiVersion"));
        let metadata = kept.get("metadata").expect("metadata").clone();
        let Read::Document(view) = Json::read(&object.metadata_json()) else {
            panic!("the metadata view is no JSON");
        };
        let head = ["apiVersion", "kind"].map(|name| (name.to_owned(), kept.get(name).expect(name).clone()));
        let want = Json::Map(
            head.into_iter()
                .chain([("metadata".into(), metadata.clone())])
                .collect(),
        );
        assert_eq!(view.sorted(), want.sorted());
        let annotations = object.annotations();
        let annotations = (!annotations.is_empty()).then(|| Json::read(&annotations));
        assert_eq!(annotations, metadata.get("annotations").cloned().map(Read::Document));
        let mut found = 0;
        for text in POINTERS {
            let pointer = Pointer::parse(text).expect("a pointer");
            let path: Vec<_> = text[1..].split('/').map(|s| (s != "*").then_some(s)).collect();
            let values: Vec<String> = object.values_at(&pointer).iter().map(|v| v.to_string()).collect();
            assert_eq!(values, kept.scalars(&path), "{text}");
            found += values.len().min(3);
        }
        let counted = [&object.meta.labels.len(), &object.meta.owners.len(), &found].map(|n| (*n).min(3));
        format!("{counted:?} {}", object.meta.deleting)
    }

    fn keep(&self, theirs: Json) -> Json {
        let mut kept = theirs;
        if self.managed_fields {
            kept = kept.without(&["metadata"], "managedFields");
        }
        if self.last_applied {
            kept = kept.without(&["metadata", "annotations"], LAST_APPLIED);
        }
        let missing = [("kind", "Pod"), ("apiVersion", "v1")].map(|(name, value)| (name, Json::Text(value.into())));
        if let Json::Map(members) = &mut kept {
            for (name, value) in missing {
                if !members.iter().any(|(key, _)| key == name) {
                    members.push((name.into(), value));
                }
            }
        }
        kept
    }
}
