/** The environment that code is written for. */
import { useQuery } from "@tanstack/react-query";
import { environmentsQuery } from "@/entities/environments/queries";
import { Select } from "@/ui/Select";

export interface EnvironmentSelectProps {
  value: string;
  /** The title of “no particular one”. */
  any?: string;
  onChange: (envId: string) => void;
}

export function EnvironmentSelect({ value, any = "Any environment", onChange }: EnvironmentSelectProps) {
  const known = useQuery(environmentsQuery).data?.map(({ id }) => id) ?? [];
  const ids = value && !known.includes(value) ? [value, ...known] : known;
  return (
    <Select
      label="Environment"
      value={value}
      options={[{ value: "", title: any }, ...ids.map((id) => ({ value: id, title: id }))]}
      onChange={onChange}
    />
  );
}
