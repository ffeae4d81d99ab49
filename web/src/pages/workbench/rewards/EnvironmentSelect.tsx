/** The environment that code is written for. */
import { useQuery } from "@tanstack/react-query";
import { environmentsQuery } from "@/entities/environments/queries";
import { ListProblem } from "@/panels/saved-code/ListProblem";
import { Select } from "@/ui/Select";

export interface EnvironmentSelectProps {
  label?: string;
  value: string;
  /** The title of “no particular one”. */
  any?: string;
  onChange: (envId: string) => void;
}

export function EnvironmentSelect(props: EnvironmentSelectProps) {
  const { label = "Environment", value, any = "Any environment", onChange } = props;
  const environments = useQuery(environmentsQuery);
  const known = environments.data?.map(({ id }) => id) ?? [];
  const ids = value && !known.includes(value) ? [value, ...known] : known;
  return (
    <>
      <Select
        label={label}
        value={value}
        options={[{ value: "", title: any }, ...ids.map((id) => ({ value: id, title: id }))]}
        onChange={onChange}
      />
      <ListProblem what="environments" query={environments} />
    </>
  );
}
