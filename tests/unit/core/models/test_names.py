"""Names of models and labels: words that commands and addresses understand are refused."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from rl_lab.core.disk.artifacts import ArtifactPatch
from rl_lab.core.models.models import ModelPatch, NewModel, VersionPatch
from rl_lab.core.run_ids import is_run_id, new_run_id


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("import", "commands and addresses"),
        ("Compare", "commands and addresses"),
        ("named", "commands and addresses"),
        ("best", "commands and addresses"),
        ("newest", "commands and addresses"),
        ("latest", "commands and addresses"),
        ("final", "commands and addresses"),
        ("v3", "like a version"),
        ("1h5w2k0p7q3x", "like the id of a run"),
        ("1H5W2K0P7Q3X", "like the id of a run"),
    ],
)
def test_a_word_that_means_something_else_is_no_name(name: str, why: str) -> None:
    for refused in (lambda: NewModel(name=name, checkpoint="c"), lambda: ModelPatch(name=name)):
        with pytest.raises(ValidationError, match=f"“{name}” .*{why}; choose another word"):
            refused()


@pytest.mark.parametrize("name", ["lander", "best lander", "v3-lander", "lunarlanding", "imports", "2026"])
def test_other_names_are_free(name: str) -> None:
    assert NewModel(name=name, checkpoint="c").name == name


@pytest.mark.parametrize(
    ("label", "why"), [("v2", "like a version"), ("best", "a checkpoint"), ("Newest", "a checkpoint")]
)
def test_a_label_is_no_word_for_a_checkpoint(label: str, why: str) -> None:
    with pytest.raises(ValidationError, match=f"“{label}” .*{why}"):
        VersionPatch(labels=[label])


@pytest.mark.parametrize("tag", ["best", "Newest", "40960", "40k", "1.5m"])
def test_a_tag_is_no_word_and_no_step_of_a_checkpoint(tag: str) -> None:
    with pytest.raises(ValidationError, match=f"“{tag}” .*; choose another word"):
        ArtifactPatch(tags=["good", tag])
    assert ArtifactPatch(tags=["best so far", "v2", "good"]).tags == ["best so far", "v2", "good"]


@pytest.mark.parametrize("name", ["../evil", "a/b", "x@y", "模型", ".hidden"])
def test_a_name_of_other_letters_is_refused_with_the_rule(name: str) -> None:
    with pytest.raises(ValidationError, match="Use letters from a to z, digits, spaces"):
        NewModel(name=name, checkpoint="c")
    with pytest.raises(ValidationError, match="begin with a letter"):
        VersionPatch(labels=["1st"])
    assert "pattern" in NewModel.model_json_schema()["properties"]["name"]


def test_every_new_id_reads_like_one() -> None:
    assert all(is_run_id(new_run_id()) for _ in range(100))
