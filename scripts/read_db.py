#!/usr/bin/env python3
"""Reads databases of millbase: an independent reader, written from src/database/FORMAT.md alone.

It shares nothing with the Rust program, neither code nor tables, so that where both agree the text says
what the files hold. Section numbers in the comments are those of FORMAT.md. Python 3.11 or newer and the
package `zstandard` (0.22 or newer) are needed; `blake3` is used if it is there.
"""

import argparse
import json
import struct
import sys
import tomllib
import zlib
from array import array
from bisect import bisect_left
from collections import namedtuple
from functools import cache, lru_cache, reduce
from itertools import islice
from math import comb
from operator import or_
from pathlib import Path

import zstandard

try:
    from blake3 import blake3
except ImportError:
    # Python has no BLAKE3 of its own: without the package the digests of manifest, headers and trailers are
    # not checked. The checksums of the blocks, CRC-32 and zstd's, always are.
    blake3 = None

VERSION = 2
KINDS = {"scores": 1, "planes": 2, "values": 3, "distances": 4}
ENDINGS = {"scores": "sector", "planes": "sector", "values": "values", "distances": "distances"}
HEADER = struct.Struct("<II8sHBB4sQII32s8s")
FRAME_MAGIC = 0x184D2A5D
FIXED = ("mover", "opponent")
# The rule switches that the look-ahead of section 7 follows: their values, first the usual one. Databases of
# games with other rules are refused.
RULES = {
    "mill_pays": ("capture", "win"),
    "captures_per_double_mill": (1, 2),
    "taken_from_mills": ("when-all-in-mills", "always", "never", "when-three-left"),
    "flying": (True, False),
    "blocked": ("loses", "draws", "passes"),
    "full_board": ("draws", "first-player-loses", "mover-loses"),  # matters to stored sectors only
    "placing": ("place-only", "place-or-move"),
    "mills_pay_once": (False,),
}

Position = namedtuple("Position", "mover opponent mover_hand opponent_hand")
Answer = namedtuple("Answer", "value plies")
UNKNOWN = Answer("unknown", None)


class DatabaseError(Exception):
    """A file of the database cannot be read, or does not hold what the format says."""


class InputError(Exception):
    """A position or a list of positions cannot be read."""


def need(condition, path, what):
    if not condition:
        raise DatabaseError(f"{path}: {what}")


def need_digest(data, digest, path, what):
    """Compares as many bytes of the BLAKE3 digest as the file has, if BLAKE3 is there."""
    if blake3 is not None:
        need(blake3(data).digest()[: len(digest)] == digest, path, f"{what} is damaged (BLAKE3)")


def numbers(code, data):
    return struct.unpack(f"<{len(data) // struct.calcsize(code)}{code}", data)


