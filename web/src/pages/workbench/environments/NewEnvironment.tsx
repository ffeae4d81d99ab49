/** What a new environment begins with: a working example, or files that are dropped or chosen. */
import { NewCode } from "@/panels/saved-code/NewCode";
import { FileDrop } from "./FileDrop";
import type { OpensEnvironment } from "./opening";

export function NewEnvironment({ onOpen }: OpensEnvironment) {
  return (
    <NewCode kind="environment" title="New environment" all="All your environments" onBack={() => onOpen({})}>
      <FileDrop />
    </NewCode>
  );
}
