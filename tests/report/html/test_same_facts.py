"""The text, the HTML and the view file of an email say the same.

What is compared: points, what each has left, every square and card, who leads, threats, markers, what happened,
what may be ordered, pending orders. Source: docs/decisions/0032-a-report-at-a-glance.md.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest

from pbem.engine.standings import plain_standings
from report.html.played import GAMES, Face, asked_in, plain, read, view_in

FOOT = (
    "help",
    "",
    "absent ... to ...\r\n# Fill in the days, for example: absent 20 Dec to 3 Jan\r\n",
)  #: links that answer no question
SIGNS = {"tower": "▲", "double": "═"}


@pytest.fixture(scope="module", params=[*GAMES])
def reports(request: pytest.FixtureRequest, faces_of: Callable[[str], list[Face]]) -> list[Face]:
    found = faces_of(request.param)
    assert all(face.html for face in found)
    return [face for face in found if face.view]


def words_of(face: Face) -> str:
    """All that a person hears of the HTML, on one line."""
    return plain("".join(read(face.html).words))


def orders_of(body: str) -> list[str]:
    """The orders of a link, without the comments below them."""
    return [line for line in body.splitlines() if line and not line.startswith("#")]


def test_the_links_are_the_legal_orders(reports: list[Face]) -> None:
    for face in reports:
        game, view = view_in(face)
        legal, over = {*game.legal(view)}, game.outcome(view) is not None
        links = [orders_of(link.body) for link in asked_in(face) if link.body not in FOOT]
        assert {orders[0] for orders in links} == legal, face.name  # whole turns begin with one, too
        assert {orders[0] for orders in links if len(orders) == 1} == legal, face.name
        for link in read(face.html).links:
            assert link.to == "referee@example.org"
            assert f"[pbem {face.view['code']}]" in link.subject
            assert link.body.endswith("\r\n") == ("#" in link.body)  # what is typed below a comment counts
        assert not (over and legal)
    assert any(asked_in(face) for face in reports)


def test_a_comment_in_a_link_has_what_completes_the_turn(reports: list[Face]) -> None:
    completed = 0
    for face in reports:
        game, view = view_in(face)
        legal = game.legal(view)
        for link in asked_in(face):
            if link.body in FOOT:
                continue
            order, *comments = link.body.splitlines()
            if not comments or comments[0] in legal:
                continue
            added = re.fullmatch(r"# Add (?:one more line|\d more lines), for example: (.+)", comments[0])
            assert added is not None
            assert comments[1:] == ["# Lines that begin with # are not read."]
            assert all(len(line) <= 76 for line in comments)
            after = game.foresee(view, order)
            assert after is None or {text.split("; ")[0] for text in added[1].split(" or ")} <= {*game.legal(after)}
            completed += 1
    assert completed


def test_the_text_lists_the_same_orders(reports: list[Face]) -> None:
    for face in reports:
        listed = face.text.partition("YOU MAY WRITE\n")[2].partition("\n\n")[0].splitlines()
        begins = {line.split(":")[0] for line in listed if line.split(":")[0]}
        orders = {orders_of(link.body)[0] for link in asked_in(face) if link.body not in FOOT}
        assert all(any(order.startswith(begin) for begin in begins) for order in orders), face.name
        assert all(any(order.startswith(begin) for order in orders) for begin in begins), face.name


def test_what_happened_is_told_in_both(reports: list[Face]) -> None:
    for face in reports:
        heard = words_of(face)
        told = re.search(r"\n(?:WHAT HAPPENED|SINCE YOUR LAST REPORT)\n((?:- .*\n)+)", face.text)
        assert told is not None, face.name
        for line in told[1].splitlines():
            assert plain(re.sub(r" \([A-Z]+-\d+[a-z]?\)", "", line[2:])) in heard, (face.name, line)


def test_points_and_what_is_left_are_in_both(reports: list[Face]) -> None:
    for face in reports:
        game, view = view_in(face)
        heard = words_of(face)
        for seat in game.standings(view).seats:
            name = dict(row.split(" ", 1) for row in face.view["seats"])[seat.seat]
            you = " (you)" if seat.seat == face.view["seat"] else ""
            points = "secret" if seat.points is None else seat.points
            assert plain(f"{name}{you} {points} points") in heard, (face.name, seat)
            beside = ", you" if you else ""
            assert f"{name} ({seat.seat}{beside}): {seat.text}" in face.text, face.name
            for row in seat.holdings:
                numbers = [value for key, value in row.facts.items() if isinstance(value, int) and key != "points"]
                told = re.search(re.escape(plain(f"{name}{you} {points} points")) + r"((?: [^ ]+){1,24})", heard)
                assert told is not None
                for number in numbers:
                    if number is not True and number:
                        assert re.search(rf"\b{number}\b", told[1]), (face.name, row, told[1])


def test_the_result_is_in_both(reports: list[Face]) -> None:
    """The bars too: found by a player who did not know what they showed."""
    ended = [face for face in reports if "THE RESULT\n" in face.text]
    assert ended
    for face in ended:
        told = face.text.partition("THE RESULT\n")[2].partition("\n\n")[0]
        assert told.startswith("Bars: ")
        for line in re.sub("[▁-█]+", "", told).splitlines():
            assert plain(line) in words_of(face), (face.name, line)


def test_every_square_is_in_both(reports: list[Face]) -> None:
    for face in reports:
        game, view = view_in(face)
        table = game.describe(view)
        shown = {cell.split()[0].upper(): cell for cell in cells(face)} if "provinces" in table else {}
        for province in table.get("provinces", ()):
            for square in province["squares"]:
                seen = shown[square["name"]]
                if square["piece"]:
                    assert square["owner"][0].upper() in seen.split()[1], (face.name, square, seen)
                    assert SIGNS.get(square["piece"], "") in seen
                    assert ("✕" in seen) is (square["broken"] or f"traitor break {square['name']}" in game.legal(view))
                elif square["kept"]:
                    assert f"({square['kept'][0].upper()})" in seen, (face.name, square, seen)
        for line in game.board_text(table):
            assert line in face.text, face.name


def cells(face: Face) -> list[str]:
    """The squares of the wall in the HTML: ``A2 G═ double wall``."""
    found = re.findall(r"<td[^>]*>(?:<a [^>]*>)?<small>([A-Z]\d+)</small><br>(.*?)</td>", face.html, re.DOTALL)
    assert found, face.name
    return [f"{name} {' '.join(re.sub(r'<[^>]*>', ' ', rest).split())}" for name, rest in found]


def test_who_leads_and_what_threatens_is_in_both(reports: list[Face]) -> None:
    for face in reports:
        game, view = view_in(face)
        heard = words_of(face)
        for row in game.standings(view).places:
            facts = row.facts
            if row.kind == "province" and not facts["scored"]:
                assert plain(f"{facts['name']} · {facts['full']} point") in heard, (face.name, facts)
                if facts["walls"] and game.outcome(view) is None:
                    counts = ", ".join(f"{wall['colour']} {wall['number']}" for wall in facts["walls"])
                    assert f"{facts['name']}  {facts['full']}: " in face.text, face.name
                    assert re.search(rf"\nUnbroken walls: .*\b{facts['name']} {counts}", face.text), face.name
            elif row.kind == "region" and facts["has_counter"]:
                assert plain(f"{facts['name']} · {facts.get('counter', '?')}") in heard, (face.name, facts)
            elif row.kind == "site":
                site = next(one for one in game.describe(view)["sites"] if one["name"] == facts["name"])
                assert_site_in_both(face, facts, site)
        if face.view["kind"] == "great-wall":
            table = game.describe(view)
            assert f"{table['reserve']} marker" in heard
            for cards in table["hand"] if game.outcome(view) is None else ():
                assert NUMBERED[cards["kind"]] in heard.partition("your hand: ")[2].partition(" in the supply")[0]
                assert NUMBERED[cards["kind"]] in face.text.partition("YOUR CARDS IN HAND")[2].partition("\n\n")[0]


#: a word of each kind of card that its name in one or more has
NUMBERED = {kind: kind[:5] for kind in ("wall", "gate", "watchtower", "guard", "horseman", "noble", "dragon")}


def assert_site_in_both(face: Face, facts: dict[str, Any], site: dict[str, Any]) -> None:
    """A site of Great Wall: its free markers, its cards, what they are worth, and what happens next."""
    heard = words_of(face)
    free = "".join(f" {marker}" for marker in facts["free"])
    beside = rf" {facts['name'].lower()} (free:{free}|closed) (.*?)( s\d (free:|closed) | in the supply)"
    part = re.search(beside, heard)
    assert part is not None, (face.name, facts)
    listed = re.search(rf"^{facts['name']}  .*\n((?:  .*\n)*)", face.text, re.MULTILINE)
    assert listed is not None, (face.name, facts)
    for one in facts["influence"]:
        name = dict(row.split(" ", 1) for row in face.view["seats"])[one["seat"]].lower()
        assert f" {name} {one['number']} " in f" {part[2]} ", (face.name, one)
        assert f"  {one['seat']} {one['number']} = " in listed[1]
    for card in site["cards"]:
        shown = card["kind"].removeprefix("watch")
        marker = f" {card['marker']} marker" if card["marker"] else ""
        under = f" under {card['covered_by']}" if card["covered_by"] else ""
        over = f" over {card['over']}" if card["over"] else ""
        letter = {"grey": "gy"}.get(card["seat"], card["seat"][0])
        assert f"{card['number']} {letter} {card['seat']} {shown}{under}{over}{marker}" in part[2], (face.name, card)
        marked = f", with the marker {card['marker']}" if card["marker"] else ""
        covered = f", covered by {card['covered_by']}" if card["covered_by"] else ""
        assert f"  {card['number']} {card['seat']} {card['kind']}{covered}{over}{marked}\n" in listed[1], face.name
    said = [line for line in face.text.splitlines() if line.startswith(f"{facts['name']}: ")]
    assert bool(said) == bool(facts["free"] and facts["influence"]), (face.name, facts)
    assert all(plain(line.partition(": ")[2]) in part[2] for line in said)
    best = [one["number"] for one in facts["influence"][:2]]
    assert ("nobody is ahead" in part[2]) is (len(best) > 1 and best[0] == best[1]), (face.name, facts)


def test_cards_and_what_pieces_bring_are_in_both(reports: list[Face]) -> None:
    """Found by a reader: own cards, and those that are gone, were only in the text, a double's points only in HTML."""
    found = set[str]()
    for face in (face for face in reports if face.view["kind"] == "chang-cheng"):
        game, view = view_in(face)
        heard, text = words_of(face), plain(face.text)
        table, question = game.describe(view), game.ask(view)
        if game.outcome(view) is not None:
            continue
        for card in [*table["hand"], *table["mine"]]:
            found.add("hand")
            assert card["kind"].replace("-", " ") in heard, (face.name, card)
            assert card["kind"].replace("-", " ") in text, (face.name, card)
        for colour in table["colours"]:
            kinds = [kind.replace("-", " ") for kind in colour["turned_up"]]
            assert ", ".join(kinds) in heard, (face.name, colour)
            found |= {"gone"} & {"gone" for _ in kinds}
        if question is not None and question.kind == "action":
            assert question.hint is not None
            for one in question.hint.facts["doubles"]:
                found.add("double")
                assert f"{one['points']} points on {', '.join(one['squares'])}".lower() in text
                for pair in one["squares"]:
                    left, right = pair.split(" ")
                    shown = right[1:] if left[0] == right[0] else right
                    assert f"{left}–{shown} +{one['points']}".lower() in heard, (face.name, pair)
            for square, kept in question.hint.facts["reserved"].items():
                if kept:
                    found.add("tower")
                    assert f"{square}→{kept}".lower() in heard, (face.name, square)
                    assert re.search(rf"\bon {square} (it is )?{kept}[,.]".lower(), text), (face.name, square)
    assert found in (set(), {"hand", "gone", "double", "tower"})


