"""The roots of a cohort as an arm sees them: the public side, and what else it must know."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from worldgen.catalog import worlds as shipped
from worldgen.cohort.cohorts import Cohort, Stratum
from worldgen.cohort.manifests import CohortError
from worldgen.cohort.variants import BY_NAME, CHARACTER
from worldgen.cohort.wording import labels_of, word
from worldgen.emission.folder import CohortFolder, read_spec_of
from worldgen.exact.errors import WorldgenError
from worldgen.exact.places import Place
from worldgen.spec.cohorts import cohort_of
from worldgen.spec.reading import read_candidates
from worldgen.worlds.candidate_models import COPYING
from worldgen.worlds.candidates import GOLD, INVENTORY, SUPPLIED, CandidateWorld

_SPEC = "keep evaluator/ beside public/, or name the file of the world"


class SheetError(WorldgenError):
    """A cohort about which an arm cannot ask."""


@dataclass(frozen=True)
class Root:
    """A root: its stratum, whose world is one of candidates, and the texts that it shows, by variable."""

    root_id: str
    stratum: Stratum
    shown: Mapping[str, str]

    @property
    def world(self) -> CandidateWorld:
        """The world of its stratum."""
        assert isinstance(self.stratum.world, CandidateWorld), "looked at when the roots were read"
        return self.stratum.world

    @property
    def candidates(self) -> tuple[str, ...]:
        """The candidates in the order in which they are shown."""
        return tuple(self.shown[one.name] for one in self.world.candidates)

    @property
    def texts(self) -> tuple[str, ...]:
        """What it shows, in the order of its view."""
        return tuple(self.shown.values())

    @property
    def copied(self) -> str | None:
        """The string that it shows to be copied, None where it shows none."""
        return self.shown[SUPPLIED] if self.world.seen in COPYING else None

    def through(self, view: str, supplied: str | None = None) -> "Root":
        """The root seen through another view, which may show a string that this one does not.

        Raises SheetError where the world has no such view, or this one does not show as much.
        """
        world = self.world
        if view not in world.views:
            raise SheetError(f"{world.name} has no view {view}", remedy="add it to the views of the world")
        other = world.through(view)
        texts = dict(self.shown) | ({} if supplied is None else {SUPPLIED: supplied})
        lacking = [one.name for one in other.view.shown if one.name not in texts]
        if lacking:
            raise SheetError(
                f"the view {world.seen} of {world.name} does not show {lacking[0]}, which the arm asks about",
                remedy=f"emit the cohort with --view {view}",
            )
        stratum = Stratum(self.stratum.name, other, self.stratum.encoding)
        return Root(self.root_id, stratum, {one.name: texts[one.name] for one in other.view.shown})


@dataclass(frozen=True)
class Roots:
    """The roots of a cohort by id, with the cohort that says how they are asked about."""

    folder: CohortFolder
    cohort: Cohort
    by_id: Mapping[str, Root]

    @cached_property
    def gold(self) -> Mapping[str, str]:
        """The right answer to each root, from the evaluator's side. Raises SheetError without it."""
        try:
            rows = self.folder.table("geometry", ["root_id", "gold"]).to_pylist()
        except CohortError as error:
            raise SheetError(
                "the right answer is needed, which only the evaluator's side has",
                remedy="keep evaluator/ beside public/, or take neither an arm that shows it nor a script",
            ) from error
        return {row["root_id"]: row[GOLD] for row in rows}

    @cached_property
    def _offered(self) -> Mapping[str, str]:
        """The characters of the first request of each root that offers all that a position may have."""
        found: dict[str, str] = {}
        for row in self.folder.table("requests", ["root_id", "variant", "options", "eligible"]).to_pylist():
            variant = BY_NAME[row["variant"]]
            full = variant.support == "full" and variant.asks == CHARACTER
            plain = full and variant.order == "canonical" and all(len(one) == 1 for one in row["options"])
            if row["eligible"] and plain:
                found.setdefault(row["root_id"], "".join(row["options"]))
        return found

    @cached_property
    def _hidden(self) -> Mapping[str, str]:
        """The same from the evaluator's side; nothing where that is not here."""
        places = {one["name"]: one["hidden"].index(INVENTORY) for one in self.folder.manifest["strata"]}
        try:
            rows = self.folder.table("truth", ["root_id", "hidden"]).to_pylist()
        except CohortError:
            return {}
        strata = {name: root.stratum.name for name, root in self.by_id.items()}
        return {row["root_id"]: row["hidden"][places[strata[row["root_id"]]]] for row in rows}

    def inventory(self, root: Root) -> str:
        """The characters that a position of a root may have, in canonical order.

        Raises SheetError where neither side says.
        """
        task = root.world.model.task
        if task.symbols == len(task.alphabet):
            return task.alphabet
        found = self._offered.get(root.root_id) or self._hidden.get(root.root_id)
        if found is None:
            raise SheetError(
                f"nothing says which characters a position of {root.root_id} may have",
                remedy="emit the cohort with at-1 among its variants, or keep evaluator/ beside public/",
            )
        return found


