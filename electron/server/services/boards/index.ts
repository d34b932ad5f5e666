export { type Boards, createBoards } from './boards.ts';
export { type BoardJobs, createBoardJobs } from './jobs.ts';
export { type BoardUpdates, createBoardUpdates } from './updates.ts';
