//! What is served: one database of each game, and what all requests share.

use std::collections::BTreeMap;
use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use serde::Serialize;
use tokio::sync::Semaphore;

use super::limits::Limits;
use super::refusal::Refusal;
use super::reply::Reply;
use super::{ServeError, docs};
use crate::answer::Hands;
use crate::database::{Contents, Database, Kind, SectorRecord};
use crate::game::{Variant, points};
use crate::notation::{PositionReader, write_position};

/// Databases to be served, one of each game.
#[derive(Debug)]
pub struct Served {
    sites: BTreeMap<String, Arc<Site>>,
    limits: Limits,
    kept: Cache<String, Reply, ByLength>,
    large: Arc<Semaphore>,
}

/// A database with what answers need besides.
#[derive(Debug)]
pub struct Site {
    database: Database,
    reader: PositionReader<'static>,
    /// Whether the database knows all sectors of its game, if no file is missing.
    whole: bool,
}

/// Answers count for their bytes, and for what it costs to keep them.
#[derive(Clone, Debug)]
struct ByLength;

impl Weighter<String, Reply> for ByLength {
    fn weight(&self, path: &String, reply: &Reply) -> u64 {
        (path.len() + reply.body.len() + 256) as u64
    }
}

/// About how long an answer is.
const USUAL_BYTES: u64 = 4096;

/// Ids that are other things in the address of a request.
const NO_ADDRESS: [&str; 4] = ["", ".", "..", "variants"];

impl Served {
    /// Databases that can be served together.
    ///
    /// # Errors
    /// Two of them hold the same game, one holds conversions, or there is none.
    pub fn new(databases: Vec<Database>, limits: Limits) -> Result<Served, ServeError> {
        let mut sites: BTreeMap<String, Arc<Site>> = BTreeMap::new();
        for database in databases {
            let (path, variant) = (database.dir().to_owned(), database.variant().id.clone());
            if database.contents() == Contents::Conversions {
                return Err(ServeError::Conversions(path));
            }
            if NO_ADDRESS.contains(&variant.as_str()) {
                return Err(ServeError::Id { path, variant });
            }
            let site = Arc::new(Site::new(database));
            if let Some(other) = sites.insert(variant.clone(), site) {
                return Err(ServeError::Twice {
                    variant,
                    first: other.database.dir().to_owned(),
                    second: path,
                });
            }
        }
        if sites.is_empty() {
            return Err(ServeError::Nothing);
        }
        let answers = (limits.kept_bytes / USUAL_BYTES).clamp(16, 1 << 20) as usize;
        Ok(Served {
            sites,
            kept: Cache::with_weighter(answers, limits.kept_bytes, ByLength),
            large: Arc::new(Semaphore::new(limits.large_answers)),
            limits,
        })
    }

    /// The databases, in the order of their games' ids.
    pub fn databases(&self) -> impl Iterator<Item = &Database> {
        self.sites.values().map(|site| &site.database)
    }

    /// What clients may take.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(super) fn site(&self, id: &str) -> Result<&Arc<Site>, Refusal> {
        let unknown = || Refusal::no_variant(id, self.sites.keys().map(String::as_str));
        self.sites.get(id).ok_or_else(unknown)
    }

    /// The first of the games.
    pub(super) fn first(&self) -> Option<&Site> {
        self.sites.values().next().map(|site| &**site)
    }

    /// The answer that was given before to the same words.
    pub(super) fn kept(&self, path: &str) -> Option<Reply> {
        self.kept.get(path)
    }

    pub(super) fn keep(&self, path: String, reply: &Reply) {
        if reply.lasting {
            self.kept.insert(path, reply.clone());
        }
    }

    /// Room for a large answer.
    pub(super) fn large(&self) -> Arc<Semaphore> {
        self.large.clone()
    }

    /// What the server says of its health.
    pub(super) fn health(&self) -> Result<Reply, Refusal> {
        Reply::json(&Health {
            status: "ok",
            version: env!("CARGO_PKG_VERSION"),
            variants: self.sites.len(),
        })
    }

    /// The games.
    pub(super) fn variants(&self) -> Result<Reply, Refusal> {
        let variants = self.sites.values().map(|site| site.describe());
        let variants = variants.collect();
        Reply::json(&Variants { variants })
    }

    /// The documentation.
    pub(super) fn docs(&self) -> Reply {
        Reply::new("text/html; charset=utf-8", docs::page(self))
    }
}

impl Site {
    fn new(database: Database) -> Site {
        let variant = database.variant();
        let mut sectors = variant.sectors().into_iter();
        Site {
            reader: PositionReader::owning(variant.clone()),
            whole: sectors.all(|sector| database.has(sector)),
            database,
        }
    }

    pub(super) fn database(&self) -> &Database {
        &self.database
    }

    pub(super) fn reader(&self) -> &PositionReader<'static> {
        &self.reader
    }

    fn describe(&self) -> VariantAnswer<'_> {
        let (manifest, variant) = (self.database.manifest(), self.database.variant());
        let mut files = manifest.sectors.iter().flat_map(|record| &record.files);
        let packed = |kind| matches!(kind, Kind::Values | Kind::Distances);
        let is_packed = files.clone().any(|file| packed(file.kind))
            || manifest.sectors.iter().any(|record| record.derived);
        let positions = |positions: u64, record: &SectorRecord| {
            positions.saturating_add(record.statistics.positions())
        };
        VariantAnswer {
            id: &variant.id,
            name: &variant.name,
            note: &variant.note,
            fingerprint: &manifest.fingerprint,
            contents: self.database.contents(),
            form: if is_packed { "packed" } else { "plain" },
            complete: self.whole && files.all(|file| self.database.is_there(file)),
            positions: manifest.sectors.iter().fold(0, positions),
            start: write_position(variant, &variant.start().into()),
            men: Hands {
                white: variant.rules.men,
                black: variant.rules.men,
            },
            board: BoardDescription::of(variant),
        }
    }
}

#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
    variants: usize,
}

#[derive(Serialize)]
struct Variants<'a> {
    variants: Vec<VariantAnswer<'a>>,
}

#[derive(Serialize)]
struct VariantAnswer<'a> {
    id: &'a str,
    name: &'a str,
    note: &'a str,
    fingerprint: &'a str,
    contents: Contents,
    form: &'static str,
    complete: bool,
    positions: u64,
    start: String,
    men: Hands,
    board: BoardDescription<'a>,
}

#[derive(Serialize)]
struct BoardDescription<'a> {
    points: Vec<PointDescription<'a>>,
    lines: Vec<Vec<&'a str>>,
    slides: Vec<[&'a str; 2]>,
}

#[derive(Serialize)]
struct PointDescription<'a> {
    name: &'a str,
    x: f32,
    y: f32,
}

impl<'a> BoardDescription<'a> {
    fn of(variant: &'a Variant) -> BoardDescription<'a> {
        let board = &variant.board;
        let point = |p: usize| {
            let (x, y) = board.coordinates(p);
            let name = board.label(p);
            PointDescription { name, x, y }
        };
        let line = |line: &u32| points(*line).map(|p| board.label(p)).collect();
        let slides = board.slides().iter();
        BoardDescription {
            points: (0..board.point_count()).map(point).collect(),
            lines: board.lines().iter().map(line).collect(),
            slides: slides
                .map(|&(a, b)| [a, b].map(|p| board.label(p)))
                .collect(),
        }
    }
}
