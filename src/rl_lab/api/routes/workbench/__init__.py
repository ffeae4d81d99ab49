"""Routes of the workbench: user code, the reward bench, protocols, derived metrics, alerts."""
