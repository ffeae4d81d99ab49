"""From the events of a run to statistics, insights and reports. Pure functions over arrays; no input or output."""
