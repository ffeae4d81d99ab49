/** A link to the runs that learned from exactly one version of a dataset. */
import { Link } from "@tanstack/react-router";

export interface LearnersLinkProps {
  sha256: string;
  children: string;
}

export function LearnersLink({ sha256, children }: LearnersLinkProps) {
  return (
    <Link
      to="/runs"
      search={{ dataset: sha256 }}
      className="relative underline underline-offset-4 hover:text-ink"
    >
      {children}
    </Link>
  );
}
