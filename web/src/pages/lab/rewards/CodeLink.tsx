/** Leads to the code of the chosen reward, or says why there is none to open. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { codesQuery } from "@/entities/codes/queries";
import { findContents, readSpelledCode, spellCode } from "@/entities/codes/words";

export interface CodeLinkProps {
  /** The reward as a link spells it. */
  chosen: string;
  className: string;
}

export function CodeLink({ chosen, className }: CodeLinkProps) {
  const wanted = readSpelledCode(chosen);
  // Of all environments: the form's own list has only what was written for this one.
  const codes = useQuery(codesQuery("reward"));
  const saved = codes.data && findContents(codes.data, wanted);
  if (codes.data && !saved)
    return (
      <span>
        {wanted.sha256
          ? `${spellCode(wanted)} was deleted; a new training uses the copy of its run.`
          : `${spellCode(wanted)} was deleted. Choose another reward, or save it again in the Workbench.`}
      </span>
    );
  const { name, version } = saved ?? wanted;
  return (
    <Link
      to="/workbench"
      search={{ tab: "rewards", name, version: version ?? undefined }}
      className={className}
    >
      Open its code
    </Link>
  );
}
