import { useState } from 'react';
import type { ShopNames } from '../../scan/entry.ts';
import { useScans } from '../../scan/useScans.ts';
import type { Scan } from '../../scan/windowScans.ts';

/** What a person typed or scanned on Pick. */
export type EntryActions = {
  scan(scan: Scan): void;
  /** One to three digits. */
  count?(count: number): void;
  letter?(letter: string): void;
  sign?(by: 1 | -1): void;
  /** No Enter followed this text. */
  cleared(text: string): void;
  /** The same code from one scanner, within `sameMs`. */
  repeated(scan: Scan): void;
  /** An Enter came too soon after an entry. */
  deaf?(): void;
};

/** On the choice of an order, everything typed is a code. */
export const ONLY_CODES: ShopNames = { has: () => true, haveNumbers: true };

/** Hears everything that is typed or scanned on Pick as one entry; answers its text so far. */
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
      entered(entry) {
        if (entry.kind === 'count') actions.count?.(entry.count);
        if (entry.kind === 'letter') actions.letter?.(entry.letter);
      },
      signed: (by) => actions.sign?.(by),
      typed: setText,
      cleared: actions.cleared,
      deaf: () => actions.deaf?.(),
    },
  });
  return text;
}
