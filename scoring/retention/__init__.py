"""Retention between ways of asking: joint tables, outcomes, fidelity, trajectories, exact intervals.

Statistics stand alone: `joint`, `binomial`, `paired`, `retained`, `outcomes`, `fidelity`, `projection`,
`confidence`, `reliability`, `trajectories`. `runs` holds what they are about; `pairing`, `tables`,
`settings`, `contrasts`, `interactions`, `outputs`, `strings` and `dialogues` make rows of them, `assembled`
puts all tables together, `layout` declares their columns, and `shown` writes them for people.
"""