def test_the_view_file_has_the_standings(reports: list[Face]) -> None:
    for face in reports:
        game, view = view_in(face)
        assert face.view["standings"] == plain_standings(game.standings(view))


def test_pending_orders_are_in_both(reports: list[Face]) -> None:
    for face in reports:
        pending = face.text.partition("YOUR PENDING ORDERS\n")[2].partition("\n\n")[0].splitlines()
        for line in pending[:-1]:
            assert plain(line) in words_of(face), face.name


def test_it_needs_nothing_from_elsewhere(reports: list[Face]) -> None:
    for face in reports:
        assert not read(face.html).tags & {"script", "img", "link", "iframe", "form", "object"}
        assert "url(" not in face.html
        assert "http" not in face.html


def test_a_message_is_small(reports: list[Face]) -> None:
    """Gmail cuts an email at 102 KB."""
    assert max(len(face.html.encode()) for face in reports) <= 64 * 1024
    assert max(len(face.raw) for face in reports) <= 90 * 1024


def test_a_text_is_whole_and_first(reports: list[Face]) -> None:
    for face in reports:
        assert face.raw.index(b"Content-Type: text/plain") < face.raw.index(b"text/html")


def test_the_news_comes_first(reports: list[Face]) -> None:
    """What an email program shows of an email that is not opened: found as "[pbem …] Write your answer above"."""
    for face in reports:
        first: Any = face.text.splitlines()[0]
        assert not first.startswith("[pbem")
        assert plain(first) in words_of(face)[:400], face.name


def test_hidden_points_are_added_up_nowhere(faces_of: Callable[[str], list[Face]]) -> None:
    """GW-33: the markers that others won are counted, not added up, and nobody leads before the end."""
    reports = [face for face in faces_of("great-wall") if face.view]
    before_end = [face for face in reports if "THE GAME IS OVER" not in face.text]
    assert before_end
    for face in before_end:
        own = face.view["seat"]
        rows = face.view["standings"]["seats"]
        assert not [row["seat"] for row in rows if row["seat"] != own and ("points" in row or row["leads"])]
        scores = face.text.partition("SCORES: ")[2].partition("\n")[0]
        others = [score for score in scores.split("; ") if ", you)" not in score]
        assert len(others) == len(rows) - 1
        assert not [score for score in others if re.search(r"\): -?\d+$", score)], scores
        assert all("): secret, " in score for score in others), scores
        assert plain("Other players' points are secret until the end") in words_of(face)
        assert not re.search(r"\blead(s|ing)?\b", f"{face.subject}\n{face.text}\n{face.html}")
