import { useCallback, useEffect, useState } from 'react';

const PATH = /^\/devices\/([0-9A-F]{6}:[0-9A-F]{6})\/?$/i;

/** The address of a device's panel. */
export function deviceAddress(deviceid: string): string {
  return `/devices/${deviceid}`;
}

/** Which device the address bar names, if any; selecting writes it there, so that links, reload and "back" work. */
export function useSelection(): { selected: string | undefined; select(deviceid: string | undefined): void } {
  const [selected, setSelected] = useState(readAddress);

  useEffect(() => {
    const follow = () => setSelected(readAddress());
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);

  const select = useCallback((deviceid: string | undefined) => {
    if (deviceid === readAddress()) return;
    window.history.pushState(null, '', deviceid === undefined ? '/' : deviceAddress(deviceid));
    setSelected(deviceid);
  }, []);

  return { selected, select };
}

function readAddress(): string | undefined {
  return PATH.exec(decodeURI(window.location.pathname))?.[1]?.toUpperCase();
}
