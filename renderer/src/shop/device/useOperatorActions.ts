import { useEffect, useRef, useState } from 'react';
import type { CommandEntry, Device } from '#shared/api/device.ts';
import { sentenceOf } from '../../words/apiError.ts';
import { useStationContext } from '../../station/context.ts';
import * as texts from '../../words/texts.ts';
import type { PressNote } from './usePresses.ts';

const DONE_MS = 4_000;

/**
 * Returns functions that acknowledge and adjust the first command of a device on behalf of an operator at the
 * station, and a note about the result.
 */
export function useOperatorActions(device: Device): {
  note: PressNote | undefined;
  acknowledge(): void;
  adjust(by: 1 | -1): void;
} {
  const { api } = useStationContext();
  const [note, setNote] = useState<PressNote>();
  /** The quantity after quick presses of plus or minus that the station has not answered yet. */
  const asked = useRef<{ entry: CommandEntry; quantity: number }>(undefined);
  const newest = useRef(0);
  const fading = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(fading.current), []);

  async function run(failed: string, done: string, call: () => Promise<unknown>): Promise<void> {
    const mine = ++newest.current;
    const isNewest = () => mine === newest.current;
    clearTimeout(fading.current);
    setNote({ kind: 'going', words: texts.here.going });
    try {
      await call();
      if (!isNewest()) return;
      setNote({ kind: 'done', words: done });
      fading.current = setTimeout(() => setNote(undefined), DONE_MS);
    } catch (error) {
      if (isNewest()) setNote({ kind: 'failed', words: `${failed} ${sentenceOf(error)}` });
    } finally {
      if (isNewest()) asked.current = undefined;
    }
  }

  return {
    note,
    acknowledge() {
      const [first] = device.commands;
      if (first === undefined) return;
      // Acknowledge the displayed quantity, including a press of plus that is still being sent.
      const qty = isSame(asked.current?.entry, first) ? asked.current?.quantity : undefined;
      void run(texts.here.failed, texts.here.done, () =>
        api.acknowledgeCommand({ path: { DeviceID: device.deviceid }, body: { command_id: first.command_id, qty } }),
      );
    },
    adjust(by) {
      const [first] = device.commands;
      if (first === undefined || first.quantity === null) return;
      const from = isSame(asked.current?.entry, first) ? (asked.current?.quantity ?? first.quantity) : first.quantity;
      const quantity = Math.max(0, from + by);
      asked.current = { entry: first, quantity };
      void run(texts.here.adjustFailed, texts.here.adjusted(quantity), () =>
        api.adjustCommand({ path: { DeviceID: device.deviceid }, body: { command_id: first.command_id, quantity } }),
      );
    },
  };
}

/** Whether both entries are the same command. Setting the quantity replaces a command with a new one that has the same creation time. */
function isSame(a: CommandEntry | undefined, b: CommandEntry): boolean {
  return a !== undefined && (a.command_id === b.command_id || (a.created_at === b.created_at && a.nonce === b.nonce));
}
