/** The form of an evaluation of a play: its recorded episodes are measured, by a protocol or by code. */
import { useState } from "react";
import type { NewEvaluation, ProtocolVersion } from "@/api/types";
import { readSpelledCode } from "@/entities/codes/words";
import { passesText, spellProtocol } from "@/entities/protocols/words";
import { Button } from "@/ui/Button";
import { SwitchRow } from "@/ui/SwitchRow";
import { CodeSelect } from "./CodeSelect";
import { ProtocolSelect } from "./ProtocolSelect";

export interface EvaluatePlayFormProps {
  envId: string;
  isBusy: boolean;
  onSubmit: (wanted: NewEvaluation) => void;
}

export function EvaluatePlayForm({ envId, isBusy, onSubmit }: EvaluatePlayFormProps) {
  const [protocol, setProtocol] = useState<ProtocolVersion | null>(null);
  const [code, setCode] = useState("");
  const [record, setRecord] = useState(true);
  const measure = protocol
    ? { protocol: spellProtocol(protocol) }
    : code
      ? { code: readSpelledCode(code) }
      : {};
  return (
    <div className="flex flex-col gap-4 text-sm">
      <p className="text-ink-2">
        The finished episodes of this play are simulated again as they were recorded, on the seeds that were
        played. Nobody plays again.
      </p>
      <ProtocolSelect envId={envId} value={protocol} onChange={setProtocol} />
      {protocol ? (
        <p className="text-xs text-ink-2">{appliedText(protocol)}</p>
      ) : (
        <CodeSelect envId={envId} value={code} onChange={setCode} />
      )}
      <SwitchRow title="Make a video" checked={record} onChange={setRecord} />
      <Button
        kind="primary"
        icon="check"
        disabled={isBusy}
        onClick={() => onSubmit({ ...measure, record } as NewEvaluation)}
      >
        Measure the recorded episodes
      </Button>
    </div>
  );
}

/** What of a protocol counts here. */
function appliedText(protocol: ProtocolVersion): string {
  const parts = [
    ...(protocol.code ? [`code ${protocol.code.name}@v${protocol.code.version}`] : []),
    ...(passesText(protocol) ? [`passes with ${passesText(protocol)}`] : []),
  ];
  const applied =
    parts.length > 0 ? `Its ${parts.join(" and ")} count here` : "It has neither code nor threshold";
  return `${applied}; its own episodes and seeds do not.`;
}
