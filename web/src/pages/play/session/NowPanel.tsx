/** The step that is shown: who acted, what came of it, and what the model thinks of it. */
import type { PlayHeader, StageAgent } from "@/api/types";
import { formatCount, formatNumber, formatSigned } from "@/lib/format";
import type { Moment } from "@/panels/replay/messages";
import { Bars, Fact } from "@/panels/replay/StepPanel";
import { actionBars, actionText, thoughtsOf } from "@/panels/replay/thoughts";
import { Panel } from "@/ui/Panel";

export interface NowPanelProps {
  header: PlayHeader;
  actionNames: readonly string[];
}

export function NowPanel({ header, actionNames }: NowPanelProps) {
  const agent = header.agent as StageAgent | undefined;
  // What is marked is the action that was taken, whoever took it.
  const moment = { ...header, next_action: header.action } as unknown as Moment;
  const numbers = actionBars(header.action, actionNames);
  return (
    <Panel title="Now">
      <div className="flex flex-col gap-4">
        <dl className="text-sm">
          <Fact name="who acted" value={header.who === "person" ? "person" : (header.who ?? "–")} />
          <Fact name="step" value={formatCount(header.step)} />
          <Fact name="action" value={header.step === 0 ? "–" : actionText(header.action, actionNames)} />
          <Fact name="reward" value={formatSigned(header.reward, 4)} help="For this action." />
          <Fact name="return" value={formatNumber(header.return, 5)} help="The rewards added up." />
          {header.value !== undefined && (
            <Fact
              name="value"
              value={formatNumber(header.value, 4)}
              help="The discounted return that the model expected before this step."
            />
          )}
          <Fact
            name="seed"
            value={header.seed === null || header.seed === undefined ? "–" : String(header.seed)}
          />
          {(header.taken_over_at ?? 0) > 0 && (
            <Fact name="taken over at step" value={formatCount(header.taken_over_at)} />
          )}
          {header.mode !== "human" && agent && <Fact name="model" value={agent.label ?? "random actions"} />}
        </dl>
        {numbers && <Bars title="Action" bars={numbers} />}
        {thoughtsOf(moment, actionNames).map((group) => (
          <Bars key={group.title} title={group.title} help={group.help} bars={group.bars} />
        ))}
      </div>
    </Panel>
  );
}
