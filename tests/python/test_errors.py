"""Mistakes raise exceptions that say what is wrong and where."""

import gc
import pathlib
import warnings

import pytest

import millbase


def raised(error, call, *arguments):
    with pytest.raises(error) as caught:
        call(*arguments)
    assert type(caught.value) is error
    return caught.value


def test_a_fault_in_a_field_has_a_place(database):
    text = "O*******/******** b p p 1 5 4 2 0 0 0 0"
    for call in (database.probe, database.moves, database.line):
        error = raised(millbase.PositionError, call, text)
        assert isinstance(error, ValueError)
        assert (error.field, error.character, error.index) == (7, 29, None)
        assert str(error).startswith("field 7 (Black men on the board), character 29: ")


@pytest.mark.parametrize("text", ["", "stort", "O" * 1_000_000, "\0", "O@" * 30, "start\0"])
def test_a_field_that_is_missing_has_the_place_where_it_should_be(database, text):
    error = raised(millbase.PositionError, database.probe, text)
    missing = (1, 1) if text == "" else (2, len(text) + 1)
    assert (error.field, error.character, error.index) == (*missing, None)
    assert "at least 12 fields" in str(error)


def test_impossible_positions(database):
    text = "OO******/@******* b p p 2 1 1 5 0 0 0 0"
    error = raised(millbase.PositionError, database.probe, text)
    assert str(error).startswith("impossible position: ")
    assert (error.field, error.character) == (8, 31)


def test_the_first_wrong_position_of_many_is_named(database):
    positions = ["start"] * 20_000
    positions[17_000] = positions[17_001] = "stort"
    error = raised(millbase.PositionError, database.probe_many, positions)
    assert (error.index, error.field) == (17_000, 2)
    assert str(error).startswith("positions[17000]: ")


def test_arguments_of_other_types(database):
    for argument in (None, 7, b"start", ["start"]):
        raised(TypeError, database.probe, argument)
        raised(TypeError, database.moves, argument)
    for argument in (None, 7, "start", [None], ["start", b"start"]):
        raised(TypeError, database.probe_many, argument)
    raised(UnicodeEncodeError, database.probe, "\ud800")
    raised(TypeError, millbase.Database, 7)
    raised(TypeError, millbase.Database)


def test_folders_without_a_database(tmp_path):
    missing = tmp_path / "missing"
    error = raised(millbase.DatabaseError, millbase.Database, missing)
    assert str(missing) in str(error)
    raised(millbase.DatabaseError, millbase.Database, tmp_path)
    assert not issubclass(millbase.DatabaseError, ValueError)


def test_a_damaged_file_is_named(program, tmp_path):
    for file in program.whole.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    damaged = tmp_path / "3_3_0_0.sector"
    damaged.write_bytes(damaged.read_bytes()[:-20])
    text = "O*O*O***/@@@***** w m s 3 0 3 0 0 0 0 0"
    with millbase.Database(tmp_path) as database:
        for call in (database.probe, database.moves):
            error = raised(millbase.DatabaseError, call, text)
            assert str(damaged) in str(error)
        error = raised(millbase.DatabaseError, database.probe_many, ["start", text])
        assert str(error).startswith("positions[1]: ")
        assert database.probe("start").value == "draw"


def test_conversions_are_refused(program):
    error = raised(millbase.DatabaseError, millbase.Database, program.conversions)
    assert "conversions" in str(error) and str(program.conversions) in str(error)


def test_a_closed_database_does_not_answer(program):
    with millbase.Database(program.whole) as database:
        assert database.probe("start").value == "draw"
    for call in (database.probe, database.moves, database.line):
        error = raised(ValueError, call, "start")
        assert "closed" in str(error)
    raised(ValueError, database.probe_many, [])
    database.close()
    assert database.variant == "six"
    assert repr(database) == f"<millbase.Database of 'six' in {program.whole}, closed>"


def test_an_exception_passes_through_and_closes(program):
    with pytest.raises(KeyError):
        with millbase.Database(program.whole) as database:
            raise KeyError
    raised(ValueError, database.probe, "start")


def test_closing_lets_go_of_the_files(program):
    def open_files():
        return {link.resolve() for link in pathlib.Path("/proc/self/fd").iterdir()}

    def mapped():
        return str(program.whole) in pathlib.Path("/proc/self/maps").read_text()

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        database = millbase.Database(program.whole)
        database.probe("start")
        assert mapped() or any(program.whole in file.parents for file in open_files())
        database.close()
        gc.collect()
        assert not mapped() and not any(program.whole in file.parents for file in open_files())
