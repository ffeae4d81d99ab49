/** Results that anybody gets on a laptop, measured with the preset Fast; docs/performance.md has the whole table. */
export interface SampleResult {
  envId: string;
  name: string;
  task: string;
  result: string;
}

export const SAMPLE_RESULTS: readonly SampleResult[] = [
  {
    envId: "CartPole-v1",
    name: "Cart Pole",
    task: "Balance a pole on a cart.",
    result: "500 of 500 after about a second of PPO",
  },
  {
    envId: "LunarLander-v3",
    name: "Lunar Lander",
    task: "Land between two flags.",
    result: "Solved after about ten seconds of PPO",
  },
  {
    envId: "BipedalWalker-v3",
    name: "Bipedal Walker",
    task: "Learn to walk on two legs.",
    result: "Reward 291 after about four minutes of PPO",
  },
];
