import { useState } from 'react';
import type { ShopNames } from '../../scan/entry.ts';
import { useScans } from '../../scan/useScans.ts';
import type { Scan } from '../../scan/windowScans.ts';

/** Handlers for what a person types or scans on Pick. `at` is the time of the last key, in milliseconds of `performance.now`. */
export type EntryActions = {
  scan(scan: Scan): void;
  /** Called for a count of one to three digits. `since` is the time of its first key, in milliseconds of `performance.now`. */
  count?(count: number, since: number, at: number): void;
  letter?(letter: string, at: number): void;
  sign?(by: 1 | -1, at: number): void;
  /** Called with the count that Enter would set now, or undefined if what is typed is not a count. */
  typing?(count: number | undefined): void;
  /** Called when typed text is discarded because no Enter followed. */
  cleared(text: string): void;
  /** Called when a scanner repeats a code within `sameMs`. */
  repeated(scan: Scan): void;
  /** Called when an Enter is ignored because it came too soon after an entry. */
  inert?(): void;
  /**
   * Called for an Enter that was pressed on its own. `press` presses the button that has the focus, and `isChosen` tells whether it got the
   * focus by Tab. Without this handler, the button is pressed.
   */
  enter?(at: number, press: () => void, isChosen: boolean): void;
  /** Called for a scan of which the browser cannot read all characters. */
  unreadable(at: number): void;
};

/** Shop names for a page where everything typed is a code, such as the page for choosing an order. */
export const ONLY_CODES: ShopNames = { has: () => true, haveNumbers: true };

/** Treats everything typed or scanned on Pick as one entry. Returns the text typed so far. */
export function useEntry(
  actions: EntryActions,
  { names, sameMs }: { names: ShopNames; sameMs?: (code: string) => number },
): string {
  const [text, setText] = useState('');
  useScans(actions.scan, {
    ...(sameMs === undefined ? {} : { sameMs }),
    repeated: actions.repeated,
    entry: {
      names: () => names,
      entered(entry, at) {
        if (entry.kind === 'count') actions.count?.(entry.count, entry.since, at);
        if (entry.kind === 'letter') actions.letter?.(entry.letter, at);
      },
      signed: (by, at) => actions.sign?.(by, at),
      typed(now, count) {
        setText(now);
        actions.typing?.(count);
      },
      cleared: actions.cleared,
      inert: () => actions.inert?.(),
      enter: actions.enter ?? ((_, press) => press()),
      unreadable: actions.unreadable,
    },
  });
  return text;
}
