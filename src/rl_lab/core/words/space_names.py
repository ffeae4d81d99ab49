"""What the numbers of an observation and of an action mean, one entry per environment, as Gymnasium documents them.

An environment without an entry has no names. Options of an environment can change its spaces (`continuous=True`), so
a reader uses the names only where their number fits.
"""

from __future__ import annotations

from typing import NamedTuple


class SpaceNames(NamedTuple):
    observations: tuple[str, ...] = ()
    """One per number of the observation, with its unit where it has one; empty for pictures."""
    actions: tuple[str, ...] = ()
    """One per action of a discrete space, else one per number of the action."""


def names_of(env_id: str) -> SpaceNames:
    return NAMES.get(env_id, SpaceNames())


def _parts(template: str, parts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(template.format(part) for part in parts)


_CART_POLE = SpaceNames(
    ("cart position", "cart velocity", "pole angle (rad)", "pole angular velocity (rad/s)"),
    ("push left", "push right"),
)
_LANDER = (
    "x",
    "y",
    "x velocity",
    "y velocity",
    "angle",
    "angular velocity",
    "left leg touches",
    "right leg touches",
)
_BIPEDAL_LEG = ("hip {0} angle", "hip {0} speed", "knee {0} angle", "knee {0} speed", "leg {0} touches")
_BIPEDAL_WALKER = SpaceNames(
    (
        *("hull angle", "hull angular velocity", "x velocity", "y velocity"),
        *(name.format(1) for name in _BIPEDAL_LEG),
        *(name.format(2) for name in _BIPEDAL_LEG),
        *(f"lidar {ray}" for ray in range(1, 11)),
    ),
    ("hip 1 motor", "knee 1 motor", "hip 2 motor", "knee 2 motor"),
)
_FROZEN_LAKE = ("move left", "move down", "move right", "move up")
_CLIFF_WALKING = SpaceNames(
    ("cell (12 × row + column)",), ("move up", "move right", "move down", "move left")
)

_HOPPER_JOINTS = ("thigh", "leg", "foot")
_WALKER_JOINTS = (*_HOPPER_JOINTS, "left thigh", "left leg", "left foot")
_CHEETAH_JOINTS = ("back thigh", "back shin", "back foot", "front thigh", "front shin", "front foot")
_PUSHER_JOINTS = (
    "shoulder pan",
    "shoulder lift",
    "upper arm roll",
    "elbow flex",
    "forearm roll",
    "wrist flex",
    "wrist roll",
)


def _runner(body: str, joints: tuple[str, ...]) -> SpaceNames:
    """Hopper, Walker2d and HalfCheetah: a body in a vertical plane and the joints of its legs."""
    return SpaceNames(
        (
            *(f"{body} height (m)", f"{body} angle (rad)"),
            *_parts("{} angle (rad)", joints),
            *(f"{body} x velocity (m/s)", f"{body} z velocity (m/s)", f"{body} angular velocity (rad/s)"),
            *_parts("{} angular velocity (rad/s)", joints),
        ),
        _parts("{} torque (N m)", joints),
    )


NAMES: dict[str, SpaceNames] = {
    "CartPole-v0": _CART_POLE,
    "CartPole-v1": _CART_POLE,
    "MountainCar-v0": SpaceNames(
        ("car position (m)", "car velocity"), ("push left", "do not push", "push right")
    ),
    "MountainCarContinuous-v0": SpaceNames(("car position (m)", "car velocity"), ("force on the car",)),
    "Acrobot-v1": SpaceNames(
        (
            "cosine of angle 1",
            "sine of angle 1",
            "cosine of angle 2",
            "sine of angle 2",
            "angular velocity 1 (rad/s)",
            "angular velocity 2 (rad/s)",
        ),
        ("torque −1 N m", "no torque", "torque +1 N m"),
    ),
    "Pendulum-v1": SpaceNames(
        ("cosine of the angle", "sine of the angle", "angular velocity (rad/s)"), ("torque (N m)",)
    ),
    "LunarLander-v3": SpaceNames(
        _LANDER, ("do nothing", "fire left engine", "fire main engine", "fire right engine")
    ),
    "LunarLanderContinuous-v3": SpaceNames(_LANDER, ("main engine", "side engines")),
    "BipedalWalker-v3": _BIPEDAL_WALKER,
    "BipedalWalkerHardcore-v3": _BIPEDAL_WALKER,
    "CarRacing-v3": SpaceNames((), ("steering (− left, + right)", "gas", "brake")),
    "FrozenLake-v1": SpaceNames(("cell (4 × row + column)",), _FROZEN_LAKE),
    "FrozenLake8x8-v1": SpaceNames(("cell (8 × row + column)",), _FROZEN_LAKE),
    "Taxi-v4": SpaceNames(
        ("state (taxi, passenger and destination)",),
        ("move south", "move north", "move east", "move west", "pick up", "drop off"),
    ),
    "CliffWalking-v1": _CLIFF_WALKING,
    "CliffWalkingSlippery-v1": _CLIFF_WALKING,
    "Blackjack-v1": SpaceNames(("player’s sum", "dealer’s card", "usable ace"), ("stick", "hit")),
    "Hopper-v5": _runner("torso", _HOPPER_JOINTS),
    "Walker2d-v5": _runner("torso", _WALKER_JOINTS),
    "HalfCheetah-v5": _runner("front tip", _CHEETAH_JOINTS),
    "Swimmer-v5": SpaceNames(
        (
            "tip angle (rad)",
            "rotor 1 angle (rad)",
            "rotor 2 angle (rad)",
            "tip x velocity (m/s)",
            "tip y velocity (m/s)",
            "tip angular velocity (rad/s)",
            "rotor 1 angular velocity (rad/s)",
            "rotor 2 angular velocity (rad/s)",
        ),
        ("rotor 1 torque (N m)", "rotor 2 torque (N m)"),
    ),
    "InvertedPendulum-v5": SpaceNames(
        ("cart position (m)", "pole angle (rad)", "cart velocity (m/s)", "pole angular velocity (rad/s)"),
        ("force on the cart (N)",),
    ),
    "InvertedDoublePendulum-v5": SpaceNames(
        (
            "cart position (m)",
            "sine of angle 1",
            "sine of angle 2",
            "cosine of angle 1",
            "cosine of angle 2",
            "cart velocity (m/s)",
            "angular velocity 1 (rad/s)",
            "angular velocity 2 (rad/s)",
            "constraint force (N)",
        ),
        ("force on the cart (N)",),
    ),
    "Reacher-v5": SpaceNames(
        (
            "cosine of angle 1",
            "cosine of angle 2",
            "sine of angle 1",
            "sine of angle 2",
            "target x (m)",
            "target y (m)",
            "angular velocity 1 (rad/s)",
            "angular velocity 2 (rad/s)",
            "fingertip x − target x (m)",
            "fingertip y − target y (m)",
        ),
        ("joint 1 torque (N m)", "joint 2 torque (N m)"),
    ),
    "Pusher-v5": SpaceNames(
        _parts("{} angle (rad)", _PUSHER_JOINTS)
        + _parts("{} angular velocity (rad/s)", _PUSHER_JOINTS)
        + _parts("fingertip {} (m)", ("x", "y", "z"))
        + _parts("object {} (m)", ("x", "y", "z"))
        + _parts("goal {} (m)", ("x", "y", "z")),
        _parts("{} torque (N m)", _PUSHER_JOINTS),
    ),
}
