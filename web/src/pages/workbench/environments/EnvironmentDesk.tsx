/** One environment of one's own: its code, what the check says, its versions. */
import { useNavigate } from "@tanstack/react-router";
import { EnvironmentSelect } from "@/pages/workbench/rewards/EnvironmentSelect";
import { environmentWords } from "@/panels/code-editor/words";
import { CodeDesk } from "@/panels/saved-code/CodeDesk";
import { DeskHeader } from "@/panels/saved-code/DeskHeader";
import {
  type CodeDeskState,
  type OpenedVersion,
  useCodeDesk,
  whyNotUse,
} from "@/panels/saved-code/use-code-desk";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import type { OpensEnvironment } from "./opening";
import { isWrapper, USUALLY_WRAPPED } from "./wrapper";

/** Trying an environment takes seconds of a processor, so a longer pause of the keys is waited for. */
const QUIET_MS = 2500;
const WORDS = environmentWords();

export function EnvironmentDesk(opened: OpenedVersion & OpensEnvironment) {
  const desk = useCodeDesk({
    ...opened,
    kind: "environment",
    untitled: "New environment",
    quietMs: QUIET_MS,
  });
  const { draft, checking } = desk;
  const wraps = draft.envId !== "" || isWrapper(draft.source, checking.check ?? checking.stale);
  const envId = opened.version?.check?.environment?.id;
  return (
    <CodeDesk
      desk={desk}
      words={WORDS}
      triedOn="steps"
      mostLines={40}
      header={
        <DeskHeader
          desk={desk}
          all="All your environments"
          actions={<UseButtons desk={desk} envId={envId} isWrapper={wraps} />}
        >
          {envId && <Badge>{envId}</Badge>}
          {wraps && <Wrapped desk={desk} />}
        </DeskHeader>
      }
    />
  );
}

/** The environment that a wrapper is tried around. */
function Wrapped({ desk: { draft } }: { desk: CodeDeskState }) {
  return (
    <div className="flex items-center gap-2 max-sm:w-full">
      <span aria-hidden="true" className="text-xs whitespace-nowrap text-ink-2">
        Tried around
      </span>
      <div className="w-56 min-w-0 max-sm:flex-1">
        <EnvironmentSelect
          label="Tried around"
          value={draft.envId}
          any={`${USUALLY_WRAPPED} (default)`}
          onChange={draft.setEnvId}
        />
      </div>
    </div>
  );
}

interface UseButtonsProps {
  desk: CodeDeskState;
  /** Its id in the catalogue; absent for a wrapper, and for code that does not work. */
  envId: string | undefined;
  isWrapper: boolean;
}

function UseButtons({ desk, envId, isWrapper: wraps }: UseButtonsProps) {
  const navigate = useNavigate();
  const reason = whyNotUse(desk) ?? (envId ? null : whyNoEnvironment(wraps));
  return (
    <>
      <Button icon="play" reason={reason} onClick={() => void navigate({ to: "/", search: { env: envId } })}>
        Train in it
      </Button>
      <Button reason={reason} onClick={() => void navigate({ to: "/play", search: { env: envId } })}>
        Play
      </Button>
    </>
  );
}

const whyNoEnvironment = (wraps: boolean): string =>
  wraps
    ? "It is a wrapper: choose it under “Wrappers of the environment” in the form of a training."
    : "It does not work yet; see the check.";
