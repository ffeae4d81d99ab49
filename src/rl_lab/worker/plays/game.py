"""The game of a play: its environment, who acts in it, and what the player asks for while it runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from rl_lab.core.bounds import MAX_SEED
from rl_lab.core.jobs.play import PlayConfig, PlayResult
from rl_lab.core.plays.controls import PlayControls
from rl_lab.core.plays.modes import Mode, Who
from rl_lab.portable.frame_protocol import PlayHeader, PlayKeys, StageProblem, frame_message
from rl_lab.portable.shown_values import shown
from rl_lab.worker.environments.drawing import draw
from rl_lab.worker.plays.environment_controls import fits
from rl_lab.worker.plays.hands import Hands, fit_action
from rl_lab.worker.plays.played_env import Moment, PlayedEnv
from rl_lab.worker.plays.tally import PlayTally
from rl_lab.worker.rendering.acting_agent import NOBODY, ActingAgent, thoughts_of
from rl_lab.worker.rendering.jpeg import to_jpeg
from rl_lab.worker.rendering.simulation import render_fps
from rl_lab.worker.runner import Decision, Policy

SPEEDS = (0.1, 2.0)
SHOWN_END_S = 1.0
"""How long the last state of an agent's episode is shown before the next one begins."""
OVER: StageProblem = {
    "message": "The episode is over.",
    "next_step": "Begin the next one, or the same one again.",
}
NO_HANDS = "This environment cannot be played by hand."


