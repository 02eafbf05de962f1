"""The commands: options to bytes, one call into a service, and a Result. Kin share a room.

What must never be here: a rule, a ``print``, an import that one command needs and another does not.
"""
