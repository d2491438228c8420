//! Field case 37: what is left of five hundred connections.

use support::{ADMIN, ControlPlane, Proxy, Workload, eventually};

use crate::world::{World, quick, write};

/// Reflectors, each of which may ask ten times at once and then twice a second.
const REFLECTORS: usize = 50;
/// Times that all of them lose their connection.
const CUTS: u64 = 10;

/// Sockets of this process.
fn sockets() -> usize {
    let entries = std::fs::read_dir("/proc/self/fd").expect("the table of open files");
    let target = |entry: std::io::Result<std::fs::DirEntry>| std::fs::read_link(entry.ok()?.path()).ok();
    entries
        .filter_map(target)
        .filter(|t| t.to_string_lossy().starts_with("socket:"))
        .count()
}

fn tasks() -> usize {
    tokio::runtime::Handle::current().metrics().num_alive_tasks()
}

/// The process is this test's alone only while no other test of it opens connections, so this one runs in a child.
#[tokio::test(flavor = "multi_thread")]
async fn case_37_five_hundred_reconnects_leave_no_socket_and_no_task() {
    const CHILD: &str = "INFORMERD_TEST_RECONNECTS";
    if std::env::var_os(CHILD).is_none() {
        let name = "sockets::case_37_five_hundred_reconnects_leave_no_socket_and_no_task";
        let program = std::env::current_exe().expect("the test program");
        let mut child = tokio::process::Command::new(program);
        child
            .args(["--exact", name, "--nocapture"])
            .env(CHILD, "1")
            .kill_on_drop(true);
        let ended = tokio::time::timeout(5 * support::DEADLINE, child.status()).await;
        assert!(ended.expect("an end").expect("a child").success());
        return;
    }
    let plane = ControlPlane::start(support::Options::new());
    let client = plane.client().await;
    let namespaces = Workload::new(client.clone(), 6)
        .create_namespaces("cuts", REFLECTORS)
        .await;
    let proxy = Proxy::start(plane.address());
    let world = World::start(quick(&plane.kubeconfig_via(ADMIN, &proxy)), &namespaces).await;
    world.watching().await;
    // Discovery's connection is cut too, and nobody needs another.
    proxy.cut_all();
    world.status("a second watch", |s| s.watches == 2).await;
    let rest = || async { (proxy.open() == REFLECTORS).then_some(()) };
    eventually("one connection for each", rest).await;
    // The test's own client rests too.
    let counts = || (sockets(), tasks());
    let before = counts();
    for watches in 3..3 + CUTS {
        // A watch that brought something is opened again at once.
        let name = format!("round-{watches}");
        for namespace in &namespaces {
            // One after the other, so that the test's own client keeps to one connection.
            write(&client, namespace, &name).await;
        }
        for namespace in &namespaces {
            world.sees_in(namespace, &name).await;
        }
        proxy.cut_all();
        world.status("one more watch", |s| s.watches >= watches).await;
    }
    write(&client, &namespaces[0], "last").await;
    world.sees("last").await;
    eventually("one connection for each", rest).await;
    let back = || async {
        let (sockets, tasks) = counts();
        (sockets <= before.0 && tasks <= before.1).then_some(())
    };
    eventually(&format!("back to {before:?}"), back).await;
    let status = world.watching().await;
    assert_eq!(status.lists as usize, REFLECTORS, "{status:?}");
    assert!(proxy.accepted() as usize >= REFLECTORS * (CUTS as usize + 2));
    eprintln!(
        "{} connections, sockets and tasks {before:?} before, {:?} after",
        proxy.accepted(),
        counts()
    );
}
