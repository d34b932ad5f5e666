import { useEffect, useRef } from 'react';
import { SAME_MS, type Scan, type ScanListener, type Scans, windowScans } from './windowScans.ts';

/** Keeps codes, also those of slow scanners, while one component that receives scans replaces another. */
export function useHeldScans(): void {
  useEffect(() => windowScans().hold(), []);
}

/**
 * Reports codes from all scanners (keyboard, serial port, HID and camera) while the component is mounted. Only the
 * component that was mounted last receives codes. The same code counts once within `sameMs`, by default 2 s.
 */
export function useScans(
  onScan: (scan: Scan) => void,
  { scans, ...more }: Omit<ScanListener, 'scan'> & { scans?: Scans } = {},
): void {
  const newest = useRef({ onScan, more });
  useEffect(() => {
    newest.current = { onScan, more };
  });
  useEffect(
    () =>
      (scans ?? windowScans()).listen({
        scan: (scan) => newest.current.onScan(scan),
        key: (key) => newest.current.more.key?.(key),
        keys: (keys) => newest.current.more.keys?.(keys),
        sameMs: (code) => newest.current.more.sameMs?.(code) ?? SAME_MS,
        repeated: (scan) => newest.current.more.repeated?.(scan),
        get entry() {
          return newest.current.more.entry;
        },
      }),
    [scans],
  );
}
