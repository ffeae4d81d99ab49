"""Datasets and their versions, which trainings learned from them, episodes of plays, and the keys of environments."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("dataset", sa.Text))
    op.create_index("ix_runs_dataset", "runs", ["dataset"])
    _add_datasets()
    _add_plays()


def _add_datasets() -> None:
    op.create_table(
        "datasets",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("keep", sa.Integer),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_datasets"),
    )
    op.create_table(
        "dataset_versions",
        sa.Column("dataset", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("env_id", sa.Text, nullable=False),
        sa.Column("episodes", sa.BigInteger, nullable=False),
        sa.Column("transitions", sa.BigInteger, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("run_id", sa.Text),
        sa.Column("pinned", sa.Boolean, nullable=False),
        sa.Column("licence", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("manifest", sa.Text, nullable=False),
        sa.Column("statistics", sa.Text),
        sa.Column("integrity", sa.Text, nullable=False),
        sa.Column("verification", sa.Text),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(
            ["dataset"], ["datasets.name"], name="fk_dataset_versions_dataset", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("dataset", "version", name="pk_dataset_versions"),
    )
    op.create_index("ix_dataset_versions_sha256", "dataset_versions", ["sha256"])
    op.create_index("ix_dataset_versions_env_id", "dataset_versions", ["env_id"])


def _add_plays() -> None:
    op.create_table(
        "play_episodes",
        sa.Column("run_id", sa.Text, nullable=False),
        sa.Column("episode", sa.BigInteger, nullable=False),
        sa.Column("env_id", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("seed", sa.BigInteger),
        sa.Column("return", sa.Double, nullable=False),
        sa.Column("length", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_play_episodes_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "episode", name="pk_play_episodes"),
    )
    op.create_index("ix_play_episodes_env_id_player_return", "play_episodes", ["env_id", "player", "return"])
    op.create_table(
        "environment_controls",
        sa.Column("env_id", sa.Text, nullable=False),
        sa.Column("controls", sa.Text, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("env_id", name="pk_environment_controls"),
    )
