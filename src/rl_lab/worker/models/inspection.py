"""Worker calls that look into checkpoints: one part of an inspection, and the difference of two."""

from __future__ import annotations

from typing import Any

import numpy as np

from rl_lab.core.job_file import PolicyInput
from rl_lab.core.models.differences import ShapeDifference, TensorDifference
from rl_lab.core.models.inspections import ExperienceBatch, Inspection, LossInfo
from rl_lab.worker.models.experience import play
from rl_lab.worker.models.inspected_model import Array, Experience, InspectedModel, open_model
from rl_lab.worker.models.loss_surface import slice_of
from rl_lab.worker.models.tensor_statistics import describe_activations, describe_gradient, describe_weights
from rl_lab.worker.policies import seed_sampling


def inspect_checkpoint(given: dict[str, Any]) -> dict[str, Any]:
    """`policy` is a PolicyInput, `part` an InspectionPart; returns the fields of an Inspection."""
    policy, part = PolicyInput.model_validate(given["policy"]), given["part"]
    model = open_model(policy)
    found: dict[str, Any] = {"parameters": sum(tensor.size for tensor in model.tensors().values())}
    if part == "weights":
        found["weights"] = [describe_weights(name, tensor) for name, tensor in model.tensors().items()]
    else:
        found |= _with_experience(model, policy, part)
    about = {"checkpoint_id": given["checkpoint_id"], "run_id": policy.run_id, "sha256": policy.sha256 or ""}
    return Inspection(**about, part=part, **found).model_dump(mode="json")


def _with_experience(model: InspectedModel, policy: PolicyInput, part: str) -> dict[str, Any]:
    seed_sampling(policy.config.start_seed)
    experience = play(model, policy.config)
    batch = model.prepare(experience)
    about = {"batch": _describe(experience, policy, model)}
    if part == "activations":
        return {**about, "activations": [describe_activations(one) for one in model.layer_outputs(batch)]}
    terms = model.losses(batch)
    loss = LossInfo(name=model.loss_name, value=sum(terms.values()), terms=dict(terms))
    if part == "gradients":
        tensors, gradients = model.tensors(), model.gradients(batch)
        layers = [describe_gradient(name, gradients[name], tensors[name]) for name in gradients]
        return {**about, "loss": loss, "gradients": layers}
    return {**about, "loss": loss, "loss_surface": slice_of(model, batch)}


def _describe(experience: Experience, policy: PolicyInput, model: InspectedModel) -> ExperienceBatch:
    return ExperienceBatch(
        env_id=policy.config.env_id,
        steps=len(experience),
        episodes=int(experience.ended.sum()),
        seed=policy.config.start_seed,
        policy=model.exploration,
    )


def compare_weights(given: dict[str, Any]) -> dict[str, Any]:
    """`first` and `second` are PolicyInputs; returns TensorDifferences and ShapeDifferences."""
    first, second = (
        open_model(PolicyInput.model_validate(given[side])).tensors() for side in ("first", "second")
    )
    both = [name for name in first if name in second and first[name].shape == second[name].shape]
    tensors = [_compare(name, first[name], second[name]) for name in both]
    names = [name for name in dict.fromkeys([*first, *second]) if name not in both]
    shapes = [
        ShapeDifference(name=name, first=_shape_of(first.get(name)), second=_shape_of(second.get(name)))
        for name in names
    ]
    return {
        "tensors": [one.model_dump(mode="json") for one in tensors],
        "shapes": [one.model_dump(mode="json") for one in shapes],
    }


def _shape_of(tensor: Array | None) -> list[int] | None:
    return None if tensor is None else list(tensor.shape)


def _compare(name: str, first: Array, second: Array) -> TensorDifference:
    a, b = first.astype(np.float64).ravel(), second.astype(np.float64).ravel()
    moved = b - a
    lengths = float(np.linalg.norm(a)), float(np.linalg.norm(b))
    norm, both = float(np.linalg.norm(moved)), lengths[0] * lengths[1]
    return TensorDifference(
        name=name,
        shape=list(first.shape),
        norm=norm,
        relative=norm / lengths[0] if lengths[0] else None,
        maximum=float(np.abs(moved).max()) if moved.size else 0.0,
        cosine=float(np.clip(a @ b / both, -1, 1)) if both else None,
    )