class Game:
    def __init__(
        self,
        env: PlayedEnv,
        config: PlayConfig,
        controls: PlayControls,
        *,
        start: Moment,
        cannot_draw: str = "",
        announce: Callable[[bytes], None] = lambda message: None,
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        """`announce` sends a message to everybody, `wake` ends the wait for messages; both may do nothing."""
        self._bare = self._env = env
        self._cannot_draw = cannot_draw
        self._announce = announce
        self._fps = render_fps(env)
        self._hands = Hands(controls, env.action_space, 1.0 / self._fps)
        self._acting = ActingAgent(env.action_space, start.seed or 0, wake)
        self._mode: Mode = config.mode
        self._deterministic = config.deterministic
        self._speed = 1.0
        self._seq = self._heard = self._last_n = 0
        self._seed = config.seed or 0
        self._start = start
        self._has_begun = False
        """Nothing is played before the first player has come."""
        self.tally = PlayTally()
        self.is_over = False
        """The player has ended the play."""
        self._begin(start)

    # the clock

    @property
    def is_running(self) -> bool:
        """Whether the next step comes by itself."""
        if not (self._playing and self._has_begun) or self._ended or self._is_loading:
            return False
        return self._mode != "human" or not (self._waits_for_keys or self._hands.controls.kind == "none")

    @property
    def step_s(self) -> float:
        """Seconds that the last step takes at the chosen speed; a policy may skip frames."""
        return self._frames / (self._fps * self._speed)

    def tick(self, now: float) -> bool:
        """Whether something has changed by itself: a model was loaded, or an agent's next episode has begun."""
        changed = self._acting.take_loaded(self._use)
        is_shown = self._ended and now - self._ended_at >= SHOWN_END_S
        if is_shown and self._playing and self._mode == "agent":
            self._begin_next()
            return True
        return changed

    # messages

    def handle(self, message: Mapping[str, Any]) -> bool:
        """Whether something changed that the player should see at once. The lab has checked the message."""
        self._last_n = max(self._last_n, int(message.get("n", 0)))
        op = str(message["op"])
        if op == "held":
            return self._hold(message)
        self._acting.problem = None
        handler = HANDLERS.get(op)
        if handler is not None:
            handler(self, message)
        self._heard = self._last_n
        return True

    def welcome(self) -> None:
        """A player has come, who counts messages from the beginning."""
        self._last_n = self._heard = 0
        self._has_begun = True

    def let_go(self) -> None:
        """The player has gone or does not look: no key stays held, and a person's game waits."""
        self._hands.release()
        if self._mode != "agent":
            self.rest()

    def rest(self) -> None:
        """Paused until a key is pressed."""
        if not self._ended:
            self._playing, self._waits = False, True

    def _hold(self, message: Mapping[str, Any]) -> bool:
        axes = {int(index): float(value) for index, value in message.get("axes", {}).items()}
        self._hands.hold([str(key) for key in message.get("keys", ())], axes)
        if self._mode == "agent" or self._ended:
            self._hands.release()
            return False
        if self._waits and self._hands.is_holding:
            self._playing, self._waits = True, False
        if self._mode == "human" and self._waits_for_keys and self._playing and self._hands.was_tapped:
            return self.step()
        return False

    def _act(self, message: Mapping[str, Any]) -> None:
        """One step with this very action, also while paused."""
        try:
            action = fit_action(self._bare.action_space, message["action"])
        except (ValueError, TypeError, OverflowError) as error:
            self._acting.problem = {"message": str(error), "next_step": "Nothing was played or recorded."}
            return
        if self._mode == "human" and self._waits and self._waits_for_keys:
            self._playing, self._waits = True, False
        self._take_step(action, None, is_person=True)

    def _step_once(self, _: Mapping[str, Any]) -> None:
        self._playing = self._waits = False
        if self._mode == "human" and self._hands.controls.kind == "none":
            self._acting.problem = self._no_hands()
        elif not self._is_loading and not self.step() and not self._ended:
            self._acting.problem = {
                "message": "This environment waits for a key.",
                "next_step": "Hold one, then step.",
            }

    def _play(self, _: Mapping[str, Any]) -> None:
        if self._ended:
            self._begin_next()
        self._playing, self._waits = True, False

    def _pause(self, _: Mapping[str, Any]) -> None:
        self._playing = self._waits = False
        self._hands.release()

    def _change_speed(self, message: Mapping[str, Any]) -> None:
        low, high = SPEEDS
        self._speed = min(high, max(low, float(message["speed"])))

    def _change_mode(self, message: Mapping[str, Any]) -> None:
        self._mode = message["mode"]
        self._hands.release()
        if self._mode == "human" and self._hands.controls.kind == "none":
            self._acting.problem = self._no_hands()
        if self._waits and self._mode != "human":
            self._playing, self._waits = True, False

    def _no_hands(self) -> StageProblem:
        return {"message": NO_HANDS, "next_step": self._hands.controls.problem or "Choose mode agent."}

    def _change_policy(self, message: Mapping[str, Any]) -> None:
        self._deterministic = bool(message.get("deterministic", True))
        self._acting.begin_loading(message.get("policy"), self._observation)

    def _change_controls(self, message: Mapping[str, Any]) -> None:
        controls = PlayControls.model_validate(message["controls"])
        if not fits(controls, self._bare.action_space):
            self._acting.problem = {
                "message": f"These keys are not for the actions of this environment: {self._bare.action_space}.",
                "next_step": "The keys that were there before still count.",
            }
            return
        self._hands.use(controls)
        self._announce(self.keys())

    def _refuse(self, message: Mapping[str, Any]) -> None:
        self._acting.problem = message["problem"]

    def _quiet(self, _: Mapping[str, Any]) -> None:
        """The page does not draw: its tab is in the background."""
        self.let_go()

    def _restart(self, message: Mapping[str, Any]) -> None:
        seed = message.get("seed")
        self._cut_off()
        self._begin(self._start if seed is None else Moment(int(seed)))

    def _next(self, message: Mapping[str, Any]) -> None:
        seed = message.get("seed")
        self._cut_off()
        if seed is None:
            self._begin_next()
        else:
            self._begin(Moment(int(seed)))

    def _end(self, _: Mapping[str, Any]) -> None:
        self.is_over = True

    # playing

    def load(self, policy: dict[str, Any]) -> None:
        """The model that acts from the beginning on."""
        self._acting.begin_loading(policy, self._observation)

    def finish(self) -> PlayResult:
        """The unfinished episode is kept too."""
        self._cut_off()
        return self.tally.result()

    def step(self) -> bool:
        """One step by whoever acts now; False when the environment waits for a key."""
        if self._ended:
            self._acting.problem = OVER
            return False
        decision = self._ask_agent()
        is_person = self._mode == "human" or (self._mode == "hybrid" and self._hands.is_holding)
        action = decision.action if decision is not None else None
        if is_person:
            is_shared = self._mode == "hybrid" and self._hands.controls.kind in ("continuous", "multi")
            agents = action if is_shared else None
            given = self._hands.take(agents)
            if given is None and self._mode == "human":
                return False
            is_person, action = given is not None, action if given is None else given
        self._take_step(action, decision, is_person=is_person)
        return True

    def _ask_agent(self) -> Decision | None:
        """What the agent thinks is shown while a person plays too, if there is one."""
        if self._mode == "human" and self._acting.agent is NOBODY:
            return None
        return self._acting.policy.act(self._observation, self._deterministic)

    def _take_step(self, action: Any, decision: Decision | None, *, is_person: bool) -> None:
        if self._ended:
            self._acting.problem = OVER
            return
        self._heard = self._last_n
        before, returned = self._bare.steps, self._bare.returned
        self._bare.is_person = is_person
        if decision is not None:
            self._bare.think(decision)
        self._observation, _, terminated, truncated, self._info = self._env.step(action)
        self._frames = max(1, self._bare.steps - before)
        self._reward = self._bare.returned - returned
        self._action, self._thought = action, decision
        self._who = "person" if is_person else "agent"
        self._terminated, self._truncated = bool(terminated), bool(truncated)
        self.tally.count(self._frames, is_person=is_person)
        if self._ended:
            self._ended_at = time.monotonic()
            self._hands.release()
            self.tally.end(self._bare, terminated=self._terminated)
        else:
            self._bare.env.send_steps()

    @property
    def _ended(self) -> bool:
        return self._terminated or self._truncated

    @property
    def _waits_for_keys(self) -> bool:
        controls = self._hands.controls
        return controls.kind == "discrete" and controls.rest is None

    @property
    def _is_loading(self) -> bool:
        """No random steps are recorded while the first model loads."""
        return self._mode != "human" and bool(self._acting.loading) and self._acting.agent is NOBODY

    def _begin_next(self) -> None:
        self._seed = (self._seed + 1) % (MAX_SEED + 1)
        self._begin(Moment(self._seed))

    def _begin(self, start: Moment) -> None:
        self._start = start
        self._seed = self._seed if start.seed is None else start.seed
        self._bare.taken_over_at = len(start.actions)
        self._bring_back(start)
        self._waits = self._mode == "human"
        self._playing = not self._waits
        self._hands.release()

    def _bring_back(self, moment: Moment) -> None:
        self._bare.moment = moment
        self._terminated = self._truncated = False
        self._observation, self._info = self._env.reset()
        while self._bare.is_repeating and not self._ended:
            # The action does not count, but a policy with a memory sees what happens.
            action = self._acting.policy.act(self._observation, self._deterministic).action
            self._observation, _, terminated, truncated, self._info = self._env.step(action)
            self._terminated, self._truncated = bool(terminated), bool(truncated)
        self._action, self._thought, self._who = None, None, None
        self._reward, self._frames, self._ended_at = 0.0, 1, 0.0

    def _use(self, policy: Policy) -> None:
        """Frames that a policy stacks are filled from the beginning, so the episode so far is played again."""
        had_wrappers = self._env is not self._bare
        wrap = getattr(policy, "wrap", None)
        self._env = wrap(self._bare) if wrap is not None else self._bare
        if (had_wrappers or wrap is not None) and not self._ended:
            self._bring_back(self._bare.now())

    def _cut_off(self) -> None:
        if not self._ended and self._bare.steps > self._bare.taken_over_at:
            self._bare.env.cut_off()
            self.tally.cut_off()

    # what is shown

    def keys(self) -> bytes:
        return frame_message(PlayKeys(op="controls", controls=self._hands.controls.model_dump(mode="json")))

    def frame(self, *, is_drawn: bool = True) -> bytes:
        self._seq += 1
        header: PlayHeader = {
            "seq": self._seq,
            "at": time.time(),
            "source": "play",
            "heard": self._heard,
            "mode": self._mode,
            "playing": self._playing,
            "waiting": "next" if self._ended else "key" if self._waits else None,
            "speed": self._speed,
            "fps": self._fps,
            "episode": self.tally.episodes - (1 if self._ended else 0),
            "seed": self._bare.moment.seed,
            "taken_over_at": self._bare.taken_over_at,
            "step": self._bare.steps,
            "who": self._who,
            "action": shown(self._action),
            "reward": self._reward,
            "return": self._bare.returned,
            "terminated": self._terminated,
            "truncated": self._truncated,
            "ended": self._ended,
            "observation": shown(self._observation),
            "info": {str(key): shown(value) for key, value in self._info.items()},
            **self._acting.header(),
            **thoughts_of(self._thought),
        }
        picture = self._picture() if is_drawn and not self._cannot_draw else b""
        if self._cannot_draw:
            header["note"] = self._cannot_draw
        return frame_message(header, picture)

    def _picture(self) -> bytes:
        try:
            return to_jpeg(draw(self._bare, self._bare.steps))
        except Exception as error:  # the edge: whatever an environment fails with, it can still be played
            why = f"{type(error).__name__}: {error}".removesuffix(".")
            self._cannot_draw = f"The picture could not be drawn ({why}): it is played by its numbers."
            return b""

    _observation: Any
    _info: dict[str, Any]
    _who: Who | None
    _ended_at: float


HANDLERS: dict[str, Callable[[Game, Mapping[str, Any]], None]] = {
    "act": Game._act,
    "step": Game._step_once,
    "play": Game._play,
    "pause": Game._pause,
    "speed": Game._change_speed,
    "mode": Game._change_mode,
    "policy": Game._change_policy,
    "controls": Game._change_controls,
    "refuse": Game._refuse,
    "quiet": Game._quiet,
    "restart": Game._restart,
    "next": Game._next,
    "end": Game._end,
}
"""By `op` of a message: those of `core/plays/messages.py`, and two of the lab itself (refuse, quiet)."""
