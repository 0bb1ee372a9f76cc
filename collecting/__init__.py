"""Asking systems step by step: what to ask next, what was answered, and what became of it. Nothing is sent.

controllers/        arms as state machines without input or output: `request`, `give`, and a record that
                    replays itself
roots, chance       the roots of a cohort as an arm sees them, and what is drawn for each
sheets, talks       the tasks of an arm over a cohort, or its dialogues, and how their requests are worded
answers             what a report chose, to the letter
construction        all runs of a sheet, round by round, and the same in a folder (`construction_files`)
scripts             systems that follow a script
filed, unfiled      records as trees of JSON and back, and files of them (`record_files`)
native              whole answers, from reports or records
judged              runs held against the right answers, for `scoring.retention`
doors               the functions that commands and `worldgen` call
"""
