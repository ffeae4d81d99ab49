/** The evaluation code that is open, or a new one. */
import { OpenedCode } from "@/panels/saved-code/OpenedCode";
import { EvaluationCodeDesk } from "./EvaluationCodeDesk";
import { NewEvaluationCode } from "./NewEvaluationCode";
import type { OpenedFrom } from "./opened-from";

export interface OpenCodeProps extends OpenedFrom {
  name: string;
  version: number | undefined;
}

export function OpenCode({ name, version, runId, onOpen }: OpenCodeProps) {
  return (
    <OpenedCode
      kind="evaluation"
      name={name}
      version={version}
      all="All evaluation code"
      gone="evaluations that used it keep their copy."
      onOpen={onOpen}
      examples={<NewEvaluationCode onBack={() => onOpen({})} />}
    >
      {(opened) => <EvaluationCodeDesk {...opened} runId={runId} onOpen={onOpen} />}
    </OpenedCode>
  );
}
