//! Which request gets which answer.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use tokio::time::timeout_at;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{Any, CorsLayer};
use tower_http::set_header::SetResponseHeaderLayer;

use super::answers::{ENDPOINTS, Endpoint, Posted, Question};
use super::refusal::Refusal;
use super::reply::{Large, Reply};
use super::request::{check_no_parameters, whole_body};
use super::served::Site;
use super::{Served, page};

type Shared = State<Arc<Served>>;

/// The id of a game in a path. It may be no text at all.
type Id = Result<Path<String>, PathRejection>;

fn site(served: &Served, id: Id, uri: &Uri) -> Result<Arc<Site>, Refusal> {
    match id {
        Ok(Path(id)) => served.site(&id).cloned(),
        Err(_) => Err(Refusal::no_path(uri.path())),
    }
}

impl Served {
    /// All that is answered, for this program's server or any other.
    pub fn router(self) -> Router {
        let always = |name: HeaderName, value: &'static str| {
            SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
        };
        let router = Router::new()
            .route("/", get(front_page))
            .route("/health", get(health))
            .route("/api", get(docs))
            .route("/api/variants", get(variants));
        let about_games = ENDPOINTS
            .into_iter()
            .fold(router, |router, (tail, endpoint)| {
                let answer = match endpoint {
                    Endpoint::Question(ask) => question(ask),
                    Endpoint::Posted(ask) => posted(ask),
                };
                router.route(&format!("/api/{{variant}}{tail}"), answer)
            });
        about_games
            .fallback(nothing_there)
            .method_not_allowed_fallback(other_method)
            .layer(CatchPanicLayer::custom(|_| {
                Refusal::program().into_response()
            }))
            .layer(always(
                header::CONTENT_SECURITY_POLICY,
                "default-src 'none'",
            ))
            .layer(always(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
            .layer(always(header::REFERRER_POLICY, "no-referrer"))
            .layer(cors())
            .with_state(Arc::new(self))
    }
}

/// Every page may read. Nothing can be changed, so bodies may be sent as well.
fn cors() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::HEAD, Method::POST])
        .allow_headers([header::CONTENT_TYPE, header::IF_NONE_MATCH])
        .expose_headers([header::ETAG])
        .vary([])
}

async fn front_page(headers: HeaderMap) -> Response {
    let mut response = page::reply().respond(&headers);
    let policy = page::policy().clone();
    response
        .headers_mut()
        .insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

async fn docs(State(served): Shared, headers: HeaderMap) -> Result<Response, Refusal> {
    let limit = Instant::now() + served.limits().answer_time;
    let reply = at_work(limit, move || Ok(served.docs())).await?;
    let mut response = reply.respond(&headers);
    response
        .headers_mut()
        .insert(header::CONTENT_SECURITY_POLICY, page::plain_policy());
    Ok(response)
}

async fn health(State(served): Shared, headers: HeaderMap) -> Result<Response, Refusal> {
    Ok(served.health()?.respond(&headers))
}

async fn variants(
    State(served): Shared,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    check_no_parameters(uri.query().unwrap_or_default())?;
    let limit = Instant::now() + served.limits().answer_time;
    let reply = at_work(limit, move || served.variants()).await?;
    Ok(reply.respond(&headers))
}

async fn nothing_there(uri: Uri) -> Refusal {
    Refusal::no_path(uri.path())
}

async fn other_method(method: Method, uri: Uri) -> Refusal {
    Refusal::method(method.as_str(), uri.path())
}

/// Questions about a game with parameters.
fn question(ask: Question) -> MethodRouter<Arc<Served>> {
    get(
        move |State(served): Shared, id: Id, uri: Uri, headers: HeaderMap| {
            answered(served, id, uri, headers, ask)
        },
    )
}

async fn answered(
    served: Arc<Served>,
    id: Id,
    uri: Uri,
    headers: HeaderMap,
    ask: Question,
) -> Result<Response, Refusal> {
    let words = uri.path_and_query().map_or("", |words| words.as_str());
    if let Some(reply) = served.kept(words) {
        return Ok(reply.respond(&headers));
    }
    let site = site(&served, id, &uri)?;
    let query = uri.query().unwrap_or_default().to_owned();
    let limit = Instant::now() + served.limits().answer_time;
    let reply: Reply = at_work(limit, move || ask(&site, &query)).await?;
    served.keep(words.to_owned(), &reply);
    Ok(reply.respond(&headers))
}

/// Questions about a game with a body.
fn posted(ask: Posted) -> MethodRouter<Arc<Served>> {
    post(move |State(served): Shared, id: Id, request: Request| {
        answered_posted(served, id, request, ask)
    })
}

async fn answered_posted(
    served: Arc<Served>,
    id: Id,
    request: Request,
    ask: Posted,
) -> Result<Response, Refusal> {
    let limits = *served.limits();
    let (head, body) = request.into_parts();
    let body = whole_body(&head.headers, body, &limits).await?;
    let site = site(&served, id, &head.uri)?;
    check_no_parameters(head.uri.query().unwrap_or_default())?;
    let limit = Instant::now() + limits.answer_time;
    let room = timeout_at(limit.into(), served.large().acquire_owned());
    let Ok(Ok(room)) = room.await else {
        return Err(Refusal::no_time());
    };
    let answer = at_work(limit, move || ask(&site, &body, &limits, limit)).await?;
    Ok(Large::respond(answer, room))
}

/// Does work that may wait for the disk apart from the threads that serve connections, and waits for it until
/// `limit`.
async fn at_work<T: Send + 'static>(
    limit: Instant,
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let work = move || match Instant::now() < limit {
        true => work(),
        false => Err(Refusal::no_time()),
    };
    let working = tokio::task::spawn_blocking(work);
    match timeout_at(limit.into(), working).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => Err(Refusal::program()),
        Err(_) => Err(Refusal::no_time()),
    }
}
