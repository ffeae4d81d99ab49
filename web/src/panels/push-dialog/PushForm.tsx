/** Where a model goes, and under which licence. */
import { useId, useState } from "react";
import type { NewPush } from "@/api/types";
import { problemOfRepo, suggestRepo, userOf } from "@/entities/hub/repo";
import { recall, remember } from "@/lib/remembered";
import { Button } from "@/ui/Button";
import { Select } from "@/ui/Select";
import { SwitchRow } from "@/ui/SwitchRow";
import { CardPreview } from "./CardPreview";
import type { PushedCheckpoint } from "./dialog";

type Licence = NonNullable<NewPush["licence"]>;
const LICENCES: { value: Licence | "default"; title: string }[] = [
  { value: "default", title: "Licence: as in the settings" },
  { value: "mit", title: "MIT" },
  { value: "apache-2.0", title: "Apache 2.0" },
  { value: "bsd-3-clause", title: "BSD 3-Clause" },
  { value: "cc0-1.0", title: "CC0: public domain" },
  { value: "other", title: "All rights reserved" },
];
const USER = "hub-user";

export interface PushFormProps {
  checkpoint: PushedCheckpoint;
  isBusy: boolean;
  onPush: (wanted: NewPush) => void;
}

export function PushForm({ checkpoint, isBusy, onPush }: PushFormProps) {
  const field = useId();
  const suggested = suggestRepo(recall(USER, ""), checkpoint.algorithm, checkpoint.envId);
  const [repo, setRepo] = useState(suggested);
  const [isPrivate, setIsPrivate] = useState(false);
  const [video, setVideo] = useState(true);
  const [chosen, setChosen] = useState<Licence | "default">("default");
  const [isShown, setIsShown] = useState(false);
  const problem = problemOfRepo(repo);
  const licence = chosen === "default" ? undefined : chosen;
  const push = () => {
    remember(USER, userOf(repo));
    onPush({ checkpoint: checkpoint.id, repo: repo.trim(), private: isPrivate, video, message: "", licence });
  };
  return (
    <form
      className="flex flex-col gap-4 text-sm"
      onSubmit={(event) => {
        event.preventDefault();
        if (!problem && !isBusy) push();
      }}
    >
      <div className="flex flex-col gap-1">
        <label htmlFor={field} className="text-ink-2">
          Repository on the Hub
        </label>
        <input
          id={field}
          value={repo}
          maxLength={96}
          spellCheck={false}
          autoComplete="off"
          placeholder="user/name"
          aria-describedby={`${field}-hint`}
          aria-invalid={problem !== null && repo !== suggested}
          onChange={(event) => setRepo(event.target.value)}
          className="figures h-9 rounded-sm border border-line-strong bg-surface px-2 aria-invalid:border-warn"
        />
        <p id={`${field}-hint`} className="text-xs text-ink-2">
          {problem ?? "It is created if it does not exist."}
        </p>
      </div>
      <SwitchRow title="Private, if the repository is new" checked={isPrivate} onChange={setIsPrivate} />
      <SwitchRow
        title="With a video; an evaluation makes a missing one"
        checked={video}
        onChange={setVideo}
      />
      <Select label="Licence" value={chosen} options={LICENCES} onChange={setChosen} />
      {isShown && <CardPreview checkpointId={checkpoint.id} choices={{ licence, video }} />}
      <div className="flex flex-wrap items-center gap-3 border-t pt-4">
        <p className="min-w-40 flex-1 text-xs text-ink-2 max-sm:basis-full">
          The token is the one that “hf auth login” keeps on the lab’s machine.
        </p>
        <Button className="max-sm:ml-auto" onClick={() => setIsShown(!isShown)} aria-expanded={isShown}>
          {isShown ? "Hide the card" : "Preview the card"}
        </Button>
        <Button kind="primary" type="submit" reason={problem} disabled={isBusy}>
          {isBusy ? "Pushing…" : "Push"}
        </Button>
      </div>
    </form>
  );
}
