export { type HistoryService, createHistory } from './history.ts';
export { createRetention } from './retention.ts';
export { type HistorySearch, createHistorySearch } from './search.ts';
export { type WorkTimelines, createWorkTimelines } from './workTimelines.ts';
