/** Values of a figure, one per round, and its goal. Most goals are counts or ratios, because machines differ in speed. */
export type Goal = {
  name: string;
  /** Empty for a count, 'x' for a ratio to a baseline from the same run, otherwise a unit such as 'ms'. */
  unit: string;
  values: number[];
  atMost?: number;
};

/** Returns the median of the values, or NaN if there are none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the `part` quantile (0 to 1) of the values, or NaN if there are none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? Number.NaN;
}

/** Whether the best round meets the goal. Other programs slow down some rounds, but a regression slows down all of them. */
export function isMet({ values, atMost }: Goal): boolean {
  return atMost === undefined || values.some((value) => value <= atMost);
}

/** Prints the figures as a table. */
export function report(goals: readonly Goal[]): void {
  const rows = goals.map((goal) => {
    const written = (value: number | undefined) =>
      `${(value ?? Number.NaN).toFixed(Math.abs(value ?? 0) < 20 ? 2 : 0)}${goal.unit === '' ? '' : ` ${goal.unit}`}`;
    const hasGoal = goal.atMost !== undefined;
    return [
      goal.name,
      written(median(goal.values)),
      `${written(quantile(goal.values, 0))} to ${written(quantile(goal.values, 1))}`,
      hasGoal ? `≤ ${goal.atMost}` : '',
      hasGoal ? (isMet(goal) ? 'met' : 'MISSED') : '',
    ];
  });
  const table = [['Figure', 'Median', 'Range', 'Goal', ''], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of table)
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
}