def roots_of(folder: CohortFolder, spec: str = "") -> Roots:
    """The roots of a cohort of worlds of candidates.

    How they are worded says the spec on the evaluator's side; without that, the world that ships under its
    name, or the file `spec`. Raises SheetError where the cohort has other worlds, or is worded otherwise.
    """
    cohort = _cohort(folder, spec)
    strata = {one.name: one for one in cohort.strata}
    found = {}
    for row in folder.table("roots", ["root_id", "stratum", "visible"]).to_pylist():
        stratum = strata.get(row["stratum"])
        if stratum is None:
            raise SheetError(f"the spec has no stratum {row['stratum']}", remedy=_SPEC)
        if not isinstance(stratum.world, CandidateWorld):
            raise SheetError(
                f"{stratum.world.name} has no candidates to construct", remedy="emit a world of candidates"
            )
        names = [one.name for one in stratum.world.view.shown]
        found[row["root_id"]] = Root(row["root_id"], stratum, dict(zip(names, row["visible"], strict=True)))
    roots = Roots(folder, cohort, found)
    _alike(roots)
    return roots


def _cohort(folder: CohortFolder, spec: str) -> Cohort:
    """The cohort as its spec says it, in the evaluator's words or put together from what is public."""
    if not spec and (folder.root / "evaluator" / "spec" / "cohort.json").is_file():
        return _written(folder.root, folder.manifest["spec_digest"])
    strata = folder.manifest["strata"]
    names = {one["world"] for one in strata}
    name = spec or (names.pop() if len(names) == 1 else "")
    if not spec and name not in shipped():
        raise SheetError("nothing says how the requests of the cohort are worded", remedy=_SPEC)
    world = read_candidates(name).through(strata[0]["view"])
    (first,) = folder.table("requests", ["wire"]).slice(0, 1).to_pylist()
    return cohort_of(world, wire=first["wire"])


@lru_cache(maxsize=4)
def _written(folder: Place, digest: str) -> Cohort:
    """The cohort of a spec, read once: it is the same as long as its digest is."""
    del digest
    return read_spec_of(folder)


def _alike(roots: Roots) -> None:
    """Refuse a spec that words the first plain request of the cohort in another way than the cohort does."""
    columns = ["root_id", "variant", "payload", "options"]
    for row in roots.folder.table("requests", columns).slice(0, 256).to_pylist():
        if row["variant"] == "canonical" and row["payload"] is not None:
            root = roots.by_id[row["root_id"]]
            labels = labels_of(roots.cohort.wire, len(row["options"]))
            options = tuple(zip(labels, row["options"], strict=True))
            said = word(roots.cohort, root.stratum, root.texts, options)
            if said.payload != row["payload"]:
                raise SheetError("the spec words requests in another way than the cohort does", remedy=_SPEC)
            return
