import { useCallback, useEffect, useRef, useState } from 'react';
import type { LastOrderImport } from '#shared/api/orderImport.ts';
import { useStationContext } from '../../../station/context.ts';
import { browserStorage } from '../../../ui/storage.ts';

const HIDDEN_KEY = 'orders.hiddenImport';

/** After the last of many changes. */
const CALM_MS = 300;

/**
 * The last import that the station keeps, and whether somebody hid it in this browser. `orders`: how many there are; the
 * import is loaded again when that changes.
 */
export function useLastOrderImport(orders = 0) {
  const { api } = useStationContext();
  const [last, setLast] = useState<LastOrderImport | null>(null);
  const [hidden, setHidden] = useState(() => browserStorage().get(HIDDEN_KEY));
  // With the time: another data folder at this address counts from one again.
  const mark = last === null ? '' : `${last.id} ${last.at}`;

  // The page works without it.
  const reload = useCallback(() => api.loadLastOrderImport().then(setLast, () => setLast(null)), [api]);
  useEffect(() => {
    void reload();
    const again = () => void reload();
    // Somebody may have launched orders of it.
    window.addEventListener('focus', again);
    return () => window.removeEventListener('focus', again);
  }, [reload]);
  const known = useRef(orders);
  useEffect(() => {
    if (known.current === orders) return undefined;
    known.current = orders;
    const timer = setTimeout(() => void reload(), CALM_MS);
    return () => clearTimeout(timer);
  }, [orders, reload]);

  return {
    last,
    isHidden: last === null || hidden === mark,
    reload,
    hide() {
      browserStorage().set(HIDDEN_KEY, mark);
      setHidden(mark);
    },
  };
}
