"""Plays at random; its arguments are in the older style."""

import argparse
import os

import gymnasium as gym


def yes_or_no(word):
    return bool({"true": 1, "false": 0}[word.lower()])


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--exp-name", type=str, default=os.path.basename(__file__).rstrip(".py"), help="what it is called"
    )
    parser.add_argument("--seed", type=int, default=1, help="where the random numbers begin")
    parser.add_argument("--env-id", type=str, default="CartPole-v1", help="the environment")
    parser.add_argument("--total-timesteps", type=int, default=1000, help="steps in all")
    parser.add_argument(
        "--is-loud",
        type=lambda x: bool(yes_or_no(x)),
        default=True,
        nargs="?",
        const=True,
        help="say each return",
    )
    parser.add_argument("--twice", action="store_true", help="play every action twice")
    parser.add_argument("--order", choices=["up", "down"], default="up", help="how returns are told")
    args = parser.parse_args()
    args.total_actions = args.total_timesteps // (2 if args.twice else 1)
    return args


if __name__ == "__main__":
    args = parse_args()
    env = gym.wrappers.RecordEpisodeStatistics(gym.make(args.env_id))
    env.action_space.seed(args.seed)
    env.reset(seed=args.seed)
    for _ in range(args.total_actions):
        action = env.action_space.sample()
        for _ in range(2 if args.twice else 1):
            _, _, terminated, truncated, info = env.step(action)
            if terminated or truncated:
                if args.is_loud:
                    print(info["episode"]["r"])
                env.reset()
                break
    env.close()
