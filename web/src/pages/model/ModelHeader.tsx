/** Name, roles, named versions and tags of a checkpoint, and what can be done with it. */
import { Link } from "@tanstack/react-router";
import type { CheckpointDetail } from "@/api/types";
import { scoreHelp, scoreText } from "@/entities/checkpoints/score";
import { subjectOfItem, whyNotPlay } from "@/entities/checkpoints/subject";
import { placeText, rolesOf, versionName } from "@/entities/checkpoints/words";
import { CheckpointMenu } from "@/panels/checkpoint-menu/CheckpointMenu";
import { useTest } from "@/panels/checkpoint-menu/use-items";
import { nameDialog } from "@/panels/name-model/dialog";
import { Badge } from "@/ui/Badge";
import { Button, IconButton } from "@/ui/Button";

export function ModelHeader({ item }: { item: CheckpointDetail }) {
  const test = useTest(item);
  return (
    <header className="flex flex-col gap-2">
      <nav aria-label="Where this is" className="text-xs text-ink-3">
        <Link to="/models" className="underline underline-offset-2 hover:text-ink">
          Models
        </Link>
      </nav>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="min-w-0 text-lg font-semibold break-words">
          <Link to="/runs/$runId" params={{ runId: item.run_id }} className="hover:underline">
            {item.run_name}
          </Link>
          <span className="font-normal text-ink-2">{` · ${placeText(item)}`}</span>
        </h1>
        <p className="flex flex-wrap items-center gap-1.5">
          {rolesOf(item).map((role) => (
            <Badge key={role} tone={role === "best" ? "strong" : "plain"}>
              {role}
            </Badge>
          ))}
          {item.models.map(({ name, version, labels }) => (
            <Badge key={`${name} ${version}`} tone="good">
              {[versionName(name, version), ...labels].join(" · ")}
            </Badge>
          ))}
          {item.pinned && <Badge>pinned</Badge>}
          {item.tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </p>
        <div className="flex flex-wrap items-center gap-2 lg:ml-auto">
          <Button
            icon="play"
            reason={whyNotPlay(item)}
            disabled={test.isPending}
            onClick={() => test.start()}
          >
            Test
          </Button>
          <Button icon="plus" onClick={() => nameDialog.set(item)}>
            Name it…
          </Button>
          <CheckpointMenu
            subject={subjectOfItem(item)}
            shown="checkpoint"
            trigger={<IconButton icon="more" label="More" />}
          />
        </div>
      </div>
      <p title={scoreHelp(item.score)} className="figures text-xs text-ink-2">
        {item.score ? `Return ${scoreText(item.score)}` : "No return measured yet"}
      </p>
    </header>
  );
}
