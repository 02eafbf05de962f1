"""The Jinja environment: what it prints, and that its errors name places and no values."""

from pathlib import Path

import pytest

from pbem.errors import OurFault
from pbem.report import render

SECRET = "great dragon"
WORDS = "{% import 'words.txt' as words %}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def test_text_and_html(folder: Path) -> None:
    body = "{% if true %}\n  {{ x }}\n{% endif %}\n"
    (folder / "a.txt").write_text(body)
    (folder / "a.html").write_text(body)
    assert render.render("a.txt", str(folder), x="<&>") == "  <&>\n"
    assert render.render("a.html", str(folder), x="<&>") == "  &lt;&amp;&gt;\n"


def test_a_game_may_use_the_name_of_any_parameter(folder: Path) -> None:
    (folder / "a.txt").write_text("{{ name }}{{ folders }}{{ self_ }}")
    assert render.render("a.txt", str(folder), name=1, folders=2, self_=3) == "123"


@pytest.mark.parametrize(
    ("body", "where", "kind"),
    [
        ("\n{{ nothing }}", "a.txt, line 2", "UndefinedError: nothing"),
        ("\n\n{{ x.nothing }}", "a.txt, line 3", "UndefinedError: nothing"),
        ("{% if x.nothing is none %}{% endif %}", "a.txt, line 1", "UndefinedError: nothing"),
        ("\n{{ {}[x] }}", "a.txt, line 2", "UndefinedError"),
        ("{{ x + 1 }}", "a.txt, line 1", "TypeError"),
        ("\n{% if  %}", "a.txt, line 2", "TemplateSyntaxError: Expected an expression, got 'end of"),
        ("{{ x.__class__ }}", "a.txt, line 1", "SecurityError"),
        ("\n{% include 'gone.txt' %}", "gone.txt", "it is missing in /"),
        ("\n{% include 'b.txt' %}", "b.txt, line 2", "UndefinedError: nothing"),
        (WORDS + "{{ words.m(x) }}", "words.txt, line 2", "UndefinedError: onw"),
        (WORDS + "{{ words['event_' ~ n] }}", "a.txt, line 2", "UndefinedError: words.txt has no"),
        ("{% import 'bad.txt' as words %}", "bad.txt, line 3", "TemplateSyntaxError: Encountered"),
    ],
)
def test_errors(body: str, where: str, kind: str, folder: Path) -> None:
    (folder / "a.txt").write_text(body)
    (folder / "b.txt").write_text("\n{{ x.nothing }}")
    (folder / "bad.txt").write_text("\n\n{% macr m(v) %}")
    (folder / "words.txt").write_text("{% macro m(v) %}\n{{ v.onw is none }}{% endmacro %}")
    with pytest.raises(OurFault) as caught:
        render.render("a.txt", str(folder), x=SECRET, n="laid")
    assert caught.value.message.startswith(f"template {where}: {kind}")
    assert SECRET not in caught.value.message
    assert caught.value.__suppress_context__


def test_a_missing_template() -> None:
    with pytest.raises(OurFault, match=r"template no/such\.txt: it is missing in the"):
        render.render("no/such.txt")


def test_a_compiled_template_gives_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, compiled = folder / "templates", folder / "pbem" / render.COMPILED
    source.mkdir()
    (source / "a.txt").write_text("{% macro m(v) %}\n[{{ v }}]\n{% endmacro %}\n{{ m(x) }}")
    (source / "b.txt").write_text("\n\n{{ x.nothing }}")
    (source / "c.html").write_text("{{ x }}")
    render.environment(str(source)).compile_templates(str(compiled), zip=None)
    for path in source.iterdir():
        path.unlink()
    monkeypatch.setattr(render, "_PACKAGE_DIR", str(folder / "pbem"))
    render._cached_environment.cache_clear()
    try:
        assert render.render("a.txt", x=1) == "[1]\n"
        assert render.render("c.html", x="<") == "&lt;"
        with pytest.raises(OurFault, match=r"template b\.txt, line 3: UndefinedError"):
            render.render("b.txt", x=1)
    finally:
        render._cached_environment.cache_clear()
