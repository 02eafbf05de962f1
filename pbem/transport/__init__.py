"""Email accounts and mailboxes: how email gets from a server into a game, and from an outbox to a server.

Not allowed here: what an email says; a change of a game. Commands that play or show a game do
not load this. Source: docs/decisions/0014-the-post.md.
"""
