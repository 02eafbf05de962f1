"""The commands `pbem amend`, `restore` and `adopt`, and the consent of players to an undo.

Not allowed here: what a ruling means (pbem/chain/rulings).
"""
