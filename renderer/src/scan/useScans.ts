import { useEffect, useRef } from 'react';
import { type Scan, type ScanListener, type Scans, windowScans } from './windowScans.ts';

/**
 * Hears every scanner while the component is drawn: keyboard, serial port, HID and camera. Of several components, the
 * newest hears. The same code within 2 s counts once, unless `repeats`.
 */
export function useScans(
  onScan: (scan: Scan) => void,
  { repeats = false, scans, ...more }: Partial<Omit<ScanListener, 'scan'>> & { scans?: Scans } = {},
): void {
  const newest = useRef({ onScan, more, repeats });
  useEffect(() => {
    newest.current = { onScan, more, repeats };
  });
  useEffect(
    () =>
      (scans ?? windowScans()).listen({
        scan: (scan) => newest.current.onScan(scan),
        key: (key) => newest.current.more.key?.(key),
        keys: (keys) => newest.current.more.keys?.(keys),
        get repeats() {
          return newest.current.repeats;
        },
      }),
    [scans],
  );
}
