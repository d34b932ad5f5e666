import { useEffect, useRef, useState } from 'react';
import { useScans } from '../../scan/useScans.ts';
import { GAP_MS, type KeyScan, type WedgeKey } from '../../scan/wedge.ts';
import type { Scan } from '../../scan/windowScans.ts';
import { GROUP_MS } from './diagnose.ts';

/** Maximum number of keys without a pause. No code is longer. */
const MAX_KEYS = 400;

export type Trace = {
  /** The last keys without a pause between them, typed by a scanner or a person. */
  keys: readonly WedgeKey[];
  /** Whether a pause has followed the last key. */
  isQuiet: boolean;
  /** The scan that these keys form, or a scan from a different source. */
  scan: Scan | undefined;
  keyScan: KeyScan | undefined;
};

const NOTHING: Trace = { keys: [], isQuiet: false, scan: undefined, keyScan: undefined };

/** Records everything that scanners and keyboards send while the component is mounted. */
export function useTrace(onScan: (scan: Scan) => void): Trace {
  const [trace, setTrace] = useState(NOTHING);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function keyPressed(key: WedgeKey): void {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setTrace((now) => ({ ...now, isQuiet: true })), GROUP_MS);
    setTrace((now) => {
      const last = now.keys.at(-1);
      // The next scan starts a new group, but an LF after a CR belongs to the same scan.
      const limit = now.keyScan === undefined ? GROUP_MS : GAP_MS;
      const isNew = last === undefined || key.at - last.at >= limit;
      return isNew
        ? { ...NOTHING, keys: [key] }
        : { ...now, isQuiet: false, keys: [...now.keys, key].slice(-MAX_KEYS) };
    });
  }

  useScans(
    (scan) => {
      onScan(scan);
      setTrace((now) => (scan.source === 'keyboard' ? { ...now, scan } : { ...NOTHING, scan, isQuiet: true }));
    },
    {
      sameMs: () => 0,
      key: keyPressed,
      keys: (keyScan) => setTrace((now) => ({ ...now, keyScan })),
    },
  );
  return trace;
}
