//! Kubernetes' syntax of label keys and values (`k8s.io/apimachinery/pkg/util/validation`).

/// `[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?`, at most 63 bytes.
fn is_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    let edge = |b: Option<&u8>| b.is_some_and(u8::is_ascii_alphanumeric);
    bytes.len() <= 63
        && edge(bytes.first())
        && edge(bytes.last())
        && bytes
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
}

/// A DNS-1123 subdomain, at most 253 bytes.
fn is_subdomain(text: &str) -> bool {
    text.len() <= 253
        && text.split('.').all(|part| {
            let bytes = part.as_bytes();
            let edge = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
            edge(bytes.first())
                && edge(bytes.last())
                && bytes
                    .iter()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-')
        })
}

/// Says what is wrong with a label key, or nothing.
pub(super) fn label_key(key: &str) -> Result<(), &'static str> {
    let name = match key.split_once('/') {
        Some((prefix, _)) if !is_subdomain(prefix) => {
            return Err("a label key whose prefix is a lower-case DNS name of at most 253 characters");
        }
        Some((_, name)) => name,
        None => key,
    };
    if is_name(name) {
        Ok(())
    } else {
        Err(
            "a label key: [prefix/]name, the name being 1 to 63 letters, digits, '-', '_' or '.' that begins and ends with a letter or digit",
        )
    }
}

/// Says what is wrong with a label value, or nothing. The empty value is valid.
pub(super) fn label_value(value: &str) -> Result<(), &'static str> {
    if value.is_empty() || is_name(value) {
        Ok(())
    } else {
        Err(
            "a label value: at most 63 letters, digits, '-', '_' or '.' that begins and ends with a letter or digit, or nothing",
        )
    }
}
