import { type PageCalls } from './pageCall.ts';

/** Calls about the history and alerts. */
export const HISTORY_CALLS = {} satisfies Partial<PageCalls>;
