//! What a declaration cuts, refuses and shows.

use tonic_types::StatusExt as _;

use super::*;

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|t| (*t).to_owned()).collect()
}

impl Rig {
    async fn transformed(&self, spec: pb::InformerSpec) -> Result<pb::Informer, Status> {
        let resource = pb::ResourceRef {
            resource: "pods".into(),
            ..Default::default()
        };
        let request = pb::CreateInformerRequest {
            informer_id: String::new(),
            spec: Some(pb::InformerSpec {
                resource: Some(resource),
                ..spec
            }),
        };
        let reply = self.api.create_informer(Request::new(request)).await?;
        Ok(reply.into_inner().informer.unwrap())
    }

    async fn refusal(&self, spec: pb::InformerSpec) -> (String, String, bool) {
        let status = self.transformed(spec).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        let info = status.get_details_error_info().unwrap();
        (
            info.reason,
            info.metadata["field"].clone(),
            info.metadata.contains_key("remedy"),
        )
    }
}

#[tokio::test]
async fn h15_transforms_that_cannot_be_used_are_refused_with_field_and_remedy() {
    let rig = rig();
    let dropping = |pointers: &[&str]| pb::InformerSpec {
        drop_pointers: texts(pointers),
        ..Default::default()
    };
    let many: Vec<_> = (0..65).map(|i| format!("/p{i}")).collect();
    let table = [
        (
            dropping(&["/spec", "/metadata/uid"]),
            "INVALID_POINTER",
            "spec.drop_pointers",
        ),
        (dropping(&["/*/name"]), "INVALID_POINTER", "spec.drop_pointers"),
        (dropping(&["spec"]), "INVALID_POINTER", "spec.drop_pointers"),
        (
            pb::InformerSpec {
                keep_pointers: many,
                ..Default::default()
            },
            "INVALID_FIELD",
            "spec.keep_pointers",
        ),
        (
            pb::InformerSpec {
                keep_all: true,
                ..dropping(&["/spec"])
            },
            "INVALID_FIELD",
            "spec.drop_pointers",
        ),
        (
            pb::InformerSpec {
                keep_pointers: texts(&["/spec"]),
                ..dropping(&["/status"])
            },
            "INVALID_FIELD",
            "spec.keep_pointers",
        ),
    ];
    for (spec, reason, field) in table {
        let want = (reason.to_owned(), field.to_owned(), true);
        assert_eq!(rig.refusal(spec).await, want);
    }
    assert!(rig.factory.list().is_empty());
}

#[tokio::test]
async fn case_32_different_transforms_are_different_informers_and_show_what_they_cut() {
    let rig = rig();
    let specs = [
        pb::InformerSpec::default(),
        pb::InformerSpec {
            keep_all: true,
            ..Default::default()
        },
        pb::InformerSpec {
            drop_pointers: texts(&["/status", "/spec/volumes/*"]),
            ..Default::default()
        },
        pb::InformerSpec {
            keep_pointers: texts(&["/status"]),
            ..Default::default()
        },
    ];
    let mut shown = Vec::new();
    for spec in &specs {
        let informer = rig.transformed(spec.clone()).await.unwrap();
        let again = rig.transformed(spec.clone()).await.unwrap();
        assert_eq!(informer.name, again.name);
        let spec = informer.spec.unwrap();
        shown.push((spec.keep_all, spec.drop_pointers.len(), spec.keep_pointers));
    }
    assert_eq!(rig.factory.list().len(), 4);
    assert_eq!(
        shown,
        [
            (false, 2, vec![]),
            (true, 0, vec![]),
            (false, 2, vec![]),
            (false, 0, texts(&["/status"]))
        ]
    );
}
