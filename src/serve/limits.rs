//! What a client may take of the server.

use std::time::Duration;

/// What a client may take of the server: time, room, and turns at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For sending the head of a request, and for being idle between two.
    pub head_time: Duration,
    /// For sending the body of a request.
    pub body_time: Duration,
    /// For finding an answer.
    pub answer_time: Duration,
    /// For taking any part of an answer, while the system has no more room to keep it.
    pub stalled_time: Duration,
    /// For requests under way when the server is told to stop.
    pub stop_time: Duration,
    /// Bytes of a head.
    pub head_bytes: usize,
    /// Bytes of a body.
    pub body_bytes: usize,
    /// Positions of a batch.
    pub batch_positions: usize,
    /// Turns of a game.
    pub game_turns: usize,
    /// Batches and games that are answered or sent at the same time; others wait.
    pub large_answers: usize,
    /// Connections at the same time; others wait to be accepted.
    pub connections: usize,
    /// Bytes of answers that are kept to be given again.
    pub kept_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            head_time: Duration::from_secs(10),
            body_time: Duration::from_secs(10),
            answer_time: Duration::from_secs(20),
            stalled_time: Duration::from_secs(10),
            stop_time: Duration::from_secs(3),
            head_bytes: 64 << 10,
            body_bytes: 512 << 10,
            batch_positions: 1000,
            game_turns: 5000,
            large_answers: 8,
            connections: 512,
            kept_bytes: 64 << 20,
        }
    }
}
