import { useEffect, useRef, useState } from 'react';
import { sentenceOf } from '../../words/apiError.ts';
import type { SimulatedButton, SimulatedHold } from '../../station/calls/api.ts';
import { useStationContext } from '../../station/context.ts';
import * as texts from '../../words/texts.ts';

/** The result of the last press, shown next to the device. */
export type PressNote = { kind: 'going' | 'done' | 'failed'; words: string };

const DONE_MS = 1_500;

/** Presses a device's buttons without hardware and reports the result. */
export function usePresses(deviceid: string): {
  note: PressNote | undefined;
  press(button: SimulatedButton, hold: SimulatedHold): void;
  dismiss(): void;
} {
  const { api } = useStationContext();
  const [note, setNote] = useState<PressNote>();
  const newest = useRef(0);
  const fading = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(fading.current), []);

  async function press(button: SimulatedButton, hold: SimulatedHold): Promise<void> {
    const mine = ++newest.current;
    clearTimeout(fading.current);
    setNote({ kind: 'going', words: texts.device.pressing });
    try {
      await api.pressSimulatedDevice({ path: { DeviceID: deviceid }, body: { button, hold } });
      if (mine !== newest.current) return;
      setNote({ kind: 'done', words: hold === 'long' ? texts.device.longPressed : texts.device.pressed });
      fading.current = setTimeout(() => setNote(undefined), DONE_MS);
    } catch (error) {
      if (mine !== newest.current) return;
      setNote({ kind: 'failed', words: `${texts.device.pressFailed} ${sentenceOf(error)}` });
    }
  }

  return { note, press: (button, hold) => void press(button, hold), dismiss: () => setNote(undefined) };
}
