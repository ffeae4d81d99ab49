/** A link to the exact version of a dataset. */
import { Link } from "@tanstack/react-router";
import { spell } from "./words";

export interface DatasetLinkProps {
  name: string;
  version?: number | null;
}

export function DatasetLink({ name, version }: DatasetLinkProps) {
  return (
    <Link
      to="/datasets/$name"
      params={{ name }}
      search={{ v: version ?? undefined }}
      className="underline underline-offset-4 hover:text-ink"
    >
      {spell({ name, version })}
    </Link>
  );
}
