"""User code and its versions, evaluation protocols, derived metrics and alerts, as rows of lab.db."""
