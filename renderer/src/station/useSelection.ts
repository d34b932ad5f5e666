import { useCallback } from 'react';
import { useLocation } from 'wouter';

const PATH = /^\/devices\/([0-9A-F]{6}:[0-9A-F]{6})\/?$/i;

/** The address of a device's panel. */
export function deviceAddress(deviceid: string): string {
  return `/devices/${deviceid}`;
}

/** Which device the address bar names, if any; selecting writes it there, so that links, reload and "back" work. */
export function useSelection(): { selected: string | undefined; select(deviceid: string | undefined): void } {
  const [path, navigate] = useLocation();
  const selected = PATH.exec(decodeURI(path))?.[1]?.toUpperCase();
  const select = useCallback(
    // The zone that is shown stays.
    (deviceid: string | undefined) =>
      navigate(`${deviceid === undefined ? '/' : deviceAddress(deviceid)}${window.location.search}`),
    [navigate],
  );
  return { selected, select };
}
