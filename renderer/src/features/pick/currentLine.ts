import { useEffect } from 'react';
import type { Api } from '../../station/calls/api.ts';
import { useStationContext } from '../../station/context.ts';

type Report = (itemId: number | null) => void;

const reports = new WeakMap<object, Report>();

/**
 * Returns a function that reports the current line to the station. Requests are sent one after another, because concurrent ones could
 * arrive in a different order, and the station would then keep an earlier line. Skips lines that were replaced before they were sent.
 */
export function lineReporter(api: Pick<Api, 'setCurrentLine'>): Report {
  const known = reports.get(api);
  if (known !== undefined) return known;
  let waiting: { itemId: number | null } | undefined;
  let isSending = false;
  async function send(): Promise<void> {
    while (waiting !== undefined) {
      const { itemId } = waiting;
      waiting = undefined;
      // Ignore a failure: if the line was pressed in the meantime, it is no longer anybody's current line.
      // oxlint-disable-next-line no-await-in-loop -- the order of the requests matters
      await api.setCurrentLine({ body: { item_id: itemId } }).catch(() => undefined);
    }
    isSending = false;
  }
  const report: Report = (itemId) => {
    waiting = { itemId };
    if (isSending) return;
    isSending = true;
    void send();
  };
  reports.set(api, report);
  return report;
}

/** Reports to the station which line this person is looking at, while the page is open. */
export function useCurrentLine(shownId: number | null, isLost: boolean): void {
  const { api } = useStationContext();
  useEffect(() => {
    if (!isLost) lineReporter(api)(shownId);
  }, [api, isLost, shownId]);
  useEffect(() => () => lineReporter(api)(null), [api]);
}
