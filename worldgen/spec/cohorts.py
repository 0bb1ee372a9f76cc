"""Cohorts in specs: their strata name worlds that ship, that stand in other files, or that stand inline."""

from collections.abc import Collection, Sequence
from pathlib import Path

from worldgen import catalog
from worldgen.cohort.checks import CohortDraft, StratumDraft, cohort_faults
from worldgen.cohort.cohorts import Cohort, Stratum
from worldgen.cohort.variants import BY_NAME, CHARACTER, VARIANTS, refusal
from worldgen.exact.errors import DomainError
from worldgen.faults import SpecError
from worldgen.names import nearest
from worldgen.relations.declared import relations_among
from worldgen.spec.admission import admission
from worldgen.spec.families import READERS, world_at
from worldgen.spec.fields import Fields
from worldgen.spec.files import is_path, open_spec
from worldgen.spec.nodes import Mapping_, Node
from worldgen.spec.numbers import whole
from worldgen.spec.relations import relations
from worldgen.worlds.base import World
from worldgen.worlds.candidates import CandidateWorld
from worldgen.worlds.cells import CellWorld

KIND = "cohort"
_REQUIRED = ("kind", "name", "strata", "variants", "relations")
_OPTIONAL = ("title", "wire", "model", "roots", "pool", "quota", "exclude", "worlds")

POOL = 1000
DEFAULT_VARIANTS = ("canonical", "event", "complement")
CANDIDATE_VARIANTS = ("canonical", *(one.name for one in VARIANTS if one.asks == CHARACTER))


def cohort(fields: Fields, node: Node) -> Cohort | None:
    """The cohort at a node, or None with every fault noted, those of its worlds among them."""
    found = fields.keys(node, _REQUIRED, _OPTIONAL)
    if found is None:
        return None
    worlds = _Worlds(fields, found.get("worlds"))
    strata = fields.items(found.get("strata"), "list {world: NAME, encoding: NAME}, one for each stratum")
    draft = CohortDraft(
        name=fields.text(found.get("name")),
        strata=None if strata is None else [_stratum(fields, item, worlds) for item in strata],
        variants=fields.texts(found.get("variants")),
        relations=relations(fields, found.get("relations")),
        wire=fields.text(found["wire"]) if "wire" in found else Cohort.wire,
        model=fields.text(found["model"]) if "model" in found else Cohort.model,
        roots=whole(fields, found["roots"], 1) if "roots" in found else Cohort.roots,
        title=fields.text(found["title"]) if "title" in found else Cohort.title,
        admission=admission(fields, found.get("quota"), found.get("exclude")),
        pool=whole(fields, found["pool"], 0) if "pool" in found else Cohort.pool,
    )
    worlds.read_all()
    fields.check(node, cohort_faults(draft))
    return _built(draft) if not fields.faults else None


class _Worlds:
    """The worlds that a cohort spec names, each read once."""

    def __init__(self, fields: Fields, node: Node | None) -> None:
        self.fields = fields
        self.named = fields.pairs(node, "write {NAME: world, or the path of one}") or {}
        self.read: dict[str | Path, World | None] = {}

    def world(self, node: Node | None) -> World | None:
        """The world of a name or path at a node."""
        text = self.fields.text(node, "name a world, or give the path of one that ends in .yaml")
        if node is None or text is None:
            return None
        if text in self.named:
            return self._named(text)
        if is_path(text):
            return self._file(node, text)
        if text not in catalog.worlds():
            remedy = nearest(text, (*self.named, *catalog.worlds()))
            remedy += " (for a file, give its path, ending in .yaml, .yml or .json)"
            self.fields.fault(node, f"there is no world '{text}'", remedy)
            return None
        return self._load(catalog.worlds()[text])

    def read_all(self) -> None:
        """Read the named worlds that no stratum used, so that their faults are found as well."""
        for name in self.named:
            self._named(name)

    def _named(self, name: str) -> World | None:
        if name not in self.read:
            key, node = self.named[name]
            world: World | None
            if isinstance(node, Mapping_):
                world = world_at(self.fields, node)
            else:
                text = self.fields.text(node, "write a world, or the path of one")
                world = None if text is None else self._file(node, text)
            if world is not None and world.name != name:
                self.fields.fault(
                    key, f"the world is named '{world.name}'", "give it one name in both places"
                )
            self.read[name] = world
        return self.read[name]

    def _file(self, node: Node, text: str) -> World | None:
        path = self.fields.beside(node, text, "write the world under 'worlds:'")
        if path is None:
            return None
        try:
            exists = path.exists()
        except (OSError, ValueError):
            exists = False
        if not exists:
            self.fields.fault(
                node, f"there is no file {path}", "check the path; it starts from this file's folder"
            )
            return None
        return self._load(path)

    def _load(self, path: Path) -> World | None:
        key = path.resolve()
        if key not in self.read:
            self.read[key] = None
            try:
                fields, root = open_spec(path, tuple(READERS), self.fields.prove)
            except SpecError as error:
                self.fields.faults.extend(error.faults)
                return None
            self.read[key] = world_at(fields, root)
            self.fields.faults.extend(fields.faults)
        return self.read[key]


