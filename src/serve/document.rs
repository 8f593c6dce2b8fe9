//! The page for the browser: one document that needs no other file and no network but the server's own answers.
//!
//! Its parts lie in `src/serve/page`, one idea a file, and are joined here:
//!
//! ```text
//! index.html      {{style}}   <- page.css
//!                 {{texts}}   <- languages/*.json
//!                 {{script}}  <- *.js, without the lines by which they import each other
//! ```
//!
//! The scripts are modules (`package.json` says so), so that tools check them and tests run them one by one; joined
//! they are a single module, in an order in which nothing is used before it is there. `tests/browser` drives the page.

use std::fmt::Write as _;
use std::sync::LazyLock;

macro_rules! parts {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("page/", $name)))),*]
    };
}

const DOCUMENT: &str = include_str!("page/index.html");

const STYLE: &str = include_str!("page/page.css");

/// The modules, each before those that import it.
const SCRIPTS: &[(&str, &str)] = parts![
    "dom.js",
    "settings.js",
    "tabs.js",
    "api.js",
    "turns.js",
    "words.js",
    "why.js",
    "layout.js",
    "marks.js",
    "board.js",
    "game.js",
    "opponent.js",
    "list.js",
    "history.js",
    "editor.js",
    "gallery.js",
    "session.js",
    "app.js",
    "view.js",
    "main.js",
];

/// The texts of the page by the codes of their languages.
const LANGUAGES: &[(&str, &str)] = &[
    ("en", include_str!("page/languages/en.json")),
    ("de", include_str!("page/languages/de.json")),
    ("hu", include_str!("page/languages/hu.json")),
    ("ru", include_str!("page/languages/ru.json")),
];

/// The document.
pub fn document() -> &'static str {
    static JOINED: LazyLock<String> = LazyLock::new(|| {
        DOCUMENT
            .replacen("{{style}}", STYLE.trim(), 1)
            .replacen("{{texts}}", &texts(), 1)
            .replacen("{{script}}", &script(), 1)
    });
    &JOINED
}

/// All languages as one object.
fn texts() -> String {
    let mut object = String::from("{");
    for (i, (code, texts)) in LANGUAGES.iter().enumerate() {
        let comma = if i == 0 { "" } else { "," };
        let _ = write!(object, "{comma}\"{code}\":{}", texts.trim());
    }
    object + "}"
}

/// All modules as one: what they import is there already.
fn script() -> String {
    let mut joined = String::new();
    for (_, module) in SCRIPTS {
        for line in module.lines().filter(|line| !line.starts_with("import ")) {
            joined += line.strip_prefix("export ").unwrap_or(line);
            joined.push('\n');
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use serde_json::Value;

    use super::*;

    type Texts = BTreeMap<String, Value>;

    fn language(code: &str) -> Texts {
        let found = LANGUAGES.iter().find(|(known, _)| *known == code);
        serde_json::from_str(found.expect("the language").1).expect("texts")
    }

    /// The names in braces, of all plural forms together.
    fn gaps(text: &Value) -> BTreeSet<&str> {
        let forms: Vec<&str> = match text {
            Value::String(text) => vec![text],
            Value::Object(forms) => forms.values().filter_map(Value::as_str).collect(),
            other => panic!("neither a text nor plural forms: {other}"),
        };
        forms
            .into_iter()
            .flat_map(|form| form.split('{').skip(1))
            .filter_map(|rest| rest.split_once('}'))
            .map(|(gap, _)| gap)
            .collect()
    }

    #[test]
    fn every_gap_of_the_document_is_filled() {
        let document = document();
        for gap in ["{{style}}", "{{texts}}", "{{script}}"] {
            assert_eq!(DOCUMENT.matches(gap).count(), 1, "{gap}");
            assert!(!document.contains(gap), "{gap}");
        }
        for (name, module) in SCRIPTS {
            let about = module.lines().nth(1).expect("a line about the module");
            assert!(about.starts_with("// "), "{name}");
            assert_eq!(document.matches(about).count(), 1, "{name}");
        }
    }

    #[test]
    fn modules_come_after_what_they_import() {
        for (i, (name, module)) in SCRIPTS.iter().enumerate() {
            for line in module.lines().filter(|line| line.starts_with("import ")) {
                let from = line
                    .split("\"./")
                    .nth(1)
                    .and_then(|rest| rest.strip_suffix("\";"));
                let from =
                    from.unwrap_or_else(|| panic!("{name}: an import on several lines: {line}"));
                let earlier = SCRIPTS[..i].iter().any(|(other, _)| *other == from);
                assert!(earlier, "{name} comes before {from}");
            }
        }
    }

    #[test]
    fn a_script_cannot_end_its_element() {
        assert!(!script().contains("</"));
        assert!(!texts().contains("</"));
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        let elsewhere = document().match_indices("://").filter(|(at, _)| {
            // Names of XML dialects, which nobody loads.
            !document()[at + 3..].starts_with("www.w3.org/")
        });
        assert_eq!(elsewhere.count(), 0);
    }

    #[test]
    fn all_languages_say_the_same_things() {
        let english = language("en");
        for (code, _) in LANGUAGES {
            let texts = language(code);
            let keys = |texts: &Texts| texts.keys().cloned().collect::<Vec<_>>();
            assert_eq!(keys(&texts), keys(&english), "{code}");
            for (key, text) in &texts {
                assert_eq!(gaps(text), gaps(&english[key]), "{code}: {key}");
            }
        }
    }

    #[test]
    fn no_text_is_missing_or_left_over() {
        let english = language("en");
        let source = [DOCUMENT, &script()].concat();
        // A key is written out, or begins like one that is put together.
        let is_used = |key: &str| {
            let whole = format!("\"{key}\"");
            let stem = key.rsplit_once('.').map(|(stem, _)| format!("`{stem}.$"));
            let by_kind = key.split_once('_').map(|(stem, _)| format!("`{stem}_${{"));
            source.contains(&whole)
                || source.contains(&format!("texts.{key}"))
                || stem.is_some_and(|stem| source.contains(&stem))
                || by_kind.is_some_and(|stem| source.contains(&stem))
        };
        for key in english.keys() {
            assert!(is_used(key), "no use of {key}");
        }
        let named = |mark: &str| {
            let texts = source.split(mark).skip(1);
            texts
                .filter_map(|rest| rest.split_once('"'))
                .map(|(key, _)| key.to_owned())
                .collect::<Vec<_>>()
        };
        for key in [
            named("data-text=\""),
            named("data-label=\""),
            named("say(\""),
        ]
        .concat()
        {
            assert!(english.contains_key(&key), "no text for {key}");
        }
    }
}
