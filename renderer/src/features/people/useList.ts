import { useEffect } from 'react';
import { useLoaded, type Loaded } from '../devicePanel/useLoaded.ts';

/** A list that the stream does not tell of: asked for again when somebody comes back to this window. */
export function useList<T>(subject: string, load: () => Promise<T>): Loaded<T> {
  const loaded = useLoaded(subject, '', load);
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
