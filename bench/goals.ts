/** One figure of each round, and what it must keep to. */
export type Goal = { name: string; unit: string; values: number[]; atLeast?: number; atMost?: number };

/** The middle one; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * A measured figure may miss its goal by this factor on a machine that others use at the same time. With one other program at
 * work on two cores, the same station was up to 2.5 times as slow against its baseline.
 */
const NOISE = 3;

/** Whether the median of its rounds keeps to the goal. */
export function isMet(goal: Goal): boolean {
  return keepsTo(goal, median(goal.values), 1);
}

/**
 * The same for a machine that others use at the same time: whether the best round keeps to the goal, widened by NOISE where
 * it is measured and not counted. Neighbours make some rounds worse; a slower program makes all of them worse.
 */
export function isMetDespiteNoise(goal: Goal): boolean {
  const isCounted = goal.unit === '';
  return goal.values.some((value) => keepsTo(goal, value, isCounted ? 1 : NOISE));
}

function keepsTo({ atLeast, atMost }: Goal, value: number, slack: number): boolean {
  return (atLeast === undefined || value >= atLeast / slack) && (atMost === undefined || value <= atMost * slack);
}

/** Prints the table. */
export function report(goals: readonly Goal[]): void {
  const rows = goals.map((goal) => {
    const sorted = goal.values.toSorted((a, b) => a - b);
    const written = (value: number | undefined) =>
      `${(value ?? Number.NaN).toFixed(Math.abs(value ?? 0) < 20 ? 2 : 0)}${goal.unit === '' ? '' : ` ${goal.unit}`}`;
    const limit =
      goal.atLeast !== undefined ? `≥ ${goal.atLeast}` : goal.atMost !== undefined ? `≤ ${goal.atMost}` : '';
    return [
      goal.name,
      written(median(goal.values)),
      `${written(sorted[0])} to ${written(sorted.at(-1))}`,
      limit,
      limit === '' ? '' : isMet(goal) ? 'met' : 'MISSED',
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
