"""Action counts and screen sizes of the Atari games: reading them from 104 ROMs would take 15 seconds."""

from __future__ import annotations

from typing import Any

from rl_lab.worker.environments.spaces import words

ACTIONS = {
    3: "Backgammon Freeway Skiing",
    4: "Atlantis2 Atlantis Blackjack Breakout Casino Kaboom",
    5: "Frogger Pacman Surround Tetris VideoCheckers",
    6: "AirRaid BasicMath Bowling Carnival DemonAttack Galaxian KingKong NameThisGame Pong Pooyan Qbert"
    " SirLancelot SpaceInvaders UpNDown",
    7: "Assault",
    8: "Gopher Phoenix Tutankham",
    9: "Asterix BeamRider CrazyClimber Enduro Koolaid LostLuggage MsPacman VideoPinball",
    10: "Amidar MrDo Othello TicTacToe3D TimePilot VideoChess WizardOfWor",
    12: "Turmoil",
    14: "Asteroids KeystoneKapers KungFuMaster",
    16: "JourneyEscape",
}
"""Games whose minimal action set is smaller than the joystick's 18 actions."""

HEIGHTS = {
    214: "Carnival",
    220: "Pooyan",
    230: "JourneyEscape",
    250: "Adventure AirRaid KeystoneKapers KingKong Klax LaserGates MrDo Pacman SirLancelot SpaceWar",
}
"""Games whose screen is taller than 210 lines."""

ACTIONS_OF = {game: count for count, games in ACTIONS.items() for game in games.split()}
HEIGHT_OF = {game: lines for lines, games in HEIGHTS.items() for game in games.split()}


def action_count(game: str) -> int:
    return ACTIONS_OF.get(game, 18)


def title(game: str) -> str:
    return words(game)


def fields(game: str) -> dict[str, Any]:
    """What the catalogue says about a game, without its ROM."""
    shape = screen_shape(game)
    return {
        "action_space_type": "discrete",
        "action_space": f"DISCRETE({action_count(game)})",
        "obs_space_type": "box",
        "obs_space": f"BOX({', '.join(map(str, shape))})",
        "obs_space_dims": shape,
        "render_fps": 30,
        "description": f"The Atari 2600 game {title(game)}, played from the screen.",
    }


def screen_shape(game: str) -> list[int]:
    return [HEIGHT_OF.get(game, 210), 160, 3]
