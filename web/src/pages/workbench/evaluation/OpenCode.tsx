/** The evaluation code that is open, or a new one. */
import { useQuery } from "@tanstack/react-query";
import { draftKey } from "@/entities/codes/drafts";
import { codeQuery } from "@/entities/codes/queries";
import { versionOfCode } from "@/entities/codes/words";
import { Button } from "@/ui/Button";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { EvaluationCodeDesk } from "./EvaluationCodeDesk";
import type { OpenedFrom } from "./opened-from";

export function OpenCode({
  name,
  version,
  ...from
}: OpenedFrom & { name: string; version: number | undefined }) {
  if (name === "new") return <EvaluationCodeDesk {...from} code={null} version={null} />;
  return <SavedCode {...from} name={name} version={version} />;
}

function SavedCode({ name, version, ...from }: OpenedFrom & { name: string; version: number | undefined }) {
  const code = useQuery(codeQuery("evaluation", name));
  const back = <Button onClick={() => from.onOpen({})}>All evaluation code</Button>;
  if (code.isPending) return <Loading lines={10} />;
  if (code.isError) return <ErrorState error={code.error} action={back} />;
  const shown = versionOfCode(code.data, version);
  if (!shown)
    return (
      <EmptyState title="There is no such version" action={back}>
        It was deleted; evaluations that used it keep their copy.
      </EmptyState>
    );
  const key = draftKey("evaluation", shown.name, shown.version);
  return <EvaluationCodeDesk key={key} {...from} code={code.data} version={shown} />;
}
