/** Saved evaluation code whose numbers join the result, or none. */
import { useQuery } from "@tanstack/react-query";
import { codesQuery } from "@/entities/codes/queries";
import { spellCode } from "@/entities/codes/words";
import { Select } from "@/ui/Select";
import { LoadFailed } from "@/ui/states";

export interface CodeSelectProps {
  envId: string;
  /** NAME@v2; empty: none. */
  value: string;
  onChange: (spelled: string) => void;
}

export function CodeSelect({ envId, value, onChange }: CodeSelectProps) {
  const codes = useQuery(codesQuery("evaluation", envId));
  const versions = (codes.data ?? []).flatMap((one) => one.versions).map(spellCode);
  if (codes.isError)
    return <LoadFailed what="evaluation code" error={codes.error} onRetry={() => void codes.refetch()} />;
  if (versions.length === 0) return null;
  return (
    <Select
      label="Evaluation code"
      value={value}
      options={[
        { value: "", title: "No evaluation code" },
        ...versions.map((spelled) => ({ value: spelled, title: spelled })),
      ]}
      onChange={onChange}
    />
  );
}
