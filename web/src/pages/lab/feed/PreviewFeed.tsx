/** An environment in the feed before anyone trains in it. */

import { useState } from "react";
import type { FrameHeader } from "@/api/types";
import { formatCount, formatSigned } from "@/lib/format";
import type { Columns } from "@/pages/lab/use-columns";
import { PreviewPlayer } from "@/panels/preview/PreviewPlayer";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { FeedPanel, STAGE } from "./FeedPanel";

export default function PreviewFeed({
  envId,
  columns,
  onBack,
}: {
  envId: string;
  columns: Columns;
  onBack: () => void;
}) {
  const [header, setHeader] = useState<FrameHeader | null>(null);
  return (
    <FeedPanel
      title={`Preview: ${envId}`}
      columns={columns}
      badges={
        <>
          <Badge>{`EPISODE ${formatCount(header?.episode)}`}</Badge>
          <Badge>{`REWARD ${formatSigned(header?.return)}`}</Badge>
        </>
      }
      actions={
        <Button small icon="left" onClick={onBack}>
          Back to training
        </Button>
      }
    >
      <PreviewPlayer key={envId} envId={envId} bare onHeader={setHeader} className={STAGE} />
    </FeedPanel>
  );
}
