/** A protocol by which is measured, or none; only those that fit the environment. */
import { useQuery } from "@tanstack/react-query";
import type { ProtocolVersion, SavedProtocol } from "@/api/types";
import { protocolsQuery } from "@/entities/protocols/queries";
import { spellProtocol } from "@/entities/protocols/words";
import { Select } from "@/ui/Select";
import { LoadFailed } from "@/ui/states";

const NONE = "";

export interface ProtocolSelectProps {
  envId: string;
  value: ProtocolVersion | null;
  onChange: (protocol: ProtocolVersion | null) => void;
}

export function ProtocolSelect({ envId, value, onChange }: ProtocolSelectProps) {
  const saved = useQuery(protocolsQuery);
  const protocols = fitting(saved.data ?? [], envId);
  return (
    <>
      <Select
        label="Protocol"
        value={value ? spellProtocol(value) : NONE}
        options={[
          { value: NONE, title: "No protocol" },
          ...protocols.map((one) => ({ value: spellProtocol(one), title: spellProtocol(one) })),
        ]}
        onChange={(named) => onChange(protocols.find((one) => spellProtocol(one) === named) ?? null)}
      />
      {saved.isError && (
        <LoadFailed what="protocols" error={saved.error} onRetry={() => void saved.refetch()} />
      )}
    </>
  );
}

/** All versions that fit the environment, the newest of each first. */
const fitting = (saved: readonly SavedProtocol[], envId: string): ProtocolVersion[] =>
  saved.flatMap(({ versions }) => versions).filter(({ env_id }) => !env_id || env_id === envId);
