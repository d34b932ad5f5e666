import { hideInLogLine } from '../domain/station/hiddenSecrets.ts';
import type { Clock } from '../ports.ts';

/** Maximum burst of lines, in bytes. After a burst, lines are limited to the rate below, to spare the processor and a memory card. */
const BURST_BYTES = 4 * 2 ** 20;
const BYTES_PER_SECOND = 16 * 1_024;
const MAX_LINE_BYTES = 64 * 1_024;

/** Creates a limit for how fast lines are added to the log. */
export function createFloodLimit(clock: Pick<Clock, 'monotonic'>) {
  let budget = BURST_BYTES;
  let budgetAt = clock.monotonic();
  return {
    /** Whether a line of this length may be added. Counts the line only if there is room for it. */
    take(bytes: number, hasRoom: boolean): boolean {
      const now = clock.monotonic();
      budget = Math.min(BURST_BYTES, budget + ((now - budgetAt) / 1_000) * BYTES_PER_SECOND);
      budgetAt = now;
      if (bytes > budget || !hasRoom) return false;
      budget -= bytes;
      return true;
    },
  };
}

/** Creates a filter that replaces secrets in lines and shortens long lines. `secrets` are texts that no line may contain. */
export function createHiding(secrets: readonly string[]) {
  let cleaner: (() => (text: string) => string) | undefined;
  let clean = (text: string): string => text;

  function cleanAll(text: string): string {
    return clean(secrets.reduce((so, secret) => so.replaceAll(secret, '***'), text));
  }

  function hideInLine(line: string): string {
    const hidden = hideInLogLine(line.trimEnd(), cleanAll);
    return `${hidden.length > MAX_LINE_BYTES ? `${hidden.slice(0, MAX_LINE_BYTES)}…` : hidden}\n`;
  }

  return {
    /**
     * Sets the function that removes further secrets. `next` is called once for each batch of lines. If it throws, the function that it
     * last returned is used.
     */
    setCleaner: (next: () => (text: string) => string): void => void (cleaner = next),
    hideIn(lines: readonly string[]): string {
      try {
        clean = cleaner?.() ?? clean;
      } catch {
        // The station that created the cleaner has stopped.
      }
      return lines.map(hideInLine).join('');
    },
  };
}
