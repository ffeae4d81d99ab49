"""What the film of a play says around its episodes."""

from __future__ import annotations

import struct

import pytest

from rl_lab.core.evaluations import FilmScene
from rl_lab.core.plays.players import WHO
from rl_lab.core.recordings import Recording
from rl_lab.worker.jobs.film_words import end_row, episode_label, play_words

PLAY = {"name": "my play", "episodes": 5, "timesteps": 30, "start": None}


def played(episode: int, *by_person: int) -> Recording:
    column = struct.pack(f"<{len(by_person)}e", *by_person)
    return Recording(
        run_id="r",
        episode=episode,
        env_id="CartPole-v1",
        count=len(by_person),
        actions=b"",
        extra={WHO: column},
    )


@pytest.mark.parametrize(
    ("by_person", "words"),
    [((1, 1), "by a person"), ((0, 1), "by a person and an agent"), ((0, 0), "by an agent")],
)
def test_a_caption_says_who_played(by_person: tuple[int, ...], words: str) -> None:
    recording = played(3, *by_person)
    assert episode_label(play_words(PLAY, [recording]), recording) == f"episode 3 · {words}"


def test_title_and_end_speak_of_a_play() -> None:
    words = play_words(PLAY, [played(0, 1), played(4, 0)])
    assert words.title == "A play on CartPole-v1"
    assert words.about == ["my play", "2 of 5 episodes, played by a person and an agent"]
    assert end_row(words, FilmScene(episode=4, timestep=9, returned=12.0)) == "episode 4: return +12.0"
    assert (words.facts, words.curve) == (["played 5 episodes, 30 steps"], ())


def test_the_title_says_where_it_was_taken_over() -> None:
    start = {"run_id": "r", "episode": 12, "step": 80}
    words = play_words({**PLAY, "episodes": 1, "start": start}, [played(0, 1)])
    assert words.about[1:] == ["1 episode, played by a person", "taken over at step 80 of episode 12"]
