"""Orders in plain words: what an email mentions, as orders that its player may give now.

`meant.py` is the door. What words are stands in ``files/language``; what is taken, in
``moderator/turn``. What must never be here: the emails themselves, keys, sentences of a receipt.
"""
