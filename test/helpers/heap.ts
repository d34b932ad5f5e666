/** Bytes of what is still referred to: without what would be collected anyway. Vitest's workers are started with --expose-gc. */
export function heapInUse(): number {
  const collect = globalThis.gc;
  if (collect === undefined) throw new Error('Start the worker with --expose-gc: vitest.config.ts says so.');
  // What the first one finalizes, the second one frees.
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
