import { expect, test } from "vitest";
import { mainSeries } from "./main-series";

test("the reward is found under the names that libraries use", () => {
  expect(mainSeries(["loss", "reward", "mean_reward"])).toBe("mean_reward");
  expect(mainSeries(["time/fps", "rollout/ep_len_mean", "rollout/ep_rew_mean"])).toBe("rollout/ep_rew_mean");
  expect(mainSeries(["losses/td_loss", "charts/episodic_return"])).toBe("charts/episodic_return");
  expect(mainSeries(["loss"])).toBe("loss");
  expect(mainSeries([])).toBeNull();
});
