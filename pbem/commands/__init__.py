"""The commands, one module each: they read options, call a service, and return a Result.

Not allowed here: a rule; a ``print``; an import that one command needs and another does not.
"""
