"""What became of a message to a player: its mark, which is the folder that it lies in.

What lives here: the marks. What must never be here: sending; the moving (desk.py).
Law: a message has one mark at any moment, also after a kill: a mark changes by one rename.
Source: docs/DESIGN.md "One game's folder"; FORMAT.md "Marks of a message".
"""

from enum import Enum


class Mark(Enum):
    """The value is the name of the folder, in desk/."""

    WAITING = "outbox"  #: it is to be sent
    SENDING = "sending"  #: sending it has begun; after a kill, it may have gone or not
    SENT = "sent"  #: the post has it
    FAILED = "failed"  #: the post will not take it
