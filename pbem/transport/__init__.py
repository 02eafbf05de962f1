"""The post: accounts, mailboxes, the way of a mail from a server into a game, and out of a desk.

What must never be here: what a mail says, whose it is, a change of a game. Nothing of it is loaded
by a command that plays or looks at a game. Source: docs/decisions/0014-the-post.md.
"""
