import { queryOptions } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { Tensorboard } from "@/api/types";
import { keys } from "@/entities/query-keys";

const LOOK_MS = 300;

export const tensorboardOfferQuery = (runId: string) =>
  queryOptions({
    queryKey: keys.tensorboard(runId),
    queryFn: ({ signal }) =>
      data(api.GET("/api/runs/{run_id}/tensorboard", { params: { path: { run_id: runId } }, signal })),
  });

export const wandbQuery = (runId: string) =>
  queryOptions({
    queryKey: keys.wandb(runId),
    queryFn: ({ signal }) =>
      data(api.GET("/api/runs/{run_id}/wandb", { params: { path: { run_id: runId } }, signal })),
  });

/** Writes every series as event files into the run's folder; doing it again adds the new points. */
export const exportEventFiles = (runId: string) =>
  data(api.POST("/api/runs/{run_id}/tensorboard", { params: { path: { run_id: runId } } }));

/** Starts TensorBoard for these runs, or finds the one that already runs, and waits until it is ready. */
export async function openTensorboard(runIds: readonly string[]): Promise<Tensorboard> {
  let board: Tensorboard = await data(api.POST("/api/tensorboards", { body: { run_ids: [...runIds] } }));
  while (board.state === "starting") {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const path = { tensorboard_id: board.id };
    board = await data(api.GET("/api/tensorboards/{tensorboard_id}", { params: { path } }));
  }
  return board;
}
