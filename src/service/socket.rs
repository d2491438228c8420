//! The Unix socket: created with its parent, mode 0660 from the first moment, a stale file replaced, a live one refused.

use std::{
    io,
    os::unix::fs::{FileTypeExt, PermissionsExt},
    path::{Path, PathBuf},
};

use tokio::net::{UnixListener, UnixStream};

/// A bound socket; its file is removed when dropped.
#[derive(Debug)]
pub(crate) struct BoundSocket {
    path: PathBuf,
    inode: u64,
}

/// The socket cannot be bound.
#[derive(Debug, thiserror::Error)]
pub enum SocketError {
    /// Another server answers there.
    #[error("another server is listening on {0}; stop it, or choose another --socket")]
    InUse(PathBuf),
    /// Something that is not a socket stands there.
    #[error("{0} exists and is not a socket; remove it, or choose another --socket")]
    NotASocket(PathBuf),
    /// The file system refuses.
    #[error("cannot create the socket {path}: {source}")]
    Io {
        /// The socket's path.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// Owner and group; the group is the pod's fsGroup.
const MODE: u32 = 0o660;

/// Binds the socket.
pub(crate) async fn bind(path: &Path) -> Result<(UnixListener, BoundSocket), SocketError> {
    let fail = |source| SocketError::Io {
        path: path.to_owned(),
        source,
    };
    if let Some(parent) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
        std::fs::create_dir_all(parent).map_err(fail)?;
    }
    match std::fs::symlink_metadata(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {}
        Err(e) => return Err(fail(e)),
        Ok(meta) if !meta.file_type().is_socket() => return Err(SocketError::NotASocket(path.to_owned())),
        Ok(_) => {
            if UnixStream::connect(path).await.is_ok() {
                return Err(SocketError::InUse(path.to_owned()));
            }
        }
    }
    // Bound under another name and moved into place, so that nobody can connect before the mode is set, and a stale
    // file is replaced in one step.
    let staged = path.with_extension(format!("{:08x}", rand::random::<u32>()));
    let listener = UnixListener::bind(&staged).map_err(fail)?;
    let placed = std::fs::set_permissions(&staged, std::fs::Permissions::from_mode(MODE))
        .and_then(|()| std::fs::rename(&staged, path))
        .and_then(|()| inode(path));
    match placed {
        Ok(inode) => Ok((
            listener,
            BoundSocket {
                path: path.to_owned(),
                inode,
            },
        )),
        Err(e) => {
            let _ = std::fs::remove_file(&staged);
            Err(fail(e))
        }
    }
}

fn inode(path: &Path) -> io::Result<u64> {
    use std::os::unix::fs::MetadataExt;
    Ok(std::fs::symlink_metadata(path)?.ino())
}

impl Drop for BoundSocket {
    fn drop(&mut self) {
        // Not if another server has replaced it meanwhile.
        if inode(&self.path).is_ok_and(|now| now == self.inode) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn creates_the_parent_and_sets_the_mode_and_cleans_up() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b/informerd.sock");
        let (_listener, bound) = bind(&path).await.unwrap();
        let meta = std::fs::metadata(&path).unwrap();
        assert_eq!(meta.permissions().mode() & 0o777, MODE);
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        drop(bound);
        assert!(!path.exists());
    }

    #[tokio::test]
    async fn replaces_a_stale_socket_and_refuses_a_live_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("informerd.sock");
        // A socket file that nobody listens on.
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        let (_listener, _bound) = bind(&path).await.unwrap();
        assert!(matches!(bind(&path).await, Err(SocketError::InUse(_))));
        let file = dir.path().join("file");
        std::fs::write(&file, "x").unwrap();
        assert!(matches!(bind(&file).await, Err(SocketError::NotASocket(_))));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "x");
    }
}
