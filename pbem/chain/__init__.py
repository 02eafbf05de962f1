"""The signed states and what stands in them: bytes, keys, people, rulings, positions.

What lives here: the document of one state, and the reading of it after its signature was checked.
What must never be here: orders that wait; what anybody is told.
"""
