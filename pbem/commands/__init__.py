"""The commands, one file each: options to bytes, one call into a service, and a Result.

What must never be here: a rule, a ``print``, an import that one command needs and another does not.
"""
