/** Opens TensorBoard for one run or a comparison in a new tab; disabled with a reason when that is not possible. */

import { useQuery } from "@tanstack/react-query";
import { tensorboardOfferQuery } from "@/entities/dashboards/queries";
import { useOpenTensorboard } from "@/entities/dashboards/use-dashboards";
import { Button } from "@/ui/Button";

export interface TensorboardButtonProps {
  runIds: readonly string[];
  small?: boolean;
}

export function TensorboardButton({ runIds, small }: TensorboardButtonProps) {
  const first = runIds[0] ?? "";
  const offer = useQuery({ ...tensorboardOfferQuery(first), enabled: first !== "" });
  const reason = offer.data?.can_open === false ? [offer.data.reason, offer.data.next_step].join(" ") : null;
  const open = useOpenTensorboard();
  return (
    <Button
      small={small}
      icon="chart"
      reason={first === "" ? "Select a run first." : reason}
      disabled={open.isPending}
      onClick={() => open.mutate(runIds)}
    >
      {open.isPending ? "Starting TensorBoard…" : "Open TensorBoard"}
    </Button>
  );
}