def _stratum(fields: Fields, node: Node, worlds: _Worlds) -> StratumDraft | None:
    found = fields.keys(node, ("world", "encoding"), ("name", "view"))
    if found is None:
        return None
    world, encoding = worlds.world(found.get("world")), fields.text(found.get("encoding"))
    if world is not None and "view" in found:
        world = _through(fields, world, found["view"])
    name: str | None = None
    if "name" in found:
        name = fields.text(found["name"])
    elif world is not None and encoding is not None:
        name = stratum_name(world, encoding)
    return StratumDraft(name, world, encoding)


def _through(fields: Fields, world: World, node: Node) -> World | None:
    """The world through the view that a node names."""
    view = fields.text(node, "name a view of the world")
    if view is None:
        return None
    try:
        return world.through(view)
    except DomainError as error:
        fields.fault(node, error.message, error.remedy)
        return None


def stratum_name(world: World, encoding: str) -> str:
    """The name of a stratum that is given none: world, view where there are several, encoding."""
    return ".".join((world.name, *(world.view.name for _ in world.views[1:2]), encoding))


def _built(draft: CohortDraft) -> Cohort:
    strata = [
        Stratum(one.name, one.world, one.encoding)
        for one in draft.strata or ()
        if one is not None and one.name is not None and one.world is not None and one.encoding is not None
    ]
    return Cohort(
        name=draft.name or "",
        strata=tuple(strata),
        variants=tuple(name for name in draft.variants or () if name is not None),
        relations=tuple(one for one in draft.relations or () if one is not None),
        wire=draft.wire or "",
        model=draft.model or "",
        roots=draft.roots or 0,
        title=draft.title or "",
        admission=draft.admission,
        pool=draft.pool or 0,
    )


def cohort_of(
    world: World,
    variants: Sequence[str] | None = None,
    roots: int = Cohort.roots,
    *,
    wire: str = Cohort.wire,
) -> Cohort:
    """A bare world as a cohort: one stratum per encoding, every relation whose claims are all there.

    By default the variants are those of canonical, event and complement whose events the world defines; a
    world with views is asked about as a case, if it has two classes; a world of candidates is asked which of
    them, and for the characters at which they differ. There is a pool of 1,000 cases for a world with views
    of factors, and wherever cases are demonstrated. Raises SpecError for variants that are unknown or that
    the world cannot ask on the wire.

    >>> from worldgen.spec import read_world
    >>> cohort_of(read_world("noisy-sensor")).relations
    ('complement', 'coarsening')
    """
    viewed = not isinstance(world, CellWorld | CandidateWorld)
    if variants is None and isinstance(world, CandidateWorld):
        variants = [
            name
            for name in CANDIDATE_VARIANTS
            if not any(refusal(BY_NAME[name], wire, world, one) for one in world.encodings)
        ]
    elif variants is None:
        wanted = [BY_NAME[name] for name in DEFAULT_VARIANTS]
        variants = [one.name for one in wanted if all(event in world.events for event in one.events)]
        if viewed and not any(refusal(BY_NAME["case"], wire, world, one) for one in world.encodings):
            variants = ["case"]
    among = tuple(relation.name for relation in relations_among(variants))
    strata = [Stratum(stratum_name(world, encoding), world, encoding) for encoding in world.encodings]
    demonstrated = any(BY_NAME[name].demonstrations for name in variants if name in BY_NAME)
    pool = POOL if viewed or demonstrated else Cohort.pool
    return Cohort(world.name, tuple(strata), tuple(variants), among, wire, roots=roots, pool=pool)


def as_cohort(spec: World | Cohort) -> Cohort:
    """A cohort as it is, a bare world as `cohort_of` makes one of it."""
    return spec if isinstance(spec, Cohort) else cohort_of(spec)


def narrowed(
    spec: World | Cohort,
    *,
    strata: Sequence[str] = (),
    variants: Sequence[str] = (),
    wire: str = "",
    excluded: Collection[str] = (),
) -> Cohort:
    """A part of a cohort as `Cohort.only` takes it, or a bare world asked in any variants that it supports.

    What is empty narrows nothing. Raises SpecError.

    >>> from worldgen.spec import read_world
    >>> narrowed(read_world("noisy-sensor"), variants=["query-b"], strata=["*.joined-tables"]).variants
    ('query-b',)
    """
    if not isinstance(spec, Cohort):
        spec = cohort_of(spec, variants or None, wire=wire or Cohort.wire)
    return spec.only(strata=strata or None, variants=variants or None, wire=wire or None, excluded=excluded)
