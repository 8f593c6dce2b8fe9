// @ts-check
// What the server is asked, and the three ways it can turn out: an answer, a refusal with its reason, no answer.

/** @typedef {"white" | "black"} Side */
/** @typedef {{value: "win" | "draw" | "loss" | "unknown", plies: number | null, missing?: string}} Worth */
/** @typedef {{white: string[], black: string[], hand: Record<Side, number>, removals_due: number}} Men */
/** @typedef {{move: string, from: string | null, to: string | null, takes: string[]}} Deed */
/** @typedef {Worth & Deed & {position: string}} Turn a deed, what it is worth to its player, where it leads */
/** @typedef {{winner: Side | null, reason: string}} End */
/**
 * @typedef {Worth & {
 *   position: string, side: Side, board: Men, over: End | null, moves?: Turn[],
 * }} Answer the worth is for the side to move
 */
/** @typedef {{points: {name: string, x: number, y: number}[], lines: string[][], slides: string[][]}} Board */
/**
 * @typedef {{
 *   id: string, name: string, note: string, contents: string, complete: boolean, positions: number,
 *   start: string, men: Record<Side, number>, board: Board,
 * }} Variant
 */
/** @typedef {{kind: string, message: string, field?: number, character?: number, missing?: string}} Fault */

/** Milliseconds after which an answer is no longer waited for. */
const PATIENCE = 20_000;

/** Positions in one batch at most. */
const BATCH = 1000;

/** The server did not answer: it is stopped, cut off, or too slow. */
export class NoAnswer extends Error {}

/** The server answered that it cannot say. */
export class Refusal extends Error {
  /**
   * @param {Fault} fault
   * @param {Partial<Answer>} rest what the answer says beside the fault
   */
  constructor(fault, rest) {
    super(fault.message);
    this.fault = fault;
    this.rest = rest;
  }
}

/**
 * @param {string} path
 * @param {object} [body] posted if there is one
 * @returns {Promise<any>}
 */
async function ask(path, body) {
  const posted = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let response, content;
  try {
    response = await fetch(path, { ...(body && posted), cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    content = await response.json();
  } catch {
    throw new NoAnswer();
  }
  if (content?.error) {
    const { error, ...rest } = content;
    throw new Refusal(error, rest);
  }
  if (!response.ok) throw new NoAnswer();
  return content;
}

/**
 * A position text in an address: readable, as only what has to be is escaped.
 * @param {string} position
 */
export function inAddress(position) {
  const escaped = encodeURIComponent(position.trim().replace(/\s+/g, "_"));
  return escaped.replace(/%(2F|3A|40)/g, (code) => decodeURIComponent(code));
}

/** @param {string} variant */
const of = (variant) => `/api/${encodeURIComponent(variant)}`;

/** @returns {Promise<Variant[]>} the games the server has */
export async function askVariants() {
  return (await ask("/api/variants")).variants;
}

/**
 * @param {string} variant
 * @param {string} position
 * @returns {Promise<Answer>} the position with all its turns, best first
 */
export function askPosition(variant, position) {
  return ask(`${of(variant)}?position=${inAddress(position)}`);
}

/**
 * @param {string} variant
 * @param {string} position
 * @returns {Promise<{position: string, line: Turn[]}>} best play to the end
 */
export function askLine(variant, position) {
  return ask(`${of(variant)}/line?position=${inAddress(position)}`);
}

/**
 * @param {string} variant
 * @returns {Promise<{sector: string, plies: number, position: string, side: Side}[]>} the longest wins
 */
export async function askGallery(variant) {
  return (await ask(`${of(variant)}/gallery`)).longest;
}

/**
 * Many positions without their turns.
 * @param {string} variant
 * @param {string[]} positions
 * @returns {Promise<(Answer | {error: Fault})[]>} an answer or a fault for each
 */
export async function askMany(variant, positions) {
  const answers = [];
  for (let from = 0; from < positions.length; from += BATCH) {
    const body = { positions: positions.slice(from, from + BATCH), turns: false };
    answers.push(...(await ask(`${of(variant)}/batch`, body)).answers);
  }
  return answers;
}

/**
 * @param {string} variant
 * @param {Men & {side: Side}} setup
 * @returns {Promise<{position: string}>} the text of a position that was set up
 */
export function askSetup(variant, setup) {
  return ask(`${of(variant)}/setup`, setup);
}

/**
 * @param {string} variant
 * @param {string} position where the game begins
 * @param {string} moves a list of turns or a game record
 * @returns {Promise<{positions: string[], moves: Deed[]}>} the game
 */
export function askGame(variant, position, moves) {
  return ask(`${of(variant)}/game`, { position, moves });
}
