"""A script's own classes as a policy, in the script's own Python: `python acting.py`, JSON lines in and out.

The first line names script, arguments, checkpoint and environment; each further one is an observation.
"""

import json
import os
import sys

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def main() -> int:
    answers, questions = os.fdopen(os.dup(1), "w"), os.fdopen(os.dup(0), "r")
    os.dup2(2, 1)  # what the script prints is no answer
    package = type(sys)("rl_lab")
    package.__path__ = [PACKAGE]
    sys.modules["rl_lab"] = package
    try:
        network, world, notes = _open(json.loads(questions.readline()))
        _say(answers, {"ready": type(network).__name__, "notes": notes})
    except BaseException as error:  # reported to the lab
        _say(answers, {"refused": str(error) or type(error).__name__})
        return 1
    from rl_lab.capture.playing.classes import act

    for line in questions:
        asked = json.loads(line)
        action = world.cast(act(network, asked["observation"], world, deterministic=asked["deterministic"]))
        _say(answers, {"action": action if isinstance(action, int) else action.tolist()})
    return 0


def _open(order: dict) -> tuple:  # type: ignore[type-arg]
    import torch

    from rl_lab.capture.agreed_files import AgreedFiles, install_finder
    from rl_lab.capture.playing.classes import NoOwnClass, World, build, definitions
    from rl_lab.capture.playing.left_out import find_left_out
    from rl_lab.capture.playing.saved_weights import read_weights

    torch.set_num_threads(1)
    torch.manual_seed(order["seed"])
    script = order["script"]
    sys.argv = [script, *order["args"]]
    sys.path[0] = os.path.dirname(script)
    weights = read_weights(order["checkpoint"])
    agreed = AgreedFiles(order["agreed"])
    if agreed.contents:
        install_finder(agreed)
    source = agreed.require(script)
    if source is None:
        raise NoOwnClass("the script was never approved")
    namespace = definitions(source, script)
    world = World(order["env_id"], order["env_kwargs"])
    return build(namespace, weights, world), world, find_left_out(source)


def _say(answers, message: dict) -> None:  # type: ignore[no-untyped-def,type-arg]
    answers.write(json.dumps(message) + "\n")
    answers.flush()


if __name__ == "__main__":
    sys.exit(main())
