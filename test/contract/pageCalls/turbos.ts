import type { PageCalls } from './pageCall.ts';

/** Turbos, their links and boards. */
export const TURBO_CALLS = {} satisfies Partial<PageCalls>;
