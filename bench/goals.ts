/** A figure per round, with its goal. */
/** `isOfDisk`: the baseline mostly waits for the disk, so that the ratio depends on how fast disk and processor are. */
export type Goal = {
  name: string;
  unit: string;
  values: number[];
  atLeast?: number;
  atMost?: number;
  isOfDisk?: boolean;
};

/** Median; NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Factor by which a figure may miss its goal on a shared machine. With another busy program on two cores, the same
 * station was up to 2.5 times slower relative to its baseline.
 */
const NOISE = 3;

/** Whether the median meets the goal. */
export function isMet(goal: Goal): boolean {
  return keepsTo(goal, median(goal.values), 1);
}

/**
 * For shared machines: whether the best round meets the goal, widened by NOISE for measured figures. Other programs
 * slow some rounds; a regression slows all.
 */
export function isMetDespiteNoise(goal: Goal): boolean {
  const isCounted = goal.unit === '';
  return goal.values.some((value) => keepsTo(goal, value, isCounted ? 1 : NOISE));
}

/**
 * Whether it says the same on a fast and on a slow machine: a count, or a ratio to a baseline that
 * does not wait for the disk.
 */
export function isMachineIndependent({ unit, isOfDisk = false }: Goal): boolean {
  return !isOfDisk && (unit === '' || unit === 'x');
}

function keepsTo({ atLeast, atMost }: Goal, value: number, slack: number): boolean {
  return (atLeast === undefined || value >= atLeast / slack) && (atMost === undefined || value <= atMost * slack);
}

/** A ratio that is worse by this factor than at the last recorded commit is pointed out. */
const LOSS = 1.25;

/** Whether a ratio is clearly worse than it was. Other figures depend on the machine. */
export function isLoss({ unit, values, atLeast, atMost }: Goal, before: number | undefined): boolean {
  if (unit !== 'x' || before === undefined) return false;
  const now = median(values);
  return (atLeast !== undefined && now < before / LOSS) || (atMost !== undefined && now > before * LOSS);
}

/** Prints the table. `before`: the figures of the last recorded commit. */
export function report(goals: readonly Goal[], before: ReadonlyMap<string, number>): void {
  const rows = goals.map((goal) => {
    const sorted = goal.values.toSorted((a, b) => a - b);
    const was = before.get(goal.name);
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
      was === undefined ? '' : `${written(was)}${isLoss(goal, was) ? ' LOST' : ''}`,
    ];
  });
  const table = [['Figure', 'Median', 'Range', 'Goal', '', 'Before'], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of table)
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
}
