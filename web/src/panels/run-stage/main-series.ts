/** The series that says most about a run: its reward, under any of the names that libraries use. Pure. */
export function mainSeries(names: readonly string[]): string | null {
  const ranked = [/^mean_reward$/, /rew.*mean|mean.*rew/, /rew|return|score/, /./];
  for (const pattern of ranked) {
    const found = names.find((name) => pattern.test(name.toLowerCase()));
    if (found !== undefined) return found;
  }
  return null;
}
