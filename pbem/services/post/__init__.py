"""The post room: what players are sent, and what became of each message.

What must never be here: what a message says (the templates, pbem/moderator/report).
"""
