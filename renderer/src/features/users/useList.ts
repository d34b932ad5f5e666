import { useEffect } from 'react';
import { useStationState } from '../../station/context.ts';
import { useLoaded, type Loaded } from '../../station/useLoaded.ts';

/**
 * A list of which the stream says no more than that it is another now. What it does not say at all, such as who signed in, is
 * there when somebody comes back to this window.
 */
export function useList<T>(subject: string, load: () => Promise<T>): Loaded<T> {
  const version = useStationState(({ accessRevision }) => accessRevision);
  const loaded = useLoaded(subject, String(version), load);
  const { reload } = loaded;
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') reload();
    };
    window.addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [reload]);
  return loaded;
}
