//! Answers on their way out: with a tag, so that nobody is sent twice what he has.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};
use serde::Serialize;
use tokio::sync::OwnedSemaphorePermit;

use super::refusal::Refusal;

/// A body with its tag.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The body.
    pub body: Bytes,
    /// What kind of text it is.
    media: HeaderValue,
    /// The ETag: a digest of the body, so that equal tags stand for equal bytes.
    tag: HeaderValue,
    /// Whether the answer stays the same while the server runs: nothing in it is unknown.
    pub lasting: bool,
}

const JSON: &str = "application/json";

/// Digits of a digest in a tag.
const TAG_DIGITS: usize = 32;

impl Reply {
    /// A text of a kind.
    pub fn new(media: &'static str, body: impl Into<Bytes>) -> Reply {
        let body = body.into();
        let digest = blake3::hash(&body).to_hex();
        let tag = format!("\"{}\"", &digest[..TAG_DIGITS]);
        Reply {
            body,
            media: HeaderValue::from_static(media),
            tag: HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"\"")),
            lasting: true,
        }
    }

    /// An answer.
    pub fn json(answer: &impl Serialize) -> Result<Reply, Refusal> {
        let text = serde_json::to_vec(answer).map_err(|_| Refusal::program())?;
        Ok(Reply::new(JSON, text))
    }

    /// The same, saying whether it lasts.
    pub fn lasting(self, lasting: bool) -> Reply {
        Reply { lasting, ..self }
    }

    /// The response to a request with these headers: 304 if it says that the client has the body.
    pub fn respond(&self, request: &HeaderMap) -> Response {
        let known = request.get_all(header::IF_NONE_MATCH).iter();
        let known = known.filter_map(|list| list.to_str().ok());
        let tag = self.tag.to_str().unwrap_or_default();
        let has_it = known.flat_map(|list| list.split(',')).any(|known| {
            let known = known.trim();
            known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag
        });
        let (status, body) = match has_it {
            true => (StatusCode::NOT_MODIFIED, Body::empty()),
            false => (StatusCode::OK, Body::from(self.body.clone())),
        };
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::ETAG, self.tag.clone());
        // To be asked for again, which costs a 304.
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        if !has_it {
            headers.insert(header::CONTENT_TYPE, self.media.clone());
        }
        response
    }
}

/// A large answer, handed out piece by piece as the client takes it. The room for it is free again when the last
/// piece is on its way.
#[derive(Debug)]
pub struct Large {
    rest: Bytes,
    _room: OwnedSemaphorePermit,
}

/// Bytes of a piece.
const PIECE: usize = 64 << 10;

impl Large {
    /// A response with JSON.
    pub fn respond(json: Vec<u8>, room: OwnedSemaphorePermit) -> Response {
        let media = (header::CONTENT_TYPE, HeaderValue::from_static(JSON));
        let body = Large {
            rest: json.into(),
            _room: room,
        };
        (StatusCode::OK, [media], Body::new(body)).into_response()
    }
}

impl hyper::body::Body for Large {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let piece = self.rest.len().min(PIECE);
        let piece = self.rest.split_to(piece);
        Poll::Ready((!piece.is_empty()).then(|| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest.len() as u64)
    }
}
