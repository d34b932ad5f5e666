import { useEffect, useRef, useState } from 'react';
import type { CommandEntry, Device } from '#shared/api/device.ts';
import { useLatest } from '../../kit/useLatest.ts';
import { useSurprise } from '../../kit/useSurprise.ts';
import { sentenceOf } from '../../words/apiError.ts';
import { useStationContext } from '../../station/context.ts';
import * as texts from '../../words/texts.ts';
import type { PressNote } from './usePresses.ts';

const DONE_MS = 4_000;
/** Longest time between the clicks of a double click, as in common operating systems. */
const DOUBLE_CLICK_MS = 500;

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
  /** The quantity after presses of plus or minus that the page does not show yet. */
  const asked = useRef<Asked>(undefined);
  const shown = useLatest(device.commands[0]);
  const acknowledging = useRef({ isBusy: false, at: -Infinity });
  const isSurprised = useSurprise(keyOf(device.commands[0]));
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
      // The answer can arrive before the page shows the new quantity.
      if (asked.current !== undefined) asked.current = { ...asked.current, atAnswer: shown.current };
      setNote({ kind: 'done', words: done });
      fading.current = setTimeout(() => setNote(undefined), DONE_MS);
    } catch (error) {
      if (!isNewest()) return;
      asked.current = undefined;
      setNote({ kind: 'failed', words: `${failed} ${sentenceOf(error)}` });
    }
  }

  return {
    note,
    acknowledge() {
      const [first] = device.commands;
      // The second press of a double click must not acknowledge the next command.
      const { isBusy, at } = acknowledging.current;
      if (first === undefined || isBusy || isSurprised() || Date.now() - at < DOUBLE_CLICK_MS) return;
      acknowledging.current = { isBusy: true, at: Date.now() };
      // Acknowledge the displayed quantity, including a press of plus that is still being sent.
      const qty = askedFor(asked.current, first);
      void run(texts.here.failed, texts.here.done, () =>
        api
          .acknowledgeCommand({ path: { DeviceID: device.deviceid }, body: { command_id: first.command_id, qty } })
          .finally(() => (acknowledging.current.isBusy = false)),
      );
    },
    adjust(by) {
      const [first] = device.commands;
      if (first === undefined || first.quantity === null) return;
      const quantity = Math.max(0, (askedFor(asked.current, first) ?? first.quantity) + by);
      asked.current = { entry: first, quantity };
      void run(texts.here.adjustFailed, texts.here.adjusted(quantity), () =>
        api.adjustCommand({ path: { DeviceID: device.deviceid }, body: { command_id: first.command_id, quantity } }),
      );
    },
  };
}

/** The quantity sent last, with the command before that, and the command that the page showed when the answer arrived. */
type Asked = { entry: CommandEntry; quantity: number; atAnswer?: CommandEntry | undefined };

/** Returns the quantity sent for the displayed command, if the page cannot show it yet. */
function askedFor(asked: Asked | undefined, displayed: CommandEntry): number | undefined {
  if (asked === undefined) return undefined;
  const { entry, quantity, atAnswer } = asked;
  const isUnchanged = atAnswer?.command_id === displayed.command_id && atAnswer.quantity === displayed.quantity;
  const isPending = atAnswer === undefined ? isSame(entry, displayed) : isUnchanged;
  return isPending ? quantity : undefined;
}

/** Whether both entries are the same command. Setting the quantity replaces a command with a new one that has the same creation time. */
function isSame(a: CommandEntry, b: CommandEntry): boolean {
  return a.command_id === b.command_id || keyOf(a) === keyOf(b);
}

/** Returns a text that stays the same while the quantity of a command changes, or an empty one without a command. */
function keyOf(entry: CommandEntry | undefined): string {
  return entry === undefined ? '' : `${entry.created_at} ${entry.nonce}`;
}
