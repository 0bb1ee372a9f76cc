"""Scores of any system's answers against the exact truth, in fractions from the text to the total.

Files become reports (`report_files`), reports meet the tables of a cohort (`tables`), of each asking one
attempt counts (`attempts`), a strict reader turns it into masses or one reason (`reader`), what became of
every request is counted (`accounting`, `views`), and from there everything is arithmetic: `accuracy`,
`decisions`, relations, and their means over strata (`summary`). Nothing here opens a cohort folder, and
nothing is repaired: what does not fit is counted under its reason.
"""
