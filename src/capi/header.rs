//! The header is written by hand. Here it is held against the Rust that it describes: the same constants, the
//! same structures field by field, the same functions argument by argument.

use std::collections::BTreeMap;

const HEADER: &str = include_str!("millbase.h");
const FUNCTIONS: &str = include_str!("mod.rs");
const STRUCTURES: &str = include_str!("layout.rs");

/// Names with types in the words of Rust: the fields of a structure, or the arguments of a function and,
/// without a name, what it returns.
type Named = Vec<(String, String)>;

fn named(name: &str, of: &str) -> (String, String) {
    (name.to_owned(), of.to_owned())
}

/// What stands between two marks, and what follows the second.
fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<(&'a str, &'a str)> {
    let (_, rest) = text.split_once(from)?;
    rest.split_once(to)
}

/// Every piece of a text between two marks.
fn pieces<'a>(mut text: &'a str, from: &'a str, to: &'a str) -> impl Iterator<Item = &'a str> {
    std::iter::from_fn(move || {
        let (piece, rest) = between(text, from, to)?;
        text = rest;
        Some(piece)
    })
}

/// The header without its comments.
fn declarations() -> String {
    let parts = HEADER.split("/*");
    parts
        .map(|part| part.split_once("*/").map_or(part, |(_, code)| code))
        .collect()
}

/// The name of a C type in Rust.
fn rust_name(c: &str) -> &str {
    match c {
        // What returns nothing names no type.
        "void" => "",
        "char" => "c_char",
        "int32_t" => "i32",
        "uint32_t" => "u32",
        "size_t" => "usize",
        "millbase_database" => "Handle",
        "millbase_error" => "Error",
        "millbase_answer" => "Answer",
        "millbase_turn" => "Turn",
        other => panic!("no type of Rust is known for `{other}`"),
    }
}

/// A declaration of C, such as `const char *path` or `char move[SIZE]`.
fn declared(c: &str) -> (String, String) {
    let c = c.split_whitespace().collect::<Vec<_>>().join(" ");
    let (constant, c) = match c.strip_prefix("const ") {
        Some(rest) => ("*const ", rest),
        None => ("*mut ", c.as_str()),
    };
    let (base, name) = c.split_once(' ').unwrap_or((c, ""));
    let stars = name.matches('*').count();
    let mut of = rust_name(base).to_owned();
    for depth in 0..stars {
        of.insert_str(0, if depth == 0 { constant } else { "*mut " });
    }
    let name = name.trim_start_matches('*');
    match name.split_once('[') {
        Some((name, size)) => named(name, &format!("[{of}; {}]", size.trim_end_matches(']'))),
        None => named(name, &of),
    }
}

fn c_constants() -> BTreeMap<String, String> {
    let all = declarations();
    let bodies = pieces(&all, "enum {", "}");
    let entries = bodies.flat_map(|body| body.split(','));
    entries
        .map(|entry| entry.split_once('=').expect("a value"))
        .map(|(name, value)| named(name.trim(), value.trim()))
        .collect()
}

fn rust_constants() -> BTreeMap<String, String> {
    pieces(FUNCTIONS, "\npub const ", ";")
        .map(|constant| constant.split_once(" = ").expect("a value"))
        .map(|(name, value)| named(name.split(':').next().unwrap_or_default(), value))
        .collect()
}

fn c_structures() -> BTreeMap<String, Named> {
    let all = declarations();
    let structures = pieces(&all, "typedef struct", ";\n\n").filter_map(|s| s.split_once('{'));
    let structures = structures.map(|(name, body)| {
        let (body, alias) = body.rsplit_once('}').expect("an end");
        assert_eq!(name.trim(), alias.trim());
        let fields = body.split(';').map(str::trim).filter(|f| !f.is_empty());
        (
            rust_name(name.trim()).to_owned(),
            fields.map(declared).collect(),
        )
    });
    structures.collect()
}

fn rust_structures() -> BTreeMap<String, Named> {
    let structures = pieces(STRUCTURES, "#[repr(C)]\npub struct ", "\n}");
    let structures = structures.map(|structure| {
        let (name, body) = structure.split_once(" {\n").expect("a body");
        let fields = body
            .lines()
            .filter_map(|line| line.trim().strip_prefix("pub "));
        let fields = fields.map(|field| {
            let (name, of) = field.split_once(": ").expect("a type");
            named(name.trim_start_matches("r#"), of.trim_end_matches(','))
        });
        (name.to_owned(), fields.collect())
    });
    structures.collect()
}

fn c_functions() -> BTreeMap<String, Named> {
    let all = declarations();
    let statements = all.split(';').filter_map(|s| s.trim().rsplit_once('('));
    let functions = statements.map(|(head, arguments)| {
        // The first comes after the lines of the preprocessor.
        let head = head.lines().last().expect("a line");
        let (name, returned) = declared(head);
        let arguments = arguments.trim_end_matches(')').split(',').map(str::trim);
        let mut all: Named = arguments.filter(|a| *a != "void").map(declared).collect();
        all.push(named("", &returned));
        (name, all)
    });
    functions.collect()
}

fn rust_functions() -> BTreeMap<String, Named> {
    let functions = pieces(FUNCTIONS, "extern \"C\" fn ", " {\n");
    let functions = functions.map(|function| {
        let (name, rest) = function.split_once('(').expect("arguments");
        let (arguments, returned) = rest.rsplit_once(')').expect("an end");
        let arguments = arguments
            .split(',')
            .map(str::trim)
            .filter(|a| !a.is_empty());
        let argument = |a: &str| a.split_once(": ").map(|(name, of)| named(name, of));
        let mut all: Named = arguments.map(|a| argument(a).expect("a type")).collect();
        all.push(named("", returned.trim_start_matches(" -> ")));
        (name.to_owned(), all)
    });
    functions.collect()
}

#[test]
fn the_header_has_the_constants_of_the_library() {
    let constants = c_constants();
    assert_eq!(constants.len(), 15);
    assert_eq!(constants, rust_constants());
}

#[test]
fn the_header_has_the_structures_of_the_library() {
    let structures = c_structures();
    assert_eq!(structures["Turn"].len(), 6);
    assert_eq!(structures, rust_structures());
}

#[test]
fn the_header_has_the_functions_of_the_library() {
    let functions = c_functions();
    assert_eq!(functions["millbase_moves"].len(), 7);
    assert_eq!(functions, rust_functions());
}
