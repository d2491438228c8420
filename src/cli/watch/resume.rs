//! The file that a watch's resume token is kept in, so that another process can go on where this one ended.

use std::{
    fs,
    io::{self, ErrorKind},
    path::PathBuf,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::cli::error::CliError;

/// A token file: one line of base64.
#[derive(Debug)]
pub struct ResumeFile {
    path: PathBuf,
}

// === impl ResumeFile ===

impl ResumeFile {
    /// At this path.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// The token; `None` if there is no file yet, or an empty one.
    pub fn load(&self) -> Result<Option<Vec<u8>>, CliError> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(self.failed("read", &e)),
        };
        match text.trim() {
            "" => Ok(None),
            line => STANDARD.decode(line).map(Some).map_err(|e| {
                CliError::Failed(format!(
                    "the resume file {} holds no resume token ({e}); remove it to start from a snapshot",
                    self.path.display()
                ))
            }),
        }
    }

    /// Replaces the token. The old one stays whole until the new one is: a torn token would be no token.
    pub fn store(&self, token: &[u8]) -> Result<(), CliError> {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(".new");
        let new = self.path.with_file_name(name);
        fs::write(&new, STANDARD.encode(token) + "\n")
            .and_then(|()| fs::rename(&new, &self.path))
            .map_err(|e| self.failed("write", &e))
    }

    fn failed(&self, what: &str, error: &io::Error) -> CliError {
        CliError::Failed(format!(
            "cannot {what} the resume file {}: {error}",
            self.path.display()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_kept_and_replaced() {
        let dir = tempfile::tempdir().expect("directory");
        let file = ResumeFile::new(dir.path().join("token"));
        assert_eq!(file.load().expect("no file"), None);
        for token in [&b"\x00\xffone"[..], b"two"] {
            file.store(token).expect("stored");
            assert_eq!(file.load().expect("loaded").as_deref(), Some(token));
        }
        assert_eq!(
            fs::read_dir(dir.path()).expect("listed").count(),
            1,
            "no other file is left behind"
        );
    }

    #[test]
    fn an_empty_file_starts_from_a_snapshot_and_garbage_is_refused() {
        let dir = tempfile::tempdir().expect("directory");
        let path = dir.path().join("token");
        fs::write(&path, "\n").expect("written");
        assert_eq!(ResumeFile::new(path.clone()).load().expect("empty"), None);
        fs::write(&path, "not a token!").expect("written");
        let error = ResumeFile::new(path).load().expect_err("garbage").to_string();
        assert!(error.contains("remove it"), "{error}");
    }
}
