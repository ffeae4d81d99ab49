/** What can be typed into the filter. */
import { IconButton } from "@/ui/Button";
import { Popover } from "@/ui/Popover";

const EXAMPLES: [string, string][] = [
  ["cart fast", "words of name, environment, algorithm, runner, tags, notes"],
  ["lr < 0.001 and best > 200", "both; also or, not and parentheses"],
  ["lr<0.01", "a parameter; lr is learning_rate"],
  ["seed:1,2,3", "one of these seeds"],
  ["env:CartPole", "the environment contains it; = is exact"],
  ["status:failed", "the state"],
  ["tag:thesis", "the tag"],
  ["best>400", "best mean over 100 episodes; also mean, last"],
  ["steps>=10k", "steps; also episodes, duration in seconds"],
  ["gamma!=0.99", "not this value"],
  ["metrics.entropy<0.1", "the last value of a metric, of runs that have ended"],
  ["metrics.soft_landings>0.5", "a number of evaluation code, in the newest evaluation that has it"],
  ["metrics.soft_landings@nightly@v2>0.5", "the same by one version of a protocol"],
  ["note:diverged", "the note contains it"],
];

export function QueryHelp() {
  return (
    <Popover
      title="What the filter understands"
      trigger={<IconButton icon="help" label="What the filter understands" />}
    >
      <dl className="flex flex-col gap-2 text-sm">
        {EXAMPLES.map(([example, meaning]) => (
          <div key={example}>
            <dt className="figures text-xs">{example}</dt>
            <dd className="text-xs text-ink-2">{meaning}</dd>
          </div>
        ))}
      </dl>
    </Popover>
  );
}
