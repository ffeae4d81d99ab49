"""Suggestions: adds the next points of a TPE sweep as variants, when there is room for their runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from rl_lab.core.studies.outcomes import awaits_points
from rl_lab.core.studies.studies import Study, Variant, VariantStatus
from rl_lab.core.words.variant_labels import variant_label
from rl_lab.orchestrator.experiments.plans import Plans
from rl_lab.orchestrator.experiments.sampling import Sampler
from rl_lab.orchestrator.experiments.tpe_sampler import TpeSampler
from rl_lab.store.experiments import variants
from rl_lab.store.sql.database import Database

OPEN = (VariantStatus.waiting, VariantStatus.running)


class Suggestions:
    def __init__(self, db: Database, plans: Plans, training_slots: Callable[[], int]) -> None:
        self._db = db
        self._plans = plans
        self._training_slots = training_slots
        self.sampler: Sampler = TpeSampler()
        self.exhausted: set[str] = set()
        """Studies whose sampler has no other point; after a restart it is asked again."""

    async def extend(self, study: Study, found: Sequence[Variant]) -> list[Variant]:
        """The variants with those that were added: one after the other, each knows the ones before.

        A point is asked for as late as possible, when the runs of the study do not fill the slots: the more results
        TPE has seen, the better it suggests.
        """
        extended = list(found)
        while self._has_room(study, extended) and awaits_points(study, extended):
            settings = await asyncio.to_thread(self.sampler.suggest, study, extended)
            if settings is None:
                self.exhausted.add(study.id)
                break
            await self._plans.complete(study.plan, settings)  # refused before it is written
            extended.append(await self._insert(study, len(extended) + 1, settings))
        return extended

    def _has_room(self, study: Study, extended: Sequence[Variant]) -> bool:
        begun = study.counts.queued + study.counts.running
        to_come = sum(len(variant.seeds) - variant.created for variant in extended if variant.status in OPEN)
        return begun + to_come < max(1, self._training_slots())

    async def _insert(self, study: Study, number: int, settings: dict[str, object]) -> Variant:
        new = Variant(
            study_id=study.id,
            number=number,
            label=variant_label(settings),
            settings=settings,
            seeds=study.plan.seeds,
        )
        await self._db.write(lambda conn: variants.insert_all(conn, [new]))
        return new
