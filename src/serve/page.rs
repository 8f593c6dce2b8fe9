//! The page on its way out, and what it may do in a browser.

use std::sync::LazyLock;

use axum::http::HeaderValue;
use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

use super::document::document;
use super::reply::Reply;

/// What every page may do: show itself.
const PLAIN: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
                     form-action 'none'; frame-ancestors 'none'";

/// The page.
pub fn reply() -> &'static Reply {
    static REPLY: LazyLock<Reply> =
        LazyLock::new(|| Reply::new("text/html; charset=utf-8", document()));
    &REPLY
}

/// What the page may do: run the scripts that it came with, which are named by their digests so that no text
/// it shows can become one, and ask this server.
pub fn policy() -> &'static HeaderValue {
    static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
        let digests = scripts(document()).map(|script| {
            let digest = BASE64_STANDARD.encode(Sha256::digest(script));
            format!(" 'sha256-{digest}'")
        });
        let digests: String = digests.collect();
        let policy = match digests.is_empty() {
            true => PLAIN.to_owned(),
            false => format!("{PLAIN}; connect-src 'self'; script-src{digests}"),
        };
        HeaderValue::try_from(policy).unwrap_or(plain_policy())
    });
    &POLICY
}

/// What a page without scripts may do.
pub fn plain_policy() -> HeaderValue {
    HeaderValue::from_static(PLAIN)
}

/// The texts of the scripts of a page.
fn scripts(page: &str) -> impl Iterator<Item = &str> {
    let after_tags = page.split("<script").skip(1);
    after_tags.filter_map(|text| {
        let (_, text) = text.split_once('>')?;
        text.split_once("</script>").map(|(script, _)| script)
    })
}