def unpack_zstd(frame, size, path, what):
    """Unpacks one frame that must give `size` bytes; zstd compares the checksum in it."""
    try:
        has = zstandard.get_frame_parameters(frame)
        need(has.content_size == size, path, f"{what} has a wrong length")
        need(has.has_checksum, path, f"{what} has no checksum")
        return zstandard.ZstdDecompressor().decompress(frame, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise DatabaseError(f"{path}: {what} is damaged ({error})") from None


# --- Sets of points and places (section 1) ---------------------------------------------------------------


def members(points):
    """The points of a set, in increasing order."""
    while points:
        yield (points & -points).bit_length() - 1
        points &= points - 1


def subsets(size, limit, first=None):
    """The sets of `size` out of `limit` points from `first` on, in increasing order as integers."""
    current = (1 << size) - 1 if first is None else first
    while current < 1 << limit:
        yield current
        if not current:
            return
        # The next integer with as many bits: one bit moves up, those below it drop to the bottom.
        low = current & -current
        carried = current + low
        current = carried | ((carried ^ current) >> 2) // low


def rank(places):
    return sum(comb(place, number) for number, place in enumerate(members(places), 1))


def unrank(number, size):
    places = 0
    for left in range(size, 0, -1):
        place = left - 1
        while comb(place + 1, left) <= number:
            place += 1
        number -= comb(place, left)
        places |= 1 << place
    return places


class Board:
    """Points, lines and slides, from the variant file in the manifest (section 2)."""

    def __init__(self, table):
        self.labels = " ".join(table["points"]).split()
        self.size = len(self.labels)
        self.full = (1 << self.size) - 1
        self.lines = [frozenset(self.numbers(line)) for line in table["lines"]]
        self.slides = {frozenset(self.numbers(pair)) for pair in table["slides"]}
        if any(len(line) != 3 for line in self.lines) or any(len(pair) != 2 for pair in self.slides):
            raise ValueError("lines have three points and slides two")
        self.text_order = [self.numbers(group) for group in table.get("text_order", table["points"])]
        if sorted(sum(self.text_order, [])) != list(range(self.size)):
            raise ValueError("text_order has every point once")
        self.line_sets = [sum(1 << point for point in line) for line in self.lines]
        self.neighbours = [
            [q for q in range(self.size) if frozenset((p, q)) in self.slides] for p in range(self.size)
        ]
        self.half = (self.size + 1) // 2
        self.symmetries = [self.image_tables(images) for images in self.permutations([])]

    def numbers(self, labels):
        return [self.labels.index(label) for label in labels.split()]

    def lines_of(self, men):
        """The lines that these men fill."""
        return [line for line in self.line_sets if line & men == line]

    def permutations(self, images):
        """All symmetries that begin with these images of points 0, 1, ...: a search point by point, which
        leaves a branch as soon as a line or a slide would not be one any more."""
        point = len(images)
        if point == self.size:
            yield images
            return
        lines = [line for line in self.lines if max(line) == point]
        for image in set(range(self.size)) - set(images):
            tried = images + [image]
            if all(
                (frozenset((other, point)) in self.slides) == (frozenset((tried[other], image)) in self.slides)
                for other in range(point)
            ) and all(frozenset(tried[p] for p in line) in self.lines for line in lines):
                yield from self.permutations(tried)

    def image_tables(self, images):
        """The images of all sets of the lower and of the higher half of the points."""
        tables = []
        for half in (images[: self.half], images[self.half :]):
            table = [0]
            for image in half:
                table += [1 << image | other for other in table]
            tables.append(table)
        return tables

    def images(self, points):
        low, high = points & (1 << self.half) - 1, points >> self.half
        return [lows[low] | highs[high] for lows, highs in self.symmetries]

    @cache
    def representatives(self, men):
        """The least sets of this many points of those that symmetries map onto each other. Most sets have a
        smaller image among the first that are looked at."""
        half, mask, found = self.half, (1 << self.half) - 1, array("I")
        for points in subsets(men, self.size):
            low, high = points & mask, points >> half
            for lows, highs in self.symmetries:
                if lows[low] | highs[high] < points:
                    break
            else:
                found.append(points)
        return found

    def cell(self, fixed, varied):
        """The number of the cell of a position in its sector."""
        images = self.images(fixed)
        least = min(images)
        varied = min(v for f, v in zip(images, self.images(varied)) if f == least)
        places = [p for p in range(self.size) if not least >> p & 1]
        row_length = comb(len(places), varied.bit_count())
        in_row = rank(sum(1 << place for place, point in enumerate(places) if varied >> point & 1))
        return bisect_left(self.representatives(least.bit_count()), least) * row_length + in_row


# --- Files (section 3) -----------------------------------------------------------------------------------


class SectorFile:
    """One file of a sector: its header, its model, and where its blocks are."""

    def __init__(self, path, kind, sector):
        self.path, self.kind = path, kind
        with open(path, "rb") as file:
            head = file.read(HEADER.size)
            end = file.seek(0, 2)
            need(end == sector.sizes[kind], path, "is not as long as the manifest says")
            need(end >= HEADER.size + 32, path, "is too short")
            model_size = self.read_header(head, sector)
            file.seek(end - 24)
            (trailer_at,) = struct.unpack("<Q", file.read(8))
            need(HEADER.size + model_size <= trailer_at <= end - 32, path, "the trailer is misplaced")
            file.seek(trailer_at)
            lengths = self.read_trailer(file.read())
            file.seek(HEADER.size)
            self.model = self.read_model(file.read(model_size)) if kind == "values" else None
        self.offsets = [HEADER.size + model_size]
        for length in lengths:
            self.offsets.append(self.offsets[-1] + length)
        need(self.offsets[-1] == trailer_at, path, "the blocks do not end at the trailer")

    def read_header(self, head, sector):
        """Compares all that is known beforehand; returns the length of the model."""
        magic, length, name, version, kind, fixed, key, cells, block, model, rules, digest = HEADER.unpack(head)
        need((magic, length, name) == (FRAME_MAGIC, 72, b"millbase"), self.path, "is no file of a database")
        need(version == VERSION, self.path, f"has version {version}, only {VERSION} is known")
        need_digest(head[:72], digest, self.path, "the header")
        need(kind == KINDS[self.kind], self.path, f"has kind {kind} where {self.kind} were expected")
        need(key == bytes(sector.key) and fixed == FIXED.index(sector.fixed), self.path, "has another sector")
        need(cells == sector.cells, self.path, f"has {cells} cells in place of {sector.cells}")
        need(rules == sector.fingerprint, self.path, "belongs to a game of other rules")
        need(block == 4096 if self.kind == "values" else block > 0, self.path, "has a wrong size of blocks")
        need((model > 0) == (self.kind == "values"), self.path, "has a model of a wrong length")
        self.cells, self.block_cells = cells, block
        return model

    def read_trailer(self, trailer):
        """The lengths of all blocks."""
        magic, length = struct.unpack_from("<II", trailer)
        right = (magic, length) == (FRAME_MAGIC, len(trailer) - 8) and trailer.endswith(b"blockend")
        need(right, self.path, "has no trailer")
        need_digest(trailer[:-16], trailer[-16:-8], self.path, "the trailer")
        blocks = -(-self.cells // self.block_cells)
        return numbers("I", unpack_zstd(trailer[8:-24], 4 * blocks, self.path, "the trailer"))

    def read_model(self, frame):
        """Where the ranges of draws and of wins begin, for each context (section 5)."""
        model = numbers("H", unpack_zstd(frame, 32000, self.path, "the model"))
        draws, wins = model[:8000], model[8000:]
        need(all(d <= w <= 4096 for d, w in zip(draws, wins)), self.path, "the model is not in order")
        return draws, wins

    def cells_in(self, number):
        return min(self.block_cells, self.cells - number * self.block_cells)

    def raw_block(self, number):
        """The bytes of a block, as they are in the file."""
        start, end = self.offsets[number : number + 2]
        with open(self.path, "rb") as file:
            file.seek(start)
            return file.read(end - start)

    @lru_cache(maxsize=16384)
    def zstd_block(self, number):
        """A block of scores, planes or distances (sections 4 and 6)."""
        cells = self.cells_in(number)
        size = 16 * -(-cells // 64) if self.kind == "planes" else cells
        return unpack_zstd(self.raw_block(number), size, self.path, f"block {number}")

    def find(self, cell):
        """The block with a cell, and the cell's number in it."""
        number, index = divmod(cell, self.block_cells)
        return self.zstd_block(number), index


# --- Values (section 5) ----------------------------------------------------------------------------------

# A decoded value is a number, such that the sum of several tells how many there were of each: boards have
# room for less than 16 places that count.
LOSS, DRAW, WIN = 1, 16, 256
NAMES = {LOSS: "loss", DRAW: "draw", WIN: "win"}
# N of such a sum.
NEAR = [min(s & 15, 4) + 5 * min(s >> 4 & 15, 4) + 25 * min(s >> 8, 4) for s in range(4096)]
AT_MOST_3 = bytes(min(number, 3) for number in range(256))


@cache
def steps_of(places, offset, below, taken):
    """How far before a cell those are that count for N, as negative numbers, for the men on `places`
    counted from `offset`: `below` men are on lower places, `taken` says whether place offset - 1 has one."""
    steps = []
    for place in members(places):
        if not (places >> (place - 1) & 1 if place else taken):
            steps.append(-comb(offset + place - 1, below))
        below += 1
    return steps


@lru_cache(maxsize=128)
def part_of_row(places, men, start, end):
    """For the cells of rank `start` to `end` - 1 of any row: a column for each place, and the steps to the
    cells that count for N.

    A column tells something about all cells at once: an integer with one byte a cell, here 1 if the cell has
    a man on the place. Columns are combined with & and |, 4,096 cells in one operation."""
    sets = list(islice(subsets(men, places, unrank(start, men)), end - start))
    # Of place 0 no man steps down, hence the 1. Halves make the results of steps_of few.
    steps = [
        steps_of(s & 0xFFF, 0, 0, 1) + steps_of(s >> 12, 12, (s & 0xFFF).bit_count(), s >> 11 & 1) for s in sets
    ]
    ones = column_of_ones(end - start)
    data = struct.pack(f"<{len(sets)}I", *sets)
    columns = [int.from_bytes(data[p // 8 :: 4], "little") >> p % 8 & ones for p in range(places)]
    return columns, steps


def column_of_ones(cells):
    return int.from_bytes(b"\1" * cells, "little")


def mills(board, men, empty, anywhere, cells):
    """Two columns for one side: its open mills, at most 3, and whether it has a whole line."""
    opened = closed = 0
    for line in board.lines:
        for last in line:
            first, second = (men[point] for point in line if point != last)
            here = first & second & empty[last]
            if here and not anywhere:
                bringers = 0
                for point in board.neighbours[last]:
                    bringers |= men[point] if point not in line else 0
                here &= bringers
            opened += here
        closed |= first & second & men[last]
    at_most_3 = opened.to_bytes(cells, "little").translate(AT_MOST_3)
    return int.from_bytes(at_most_3, "little"), closed


def situations(board, sector, row, start, end):
    """S of the cells of rank `start` to `end` - 1 of a row, and their steps."""
    representative = board.representatives(sector.fixed_men)[row]
    columns, steps = part_of_row(board.size - sector.fixed_men, sector.varied_men, start, end)
    ones = column_of_ones(end - start)
    fixed = [ones if representative >> point & 1 else 0 for point in range(board.size)]
    places = iter(columns)
    varied = [0 if column else next(places) for column in fixed]
    empty = [ones ^ f ^ v for f, v in zip(fixed, varied)]
    m, o, mover_hand, opponent_hand = sector.key
    mover, opponent = (fixed, varied) if sector.fixed == "mover" else (varied, fixed)
    a, c = mills(board, mover, empty, mover_hand > 0 or m <= 3, end - start)
    b, d = mills(board, opponent, empty, opponent_hand > 0 or o <= 3, end - start)
    return (a | b << 2 | c << 4 | d << 5).to_bytes(end - start, "little"), steps


@lru_cache(maxsize=16384)
def values_block(board, sector, file, number):
    """Decodes a block: a number LOSS, DRAW or WIN for each cell."""
    block = file.raw_block(number)
    need(len(block) >= 6 and len(block) % 2 == 0, file.path, f"block {number} has a wrong length")
    (high,), (state,) = numbers("H", block[:2]), numbers("I", block[2:6])
    words = iter(numbers("H", block[6:]))
    cell, left = number * file.block_cells, file.cells_in(number)
    # Cells of this row that are in the block before count nothing for N, so they stand as zeros.
    padding = cell % sector.row_length
    done = [0] * padding
    try:
        while left:
            row, start = divmod(cell, sector.row_length)
            end = min(start + left, sector.row_length)
            state = decode(file.model, state, words, done, *situations(board, sector, row, start, end))
            cell, left = cell + end - start, left - (end - start)
    except StopIteration:
        raise DatabaseError(f"{file.path}: block {number} is damaged: it ends too early") from None
    need(next(words, None) is None, file.path, f"block {number} is damaged: it does not end as it should")
    values = done[padding:]
    crc = zlib.crc32(bytes((LOSS, DRAW, WIN).index(value) for value in values))
    need(high << 16 | state - 65536 == crc, file.path, f"block {number} is damaged (CRC-32)")
    return array("H", values)


def decode(model, state, words, done, situations, all_steps):
    """Decodes the cells of one row: appends their values to `done`, returns the state after them."""
    draws, wins = model
    for situation, steps in zip(situations, all_steps):
        near = 0
        for step in steps:
            near += done[step]
        context = 125 * situation + NEAR[near]
        t, draw, win = state & 4095, draws[context], wins[context]
        if t < draw:
            state = draw * (state >> 12) + t
            done.append(LOSS)
        elif t < win:
            state = (win - draw) * (state >> 12) + t - draw
            done.append(DRAW)
        else:
            state = (4096 - win) * (state >> 12) + t - win
            done.append(WIN)
        if state < 65536:
            state = state << 16 | next(words)
    return state


# --- Sectors and the database (sections 2, 4, 6 and 7) ---------------------------------------------------


class Sector:
    """One sector of the manifest, with its files that are there."""

    def __init__(self, board, folder, manifest_path, entry, fingerprint):
        self.board = board
        self.key = tuple(int(number) for number in entry["sector"].split("_"))
        self.cells, self.fixed, self.derived = entry["cells"], entry["fixed"], entry.get("derived", False)
        m, o, mover_hand, opponent_hand = self.key
        right = FIXED[mover_hand != opponent_hand + 1]
        need(self.fixed == right, manifest_path, f"sector {entry['sector']} has the wrong side fixed")
        self.fixed_men, self.varied_men = (m, o) if right == "mover" else (o, m)
        self.row_length = comb(board.size - self.fixed_men, self.varied_men)
        self.sizes = {file["kind"]: file["bytes"] for file in entry.get("files", [])}
        for file in entry.get("files", []):
            right = file["name"] == f"{entry['sector']}.{ENDINGS[file['kind']]}"
            need(right, manifest_path, f"sector {entry['sector']} has a file of a wrong name")
        self.folder, self.fingerprint = folder, fingerprint

    def path(self, kind):
        return self.folder / ("_".join(map(str, self.key)) + "." + ENDINGS[kind])

    @cache
    def file(self, kind):
        """The file of this kind, None if there is none."""
        path = self.path(kind)
        if kind not in self.sizes or not path.exists():
            return None
        rows = len(self.board.representatives(self.fixed_men))
        need(self.cells == rows * self.row_length, path, "the manifest has a wrong number of cells")
        return SectorFile(path, kind, self)

    def answer(self, position):
        sides = position[:2] if self.fixed == "mover" else position[1::-1]
        cell = self.board.cell(*sides)
        if file := self.file("scores"):
            return read_score(*file.find(cell))
        if file := self.file("planes"):
            return read_planes(*file.find(cell))
        if file := self.file("values"):
            return self.read_value(file, cell)
        return UNKNOWN

    def read_value(self, file, cell):
        """Section 5, and section 6 for the plies."""
        number, index = divmod(cell, file.block_cells)
        value = NAMES[values_block(self.board, self, file, number)[index]]
        distances = self.file("distances")
        if value == "draw" or distances is None:
            return Answer(value, None)
        block, index = distances.find(cell)
        return Answer(value, 2 * block[index] + (value == "win"))


def read_score(block, index):
    """Section 4."""
    score = block[index]
    if score == 128:
        return Answer("draw", None)
    return Answer("loss", 2 * score) if score < 128 else Answer("win", 2 * (255 - score) + 1)


def read_planes(block, index):
    """Section 4; bit i of 64-bit words that are little-endian is bit i mod 8 of byte i div 8."""
    for value, start in (("win", 0), ("loss", len(block) // 2)):
        if block[start + index // 8] >> index % 8 & 1:
            return Answer(value, None)
    return Answer("draw", None)


class Database:
    """A folder with a database: answers what positions are worth to the side to move."""

    def __init__(self, folder):
        path = self.path = Path(folder) / "manifest.json"
        try:
            raw = path.read_bytes()
            manifest = json.loads(raw)
            need(manifest.get("format") == "millbase database", path, "is no manifest of a millbase database")
            version = manifest["version"]
            need(version == VERSION, path, f"has version {version}, only {VERSION} is known")
            need_digest(raw[: raw.rindex(b'"digest"')], bytes.fromhex(manifest["digest"]), path, "the manifest")
            self.read_rules(tomllib.loads(manifest["rules"]))
            fingerprint = bytes.fromhex(manifest["fingerprint"])
            sectors = [Sector(self.board, path.parent, path, e, fingerprint) for e in manifest["sectors"]]
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise DatabaseError(f"{path}: cannot be read ({type(error).__name__}: {error})") from error
        self.sectors = {sector.key: sector for sector in sectors}
        # Section 7: results alone come without plies, even next to the end of the game.
        with_plies = (s.path(kind) for s in sectors for kind in ("scores", "distances") if kind in s.sizes)
        self.lost = Answer("loss", 0 if any(path.exists() for path in with_plies) else None)

    def read_rules(self, variant):
        self.board, self.men = Board(variant["board"]), variant["rules"]["men"]
        self.rules = {switch: values[0] for switch, values in RULES.items()}
        for switch, value in variant["rules"].items():
            right = switch == "men" or switch in RULES and value in RULES[switch]
            need(right, self.path, f"the rule {switch} = {value!r} is not implemented")
            self.rules[switch] = value
        self.wins_by_mill = self.rules["mill_pays"] == "win"
        self.takes = 0 if self.wins_by_mill else self.rules["captures_per_double_mill"]

    def answer(self, position, look_ahead=True):
        """The value of a position; the game may have ended (section 7)."""
        mover, opponent, *hands = position
        if self.board.lines_of(opponent) if self.wins_by_mill else mover.bit_count() + hands[0] < 3:
            return self.lost
        sector = self.sectors.get((mover.bit_count(), opponent.bit_count(), *hands))
        if sector is None:
            return UNKNOWN
        if not sector.derived:
            return sector.answer(position)
        need(look_ahead, self.path, f"sector {sector.key} is derived, and another one from it")
        answers = [self.answer(after, False) for after in self.turns(position)]
        if not answers:
            return self.lost if self.rules["blocked"] == "loses" else Answer("draw", None)
        return best(answers)

    def turns(self, position):
        """The positions after all turns, with the roles changed (section 7)."""
        mover, opponent, mover_hand, opponent_hand = position
        empty = self.board.full & ~(mover | opponent)
        if self.rules["blocked"] == "passes" and empty and not any(self.moves(mover, mover_hand, empty)):
            if any(self.moves(opponent, opponent_hand, empty)):
                yield Position(opponent, mover, opponent_hand, mover_hand)
            return
        for origin, target in self.moves(mover, mover_hand, empty):
            men, hand = mover & ~origin | target, mover_hand if origin else mover_hand - 1
            closed = sum(line & target != 0 for line in self.board.lines_of(men))
            left = {opponent}
            for _ in range(min(closed, self.takes)):
                left = {after for men_left in left for after in self.captures(men_left, opponent_hand)}
            for after in left:
                yield Position(after, men, opponent_hand, hand)

    def moves(self, mover, hand, empty):
        """Where a man comes from (an empty set: the hand) and where he goes to, as sets of one point."""
        if hand:
            yield from ((0, 1 << point) for point in members(empty))
            if self.rules["placing"] == "place-only":
                return
        flies = self.rules["flying"] and mover.bit_count() + hand == 3
        for origin in members(mover):
            for point in members(empty) if flies else self.board.neighbours[origin]:
                if empty >> point & 1:
                    yield 1 << origin, 1 << point

    def captures(self, men, hand):
        """What is left of the men of a side after each way to take one, if any may be taken."""
        in_mills = reduce(or_, self.board.lines_of(men), 0)
        from_mills = {
            "always": True,
            "never": False,
            "when-all-in-mills": men == in_mills,
            "when-three-left": men.bit_count() + hand == 3,
        }[self.rules["taken_from_mills"]]
        return [men & ~(1 << point) for point in members(men if from_mills else men & ~in_mills)] or [men]

    def read_position(self, text):
        """Reads `start` or a text as the program Sanmill writes it."""
        if text.strip() == "start":
            return Position(0, 0, self.men, self.men)
        try:
            groups, side, _phase, action, *counts = text.split()[:8]
            white, black = self.read_groups(groups.split("/"))
            white_on, white_hand, black_on, black_hand = map(int, counts)
        except ValueError:
            raise InputError(f"{text!r} is no position of this game") from None
        if action == "r":
            raise InputError(f"in {text!r} a man has yet to be taken: only whole turns are answered")
        sides = Position(white, black, white_hand, black_hand), Position(black, white, black_hand, white_hand)
        right = side in ("w", "b") and (white.bit_count(), black.bit_count()) == (white_on, black_on)
        if not (right and 0 <= white_hand <= self.men - white_on and 0 <= black_hand <= self.men - black_on):
            raise InputError(f"the side to move or the numbers of men are wrong in {text!r}")
        return sides["wb".index(side)]

    def read_groups(self, groups):
        men = [0, 0, 0]
        for group, points in zip(groups, self.board.text_order, strict=True):
            for letter, point in zip(group, points, strict=True):
                men["O@*".index(letter)] |= 1 << point
        return men[:2]


def best(answers):
    """What a position is worth whose turns lead to positions worth this to the opponent (section 7)."""
    plies = {value: [] for value in ("loss", "unknown", "draw", "win")}
    for answer in answers:
        plies[answer.value].append(answer.plies)
    if plies["loss"]:
        # Without knowing all, there may be a shorter win, but none than one at once.
        known = 0 in plies["loss"] or None not in plies["loss"] and not plies["unknown"]
        return Answer("win", min(p for p in plies["loss"] if p is not None) + 1 if known else None)
    if plies["unknown"] or plies["draw"]:
        return UNKNOWN if plies["unknown"] else Answer("draw", None)
    return Answer("loss", None if None in plies["win"] else max(plies["win"]) + 1)


# --- Commands --------------------------------------------------------------------------------------------


def say(answer):
    return answer.value if answer.plies is None else f"{answer.value} in {answer.plies} plies"


def compare(database, lines):
    """Holds the answers against those that the lines have; returns whether all agree."""
    agree, different = 0, []
    for number, line in enumerate(lines, 1):
        try:
            sample = json.loads(line)
            text, expected = sample["position"], Answer(sample["value"], sample["plies"])
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"line {number} is no position with its value: {error!r}") from None
        answer = database.answer(database.read_position(text))
        if answer == expected:
            agree += 1
        else:
            sector = sample.get("sector", "")
            different.append(f"{text} [{sector}]: expected {say(expected)}, read {say(answer)}")
    if not agree and not different:
        raise InputError("there are no positions to compare")
    print(f"{agree} of {agree + len(different)} positions agree")
    for difference in different[:10]:
        print(f"  {difference}")
    return not different


def arguments():
    parser = argparse.ArgumentParser(
        description="Reads a millbase database, independently of millbase itself: written from the text "
        "src/database/FORMAT.md alone.",
        epilog="Values are for the side to move; plies count the turns to the end of the game. 'unknown' is a "
        "position whose sector is not in the database. Exit codes: 0 done, 1 answers differ, 2 the database or "
        "the positions cannot be read. Example: millbase sample --db nine-db --count 1000 | read_db.py nine-db "
        "--compare -",
    )
    parser.add_argument("database", metavar="DIR", help="the folder of the database, with its manifest.json")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "position",
        nargs="?",
        metavar="POSITION",
        help="print the value of this position: 'start', or a text as the program Sanmill writes it, such as "
        "'@**O***O/******** b p p 2 4 1 5'; further fields are ignored",
    )
    what.add_argument(
        "--compare",
        metavar="FILE",
        help="compare with the lines of FILE ('-': standard input), as 'millbase sample' prints them: JSON "
        'objects {"position": TEXT, "sector": TEXT, "value": "win"|"draw"|"loss"|"unknown", "plies": '
        "N|null}; prints how many agree and the first ten that do not",
    )
    return parser.parse_args()


def main():
    options = arguments()
    try:
        database = Database(options.database)
        if options.position is not None:
            print(say(database.answer(database.read_position(options.position))))
            return 0
        if options.compare == "-":
            return 0 if compare(database, sys.stdin) else 1
        with open(options.compare, encoding="utf-8") as lines:
            return 0 if compare(database, lines) else 1
    except (DatabaseError, InputError, OSError) as error:
        print(f"read_db.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
