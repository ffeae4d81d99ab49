/** The fields of what variants are judged by, and by which protocol their runs are evaluated. */
import { TextField } from "@/panels/text-field/TextField";
import { Select } from "@/ui/Select";
import { measureOptions, NUMBER, protocolOptions, withProtocol } from "./judging";
import { Labelled } from "./Labelled";
import type { StudyDraftState } from "./use-study-draft";

export interface JudgingFieldsProps {
  state: StudyDraftState;
  problems: Record<string, string>;
}

export function JudgingFields({ state, problems }: JudgingFieldsProps) {
  const { draft, change, derived, protocols } = state;
  return (
    <>
      <Labelled title="Evaluated by">
        <Select
          label="Evaluated by"
          value={draft.protocol}
          options={protocolOptions(protocols)}
          onChange={(protocol) => change(withProtocol(draft, protocol))}
        />
      </Labelled>
      <Labelled title="Judged by">
        <Select
          label="Judged by"
          value={draft.measure}
          options={measureOptions(derived, draft)}
          onChange={(measure) => change({ measure })}
        />
      </Labelled>
      {draft.measure === NUMBER && (
        <TextField
          label="Name of the number"
          value={draft.number}
          placeholder="soft_landings"
          problem={problems.number ?? problems.measure}
          onChange={(number) => change({ number })}
        />
      )}
    </>
  );
}
