"""The package: its objects, and the stubs that describe them."""

import ast
import inspect
import os
import pathlib

import pytest

import millbase

STUBS = ast.parse(pathlib.Path(millbase.__file__).with_name("__init__.pyi").read_text())
CLASSES = {node.name: node for node in STUBS.body if isinstance(node, ast.ClassDef)}


def test_paths_of_all_kinds(program, monkeypatch):
    monkeypatch.chdir(program.whole.parent)
    for path in (str(program.whole), program.whole, pathlib.Path("six"), "six"):
        with millbase.Database(path) as database:
            assert database.variant == "six"
            assert database.path == pathlib.Path(path)
            assert repr(database) == f"<millbase.Database of 'six' in {path}>"


def test_answers_are_values(database):
    probed, again = database.probe("start"), database.probe("start")
    assert probed == again and hash(probed) == hash(again) and probed is not again
    first, second = database.moves("start")[:2]
    assert first != second and first == database.moves("start")[0] and len({first, second}) == 2
    assert first != probed
    for answer, name in ((probed, "value"), (first, "move")):
        with pytest.raises(AttributeError):
            setattr(answer, name, "win")


def test_answers_print_as_python(database):
    def shown(answer, names):
        inside = ", ".join(f"{name}={getattr(answer, name)!r}" for name in names)
        return f"{type(answer).__name__}({inside})"

    for position in ("start", "*****@@*/***OOO** w p r 3 3 2 4 1 0 0 0 0 0 1"):
        probed = database.probe(position)
        assert repr(probed) == shown(probed, ("value", "plies", "side", "position", "missing"))
        for turn in database.moves(position):
            assert repr(turn) == shown(turn, ("move", "value", "plies", "position", "missing"))


def test_the_version_is_that_of_the_crate():
    manifest = pathlib.Path(__file__).parents[2] / "Cargo.toml"
    assert f'version = "{millbase.__version__}"' in manifest.read_text()


def test_the_package_is_typed():
    assert pathlib.Path(millbase.__file__).with_name("py.typed").exists()


def test_the_stubs_name_all_there_is():
    exported = next(n.value for n in STUBS.body if isinstance(n, ast.Assign) and n.targets[0].id == "__all__")
    assert ast.literal_eval(exported) == millbase.__all__
    assert {name for name in millbase.__all__ if not name.startswith("_")} == set(CLASSES)


@pytest.mark.parametrize("name", ["Database", "Probed", "Turn"])
def test_the_stubs_name_all_members(name):
    described = {node.name: node for node in CLASSES[name].body if isinstance(node, ast.FunctionDef)}
    members = vars(getattr(millbase, name))
    public = {member for member in members if not member.startswith("_")}
    assert public == {member for member in described if not member.startswith("_")}
    assert all(hasattr(getattr(millbase, name), member) for member in described)
    for member, node in described.items():
        is_property = any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)
        assert is_property == inspect.isgetsetdescriptor(members.get(member)), member
        if not is_property and not member.startswith("_"):
            stub = [argument.arg for argument in node.args.args]
            assert stub == list(inspect.signature(members[member]).parameters), member


def test_exceptions_are_what_the_stubs_say():
    for name in ("PositionError", "DatabaseError"):
        bases = [base.id for base in CLASSES[name].bases]
        assert bases == [base.__name__ for base in getattr(millbase, name).__bases__]


def test_the_example_of_the_readme(program, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    os.symlink(program.whole, "six-db")
    exec(os.environ["README_EXAMPLE"], {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "draw" and len(lines) == 4
    assert lines[1].split()[1:3] == ["draw", "None"]
