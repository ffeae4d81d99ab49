"""What the capture layer cannot see, by the module or name that a script uses. Standard library only.

Logged when a script uses it, and shown in the preview when its source mentions it.
"""

from __future__ import annotations

REST = "Metrics, configuration, log and files are captured."
ENVPOOL = f"EnvPool steps its environments in native threads: episodes cannot be recorded. {REST}"
JAX = (
    "The script uses JAX and no Gymnasium environment: steps inside compiled functions cannot be captured, and its "
    f"parameters are not in torch modules. {REST}"
)
GYM = (
    "The script uses the old package gym, whose environments are not captured; those of gymnasium are. "
    f"{REST} Change the import to `import gymnasium as gym` to have its episodes."
)
PETTINGZOO = (
    f"PettingZoo environments, with several agents, are not captured: no episodes are counted. {REST}"
)
PROCESSES = "What the script does in processes of its own is not captured, except metrics of this process."
COMPILED = "environments run inside compiled JAX functions: their episodes are not captured."

MODULES = {
    "pettingzoo": PETTINGZOO,
    "supersuit": PETTINGZOO,
    "envpool": ENVPOOL,
    "gym": GYM,
    "gym3": f"gym3 environments are not captured: no episodes are counted. {REST}",
    "procgen": f"Procgen uses gym3, whose environments are not captured: no episodes are counted. {REST}",
    "gymnax": f"gymnax: {COMPILED} {REST}",
    "brax": f"Brax: {COMPILED} {REST}",
    "jumanji": f"Jumanji: {COMPILED} {REST}",
    "craftax": f"Craftax: {COMPILED} {REST}",
    "isaacgym": f"Isaac Gym steps its environments on the GPU: their episodes are not captured. {REST}",
    "isaaclab": f"Isaac Lab steps its environments on the GPU: their episodes are not captured. {REST}",
    "dm_control": f"dm_control environments are captured only through Gymnasium (shimmy). {REST}",
    "ray": f"Ray runs environments in processes of its own, which are not captured. {REST}",
}
"""Top-level module → what is missing, as sentences."""
NAMES = {
    name: f"{name} runs its environments in other processes: episodes are counted with return and length, but not "
    "recorded."
    for name in ("AsyncVectorEnv", "SubprocVecEnv")
}
"""Names in a script's source."""


def expected_gaps(mentioned: list[str]) -> list[str]:
    """What will not be captured of a script that mentions these modules and names."""
    found = [MODULES.get(name) or NAMES.get(name) for name in mentioned]
    return list(dict.fromkeys(text for text in found if text))
