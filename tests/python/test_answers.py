"""Answers are those of the program."""

import multiprocessing
import threading

import pytest

import millbase

# A man is due in the middle of a turn.
INSIDE = "*****@@*/***OOO** w p r 3 3 2 4 1 0 0 0 0 0 1"
# White has two men left.
OVER = "O**O****/@@@***** w m s 2 0 3 0 0 0 0 0 0 0 9"


def found(probed):
    """An answer in the words of the program."""
    names = ("value", "plies", "side", "position", "missing")
    return {name: getattr(probed, name) for name in names}


def expected(answer):
    """The same of an answer of the program."""
    names = ("value", "plies", "side", "position")
    return {name: answer[name] for name in names} | {"missing": answer.get("missing")}


def found_turns(turns):
    return [(turn.move, turn.value, turn.plies, turn.missing) for turn in turns]


def expected_turns(answer):
    return [(turn["move"], turn["value"], turn["plies"], turn.get("missing")) for turn in answer["moves"]]


@pytest.mark.parametrize("name", ["whole", "values", "packed", "part"])
def test_answers_are_those_of_query(program, name):
    folder = getattr(program, name)
    positions = ["start", INSIDE, OVER, *(sample["position"] for sample in program.sample(600))]
    answers = program.ask(folder, [{"position": p, "line": True} for p in positions])
    assert len(answers) == len(positions)
    seen = set()
    with millbase.Database(folder) as database:
        for position, answer in zip(positions, answers):
            assert found(database.probe(position)) == expected(answer)
            assert found_turns(database.moves(position)) == expected_turns(answer)
            assert database.line(position) == answer["line"]
            seen.add(answer["value"])
        many = database.probe_many(positions)
    assert [found(probed) for probed in many] == [expected(answer) for answer in answers]
    assert seen == {"win", "draw", "loss"} | ({"unknown"} if name == "part" else set())


def test_turns_lead_where_they_say(program, database):
    opposite = {"win": "loss", "draw": "draw", "loss": "win"}
    positions = ["start", INSIDE, *(sample["position"] for sample in program.sample(100))]
    for position in positions:
        for turn in database.moves(position):
            after = database.probe(turn.position)
            assert after.value == opposite[turn.value]
            assert after.plies == (None if turn.plies is None else turn.plies - 1)
            assert after.position == turn.position
            assert after.side != database.probe(position).side


def test_what_is_missing_is_unknown_and_never_a_draw(program):
    samples = program.sample(600)
    with millbase.Database(program.part) as database:
        answers = database.probe_many([sample["position"] for sample in samples])
    unknown = [probed for probed in answers if probed.value == "unknown"]
    assert 0 < len(unknown) < len(answers)
    assert {(probed.missing, probed.plies) for probed in unknown} == {("4-4", None)}
    for sample, probed in zip(samples, answers):
        if probed.value != "unknown":
            assert (probed.value, probed.missing) == (sample["value"], None)


def test_the_game_is_over(database):
    probed = database.probe(OVER)
    assert (probed.value, probed.plies, probed.side) == ("loss", 0, "white")
    assert database.moves(OVER) == [] and database.line(OVER) == []


def test_a_line_is_best_play(database):
    position, plies = INSIDE, database.probe(INSIDE).plies
    line = database.line(position)
    assert len(line) == plies == 33
    for played, text in enumerate(line):
        turn = next(turn for turn in database.moves(position) if turn.move == text)
        assert turn.plies == plies - played
        position = turn.position
    assert database.moves(position) == []


def test_long_and_empty_lists(program, database):
    assert database.probe_many([]) == []
    samples = program.sample(1000)
    # More than are looked up together.
    answers = database.probe_many([sample["position"] for sample in samples] * 40)
    assert len(answers) == 40000
    for i, probed in enumerate(answers):
        sample = samples[i % 1000]
        assert (probed.value, probed.plies) == (sample["value"], sample["plies"])


def test_many_threads_ask_one_database(program, database):
    samples = program.sample(500)
    wrong = []

    def ask(begin):
        for i in range(len(samples)):
            sample = samples[(begin + i) % len(samples)]
            probed = database.probe(sample["position"])
            if (probed.value, probed.plies) != (sample["value"], sample["plies"]):
                wrong.append(sample)
        wrong.extend(set(database.probe_many(["start"] * 300)) - {database.probe("start")})

    threads = [threading.Thread(target=ask, args=(60 * i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_other_threads_run_while_many_are_probed(program, database):
    positions = [sample["position"] for sample in program.sample(1000)] * 80
    counted, stop = 0, threading.Event()

    def count():
        nonlocal counted
        while not stop.wait(0.001):
            counted += 1

    counter = threading.Thread(target=count)
    counter.start()
    while counted == 0:
        stop.wait(0.001)
    before = counted
    database.probe_many(positions)
    during = counted - before
    stop.set()
    counter.join()
    # If no other thread could run, the counter would come to count once, at the end.
    assert during > 3


def ask_for_many(database, queue):
    queue.put([probed.value for probed in database.probe_many(["start"] * 1000)])


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork")
def test_a_forked_process_may_ask_as_well(database):
    assert database.probe_many(["start"] * 1000)[0].value == "draw"
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=ask_for_many, args=(database, queue))
    child.start()
    try:
        assert queue.get(timeout=60) == ["draw"] * 1000
    finally:
        child.kill()
        child.join()
