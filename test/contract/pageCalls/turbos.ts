import type { PageCalls } from './pageCall.ts';

/** Calls about turbos, links and boards. */
export const TURBO_CALLS = {} satisfies Partial<PageCalls>;
