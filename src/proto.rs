//! The generated gRPC contract, `proto/informer/v1alpha1/*.proto`.

/// Package `informer.v1alpha1`.
#[allow(missing_docs, unreachable_pub, clippy::all)]
pub mod v1alpha1 {
    tonic::include_proto!("informer.v1alpha1");
}

/// Encoded `FileDescriptorSet` of the contract, served by gRPC reflection.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/informer.v1alpha1.bin"));
