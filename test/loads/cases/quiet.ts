import { setTimeout as pause } from 'node:timers/promises';

/** Nothing but the presses of one device: what each case costs at least. */
export async function pressesOnly(): Promise<void> {
  await pause(2_000);
}
