import { createStore } from "@/lib/store";

export const KNOWN_FORMATS =
  "TensorBoard, Stable-Baselines3, rl-zoo, CleanRL, Ray Tune, W&B offline, MLflow, Trackio and Neptune export";

export interface AdoptDialogState {
  isOpen: boolean;
  /** What was dropped on the page. */
  folder: string;
}

export const adoptDialog = createStore<AdoptDialogState>({ isOpen: false, folder: "" });
