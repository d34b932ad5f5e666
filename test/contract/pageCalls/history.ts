import { type PageCalls } from './pageCall.ts';

/** The history and alerts. */
export const HISTORY_CALLS = {} satisfies Partial<PageCalls>;
