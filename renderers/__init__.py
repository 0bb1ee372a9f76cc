"""A renderer is a codec: templates compile to plans that render batches and read them back.

Words, stated once. An *item* is a literal, a column (texts tabulated over the codes of its variables) or a
slot (a variable whose texts are too many to tabulate). A *leaf* is a straight line of items and becomes one
JSON string. A *plan* is a JSON tree of leaves, laid out as one line over the whole *payload*. Rows are
counted by `n`, segments of a line by `S`.
"""
