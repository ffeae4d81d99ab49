/** Alerts in words. Pure. */
import type { AlertDelivery, AlertFiring, AlertRule } from "@/api/types";

/** "all trainings", "environment CartPole-v1". */
export function scopeText({ scope = {} }: AlertRule): string {
  if (scope.run_id) return `run ${scope.run_id}`;
  if (scope.env_id) return `trainings in ${scope.env_id}`;
  if (scope.tag) return `trainings with the tag ${scope.tag}`;
  return scope.study_id ? `trainings of the study ${scope.study_id}` : "all trainings";
}

/** What happens besides the message in the page; null for nothing. */
export function actionsText({ command, webhook }: AlertRule): string | null {
  const parts = [command && `executes ${command.join(" ")}`, webhook && `sends to ${webhook}`].filter(
    Boolean,
  );
  return parts.length > 0 ? parts.join(" · ") : null;
}

export const deliveryText = ({ state, message }: AlertDelivery): string =>
  state === "waiting" || state === "sending" ? "in progress" : message;

export const deliveriesOf = ({ deliveries = {} }: AlertFiring): [string, AlertDelivery][] =>
  Object.entries(deliveries).flatMap(([action, delivery]) => (delivery ? [[action, delivery]] : []));
