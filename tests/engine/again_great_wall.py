"""Great Wall written down a second time, from the rulings alone, as plainly as can be.

What lives here: Again, the rules without secrets, words or speed. Not allowed here: anything
of pbem. Both are played side by side (test_again_great_wall.py); where they differ one is wrong.
"""

from typing import Any

WORTH = {"wall": 1, "gate": 2, "watchtower": 3, "horseman": 2, "noble": 1, "dragon": 1}  # GW-1
SITES = {2: 2, 3: 3, 4: 4, 5: 4}  # GW-2


class Again:
    """A game in which everything lies open."""

    def __init__(self, seats: list[str], decks: dict[str, list[str]], reserve: list[int]) -> None:
        self.seats, self.reserve = seats, list(reserve)
        self.hands = {seat: decks[seat][:5] for seat in seats}
        self.decks = {seat: decks[seat][5:] for seat in seats}
        self.won: dict[str, list[int]] = {seat: [] for seat in seats}
        self.sites = [self.new_site() for _ in range(SITES[len(seats)])]
        self.turn, self.action, self.taking = 0, 1, -1
        self.caller, self.final, self.ended_by = -1, False, ""

    @property
    def seat(self) -> str:
        """Whose turn it is."""
        return self.seats[self.turn]

    def new_site(self) -> dict[str, Any] | None:
        """GW-2, GW-3."""
        while self.reserve:
            one, other, *self.reserve = self.reserve
            if one != other or len(self.seats) > 2:
                return {"free": [one, other], "cards": [], "on": 0, "marker": 0}
        return None

    def in_play(self, site: dict[str, Any]) -> dict[int, tuple[str, str]]:
        """Cards that no dragon covers, by number (GW-25)."""
        covered = {over for _, _, over in site["cards"]}
        cards = enumerate(site["cards"], 1)
        return {i: (who, kind) for i, (who, kind, _) in cards if i not in covered}

    def influence(self, site: dict[str, Any]) -> dict[str, int]:
        """GW-10, GW-12, GW-23, GW-24."""
        cards = self.in_play(site)
        found = {}
        for seat in {who for who, _ in cards.values()}:
            kinds = [kind for who, kind in cards.values() if who == seat]
            guards = kinds.count("guard")
            found[seat] = sum(WORTH.get(kind, 0) for kind in kinds) + guards * (guards + 1) // 2
            if "noble" in (kind for _, kind in cards.values()):
                found[seat] = len(kinds)
        if site["on"]:
            found[cards[site["on"]][0]] -= site["marker"]
        return found

    def examine(self, first: int) -> None:
        """GW-10 to GW-14, from one site on."""
        self.taking = -1
        for number, site in enumerate(self.sites):
            if number < first or site is None:
                continue
            found = self.influence(site)
            others = [value for seat, value in found.items() if seat != self.seat]
            if self.seat not in found or (others and max(others) >= found[self.seat]):
                continue
            if not site["on"]:
                self.taking = number
                return
            self.won[self.seat] += site["free"]
            self.won[site["cards"][site["on"] - 1][0]].append(site["marker"])
            self.sites[number] = self.new_site()
            if not any(self.sites):
                self.ended_by = "GW-30"
                return
        self.action = 1
        if self.final:
            self.next_turn()

    def next_turn(self) -> None:
        """GW-4, GW-31."""
        if self.caller < 0 and not self.hands[self.seat] + self.decks[self.seat]:
            self.caller = self.turn
        self.turn = (self.turn + 1) % len(self.seats)
        if self.turn == self.caller:
            self.ended_by = "GW-31" if self.final else ""
            self.final = True
        if not self.ended_by:
            self.examine(0)

    def legal(self) -> set[str]:
        """Every order of the seat whose turn it is."""
        if self.ended_by:
            return set()
        if self.taking >= 0:
            return self._takes(self.sites[self.taking] or {})
        lines = {"draw"} if self.decks[self.seat] else set()
        for number, site in enumerate(self.sites, 1):
            if site is not None:
                lines |= self._plays(f"S{number}", site)
        return lines

    def _takes(self, site: dict[str, Any]) -> set[str]:
        """GW-11, GW-26."""
        own = [i for i, (who, _) in self.in_play(site).items() if who == self.seat]
        return {f"take S{self.taking + 1} {m} on {i}" for m in site["free"] for i in own}

    def _plays(self, name: str, site: dict[str, Any]) -> set[str]:
        """GW-20, GW-21, GW-25."""
        hand = self.hands[self.seat]
        lines = {
            " ".join(["play", name] + [kind] * number) for kind in hand for number in range(1, hand.count(kind) + 1)
        }
        if "horseman" in hand:
            lines.add(f"horseman {name}")
        if "dragon" in hand:
            for i, (_, kind) in self.in_play(site).items():
                if kind != "dragon" and i != site["on"]:
                    lines.add(f"play {name} dragon over {i}")
        return lines

    def give(self, line: str) -> None:
        """Carry out a legal order, and what follows from it."""
        word, *parts = line.split()
        if word == "take":
            self._take(int(parts[1]), int(parts[3]))
            return
        if word == "draw":
            self.hands[self.seat].append(self.decks[self.seat].pop(0))
        else:
            self._lay(int(parts[0][1]) - 1, parts[1:] or ["horseman"])
        if word != "horseman":
            if self.action == 2:
                self.next_turn()
                return
            self.action = 2
        if not self.hands[self.seat] + self.decks[self.seat]:  # GW-22
            self.next_turn()

    def _take(self, marker: int, card: int) -> None:
        site = self.sites[self.taking] or {}
        site["free"].remove(marker)
        site["on"], site["marker"] = card, marker
        self.examine(self.taking + 1)

    def _lay(self, number: int, words: list[str]) -> None:
        over = int(words[2]) if "over" in words else 0
        for kind in ["dragon"] if over else words:
            self.hands[self.seat].remove(kind)
            (self.sites[number] or {})["cards"].append((self.seat, kind, over))
