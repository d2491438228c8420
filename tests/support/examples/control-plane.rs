//! A control plane to work with by hand: starts one, fills it, prints the path of its
//! kubeconfig, and ends with its standard input (Ctrl-D), or when it is killed.
//!
//! ```text
//! eval "$(tests/build-tools controlplane)"
//! cargo run -p informerd-test-support --example control-plane -- [PODS [NAMESPACES [APISERVER_ARG...]]]
//! ```

use std::io::Read;

use informerd_test_support::{ControlPlane, Options, Workload};

#[tokio::main]
async fn main() {
    let mut args = std::env::args().skip(1);
    let mut number = |default| match args.next() {
        Some(arg) => arg.parse().unwrap_or_else(|_| panic!("{arg} is not a number")),
        None => default,
    };
    let (pods, namespaces) = (number(0), number(10));
    let options = args.fold(Options::new(), |options, arg| options.apiserver_arg(&arg));
    let plane = ControlPlane::start(options);
    let mut workload = Workload::new(plane.client().await, 1);
    workload.create_nodes().await;
    let namespaces = workload.create_namespaces("load", namespaces).await;
    workload.create_pods(pods, &namespaces).await;
    println!("{}", plane.kubeconfig().display());
    // Whatever is typed, the end is what is waited for.
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}
