"""What is inside a checkpoint, and how two differ; computed by a worker, which ends with the client that asked."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from rl_lab.api.deps import ClientDep, ModelsDep
from rl_lab.api.routes.models.checkpoints import CheckpointId
from rl_lab.core.models.differences import CheckpointDifference
from rl_lab.core.models.inspections import Inspection, InspectionPart

router = APIRouter(prefix="/api/checkpoints", tags=["models"])


@router.get("/{checkpoint_id}/inspection", operation_id="inspect_checkpoint")
async def inspect_checkpoint(
    checkpoint_id: CheckpointId,
    models: ModelsDep,
    client: ClientDep,
    part: Annotated[
        InspectionPart,
        Query(
            description="weights: histograms by layer. activations: of freshly played states. gradients: of the "
            "algorithm's own loss on freshly played steps. loss_surface: that loss around the weights."
        ),
    ] = "weights",
) -> Inspection:
    """Looks into a checkpoint; the answer is remembered, so asking again is fast."""
    return await client.waits_for(models.inspections.inspect(checkpoint_id, part))


@router.get("/{checkpoint_id}/difference/{other_id}", operation_id="compare_checkpoints")
async def compare_checkpoints(
    checkpoint_id: CheckpointId, other_id: CheckpointId, models: ModelsDep, client: ClientDep
) -> CheckpointDifference:
    """Configuration and weights of two checkpoints, side by side: the other one minus this one."""
    return await client.waits_for(models.inspections.compare(checkpoint_id, other_id))
