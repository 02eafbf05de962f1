"""An email leaves by one way: the post room. Source: pbem/services/outbox.py; P8."""

import ast
from pathlib import Path

from . import tree

FILES = tree.each(tree.modules())

# What makes an email, and who alone may know it.
COMPOSING = {"pbem.mail.compose": "pbem.services.outbox"}
COMPOSES_NOTHING = {
    "pbem.mail.compose.format_mail_date",
    "pbem.mail.compose.ADDRESS",
    "pbem.mail.compose.MESSAGE_ID",
    "pbem.mail.compose.MONTHS",
    "pbem.mail.compose.UNSENT_HEADER",
    "pbem.mail.compose.format_date_in_prose",
    "pbem.mail.compose.due_in_prose",
}
# A method of the desk, and who alone may call it.
METHODS = {"put_outbox": ("pbem.services.outbox", "pbem.disk.folder")}  # the desk: what was staged


@FILES
def test_the_post_room_alone_composes(path: Path) -> None:
    here = tree.dotted(path)
    for line, module in tree.imports(path):
        for made, by in COMPOSING.items() if module not in COMPOSES_NOTHING else ():
            known = module == made or module.startswith(f"{made}.")
            assert not known or here == by, f"{path}:{line}: {here} must not compose an email"


@FILES
def test_the_post_room_alone_writes_into_the_outbox(path: Path) -> None:
    here = tree.dotted(path)
    for node in ast.walk(tree.parsed(path)):
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            assert here in METHODS[node.attr], f"{path}:{node.lineno}: {here} uses {node.attr}"
