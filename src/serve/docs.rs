//! The documentation of the API, with examples that the games at hand answer.

use maud::{DOCTYPE, Markup, html};

use super::Served;

/// A request to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// Path and parameters.
    pub path: String,
    /// The body; empty for GET.
    pub body: String,
    /// The status of the response.
    pub status: u16,
    /// What it shows.
    pub about: &'static str,
}

/// Requests to try, for the first game that is served.
pub fn examples(served: &Served) -> Vec<Example> {
    let _ = served;
    Vec::new()
}

/// The documentation.
pub(super) fn page(served: &Served) -> String {
    let _ = served;
    let page: Markup = html! { (DOCTYPE) html lang="en" { head { title { "API" } } body { } } };
    page.into_string()
}
