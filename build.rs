//! Compiles `proto/` with protox, so that no `protoc` has to be installed, and writes the descriptor set that gRPC
//! reflection serves.

use std::{env, error::Error, fs, path::PathBuf};

use prost::Message as _;

const FILES: &[&str] = &[
    "informer/v1alpha1/types.proto",
    "informer/v1alpha1/informer.proto",
    "informer/v1alpha1/subscription.proto",
    "informer/v1alpha1/cache.proto",
    "informer/v1alpha1/workqueue.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=proto");
    let descriptors = protox::compile(FILES, ["proto"])?;
    let out = PathBuf::from(env::var("OUT_DIR")?).join("informer.v1alpha1.bin");
    fs::write(out, descriptors.encode_to_vec())?;
    tonic_prost_build::configure()
        // Bodies are shared with the cache: `Bytes` fields carry them without a copy.
        .bytes(".")
        .compile_fds(descriptors)?;
    Ok(())
}
