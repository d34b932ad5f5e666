import { useEffect } from 'react';
import type { Api } from '../../station/calls/api.ts';
import { useStationContext } from '../../station/context.ts';

/** A line, by the id of its item or, in a batch, of its command. */
type Shown = number | string | null;
type Report = (line: Shown) => void;

const reports = new WeakMap<object, Report>();

/**
 * Returns a function that reports the current line to the station. Requests are sent one after another, because concurrent ones could
 * arrive in a different order, and the station would then keep an earlier line. Skips lines that were replaced before they were sent.
 */
export function lineReporter(api: Pick<Api, 'setCurrentLine'>): Report {
  const known = reports.get(api);
  if (known !== undefined) return known;
  let waiting: { line: Shown } | undefined;
  let isSending = false;
  async function send(): Promise<void> {
    while (waiting !== undefined) {
      const { line } = waiting;
      waiting = undefined;
      // Ignore a failure: if the line was pressed in the meantime, it is no longer anybody's current line.
      // oxlint-disable-next-line no-await-in-loop -- the order of the requests matters
      await api
        .setCurrentLine({ body: typeof line === 'string' ? { command_id: line } : { item_id: line } })
        .catch(() => undefined);
    }
    isSending = false;
  }
  const report: Report = (line) => {
    waiting = { line };
    if (isSending) return;
    isSending = true;
    void send();
  };
  reports.set(api, report);
  return report;
}

/** Reports to the station which line this person is looking at, while the page is open. */
export function useCurrentLine(shown: Shown, isLost: boolean): void {
  const { api } = useStationContext();
  useEffect(() => {
    if (!isLost) lineReporter(api)(shown);
  }, [api, isLost, shown]);
  useEffect(() => () => lineReporter(api)(null), [api]);
}
