//! Answers in words: what programs get as JSON.
//!
//! * [`Worth`]: what a position or a turn is worth, in the words of the JSON;
//! * [`PositionAnswer`]: all about a position; [`LineAnswer`]: how it goes on;
//! * [`Statistics`]: how many positions of each sector are won, drawn and lost;
//! * [`TextProber`]: an open database that is asked with position texts, for programs in other languages;
//! * [`serve`]: answers to requests, one JSON object a line each;
//! * [`schema`]: what requests and answers look like, as a JSON Schema.
//!
//! ```text
//! {"id":1,"position":"start","moves":"d6 f4"}
//! {"id":1,"variant":"nine","position":"...","side":"white","value":"draw","plies":null,"moves":[...]}
//! {"id":2,"position":"stort"}
//! {"id":2,"error":{"kind":"position","message":"a position text has ..."}}
//! ```

mod details;
mod position;
mod service;
mod statistics;
mod texts;
mod worth;

pub use details::{BoardAnswer, Hands, Over, PositionDetails, TurnDetails};
pub use position::{LINE_LIMIT, LineAnswer, PositionAnswer, TurnAnswer, side};
pub use service::{Content, Fault, FaultKind, Reply, Request, schema, serve};
pub use statistics::{ExamplePositions, SectorStatistics, Statistics};
pub use texts::{Continuation, QuestionError, TextProber};
pub use worth::{Word, Worth};
