/** The fields of a new study: what is asked, what is trained, what varies, how often, and for how long. */
import { offerId } from "@/entities/runners/offers";
import { keysOf } from "@/lib/keys-of";
import { TextField } from "@/panels/text-field/TextField";
import { Select } from "@/ui/Select";
import { SwitchRow } from "@/ui/SwitchRow";
import { type Varied, variedFrom, WAY_TITLES } from "./draft";
import { JudgingFields } from "./JudgingFields";
import { Labelled } from "./Labelled";
import type { StudyDraftState } from "./use-study-draft";
import { VariedRow } from "./VariedRow";

export interface StudyFieldsProps {
  state: StudyDraftState;
  /** The lab's messages, by field. */
  errors: Record<string, string>;
}

export function StudyFields({ state, errors }: StudyFieldsProps) {
  const { draft, change, plan } = state;
  const problems = { ...errors, ...plan.problems };
  const isSampled = draft.way === "random" || draft.way === "tpe";
  return (
    <div className="flex flex-col gap-5">
      <Group title="Question">
        <TextField
          label="What should the study answer?"
          value={draft.question}
          placeholder="Is a learning rate of 0.003 better?"
          problem={problems.question}
          onChange={(question) => change({ question })}
        />
        <TextField
          label="Name"
          value={draft.name}
          placeholder="named by what it trains"
          problem={problems.name}
          onChange={(name) => change({ name })}
        />
      </Group>
      <Group title="Base">
        <Labelled title="Environment">
          <Select
            label="Environment"
            value={draft.envId}
            options={state.environments.map((one) => ({
              value: one.id,
              title: one.name,
              reason: one.problem,
            }))}
            onChange={(envId) => change({ envId })}
          />
        </Labelled>
        <Labelled title="Algorithm and runner">
          <Select
            label="Algorithm and runner"
            value={draft.offer}
            options={state.offers.map((offer) => ({
              value: offerId(offer),
              title: `${offer.algorithm.name} · ${offer.runner.id}`,
            }))}
            onChange={(offer) => change({ offer, varied: [] })}
          />
        </Labelled>
        <TextField
          label="Total timesteps of a run"
          value={draft.steps}
          placeholder="as the preset says"
          problem={problems.steps ?? problems.total_timesteps}
          onChange={(steps) => change({ steps })}
        />
        <JudgingFields state={state} problems={problems} />
      </Group>
      <Parameters state={state} problems={problems} />
      <Group title="How often">
        <TextField
          label="Seeds"
          value={draft.seeds}
          placeholder="5, or 3, 7, 11"
          problem={problems.seeds}
          onChange={(seeds) => change({ seeds })}
        />
        {isSampled && draft.varied.length > 0 && (
          <TextField
            label="Points"
            value={draft.points}
            problem={problems.points}
            onChange={(points) => change({ points })}
          />
        )}
        <TextField
          label="At most so many runs"
          value={draft.budgetRuns}
          placeholder="no limit"
          problem={problems.budgetRuns}
          onChange={(budgetRuns) => change({ budgetRuns })}
        />
        <TextField
          label="At most so many minutes"
          value={draft.budgetMinutes}
          placeholder="no limit"
          problem={problems.budgetMinutes}
          onChange={(budgetMinutes) => change({ budgetMinutes })}
        />
      </Group>
      {isSampled && draft.varied.length > 0 && (
        <SwitchRow
          title="Stop a variant early when its curve stays below the others"
          checked={draft.prune}
          onChange={(prune) => change({ prune })}
        />
      )}
    </div>
  );
}

function Parameters({ state, problems }: { state: StudyDraftState; problems: Record<string, string> }) {
  const { draft, change, fields } = state;
  const set = (varied: readonly Varied[]) => change({ varied });
  const free = fields.filter((field) => !draft.varied.some((one) => one.name === field.name));
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="heading mb-2">What varies</legend>
      {draft.varied.length > 0 && (
        <Select
          label="How the values are chosen"
          value={draft.way}
          options={keysOf(WAY_TITLES).map((value) => ({ value, title: WAY_TITLES[value] }))}
          onChange={(way) => change({ way })}
        />
      )}
      <ul className="flex flex-col gap-2">
        {draft.varied.map((varied, i) => {
          const field = fields.find((one) => one.name === varied.name);
          if (!field) return null;
          return (
            <VariedRow
              key={varied.name}
              field={field}
              varied={varied}
              way={draft.way}
              problem={problems[varied.name]}
              onChange={(next) => set(draft.varied.with(i, next))}
              onRemove={() => set(draft.varied.toSpliced(i, 1))}
            />
          );
        })}
      </ul>
      <Select
        label="Add a parameter that varies"
        value=""
        options={[
          {
            value: "",
            title: draft.varied.length === 0 ? "Nothing varies; add a parameter …" : "Add a parameter …",
          },
          ...free.map(({ name, title }) => ({ value: name, title })),
        ]}
        onChange={(name) => {
          const field = fields.find((one) => one.name === name);
          if (field) set([...draft.varied, variedFrom(field)]);
        }}
      />
    </fieldset>
  );
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="heading mb-2">{title}</legend>
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}
