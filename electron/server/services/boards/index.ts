export { type Boards, createBoards } from './boards.ts';
