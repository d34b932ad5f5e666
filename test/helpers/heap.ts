/** Returns the heap bytes in use after garbage collection. Vitest's workers run with --expose-gc. */
export function heapInUse(): number {
  const collect = globalThis.gc;
  if (collect === undefined) throw new Error('Start the worker with --expose-gc: vitest.config.ts says so.');
  // The second collection frees what the first one finalizes.
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
