import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of what is still referred to: without what would be collected anyway. */
export function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // What the first one finalizes, the second one frees.
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
