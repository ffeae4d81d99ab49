/** A button whose menu downloads runs and studies: tables, figures, a report, event files, a pack. */
import { Button } from "@/ui/Button";
import { Menu } from "@/ui/Menu";
import { EXPORTS, exportAddress, MOST_IN_ADDRESS, packAddress, type Subjects } from "./addresses";

export interface ExportMenuProps {
  subjects: Subjects;
  /** Why no pack can be made: runs that have not ended. */
  whyNoPack?: string | null;
}

export function ExportMenu({ subjects, whyNoPack = null }: ExportMenuProps) {
  const many = (subjects.runs?.length ?? 0) > MOST_IN_ADDRESS;
  const reason = many
    ? `At most ${MOST_IN_ADDRESS} runs at once; the command rl-lab export takes more.`
    : null;
  return (
    <Menu
      trigger={
        <Button small icon="download">
          Export
        </Button>
      }
      items={[
        ...EXPORTS.map(({ title, format, table }) => ({
          title,
          reason,
          run: () => window.location.assign(exportAddress(subjects, format, table)),
        })),
        {
          title: "Pack for another lab (ZIP)",
          reason: reason ?? whyNoPack,
          run: () => window.location.assign(packAddress(subjects)),
        },
      ]}
    />
  );
}
