import type * as board from '../board.ts';
import type * as turbo from '../turbo.ts';
import { del, get, patch, post, type WithBody, type Download } from './route.ts';

/** Turbos, their links, boards and sounds. */
export const TURBO_ROUTES = {
  // Turbos
  listTurbos: get('/api/turbo/')<{ answer: turbo.Turbo[] }>(),
  listSerialPorts: get('/api/turbo/ports/')<{ answer: turbo.SerialPortEntry[] }>(),
  listTurboLinks: get('/api/turbo/links/')<{ answer: turbo.TurboLink[] }>(),
  findControllers: get('/api/turbo/links/found/')<{ answer: turbo.FoundControllerEntry[] }>(),
  addTurboLink: post('/api/turbo/links/')<WithBody<typeof turbo.newTurboLinkSchema, turbo.SavedTurboLink>>(),
  changeTurboLink: patch('/api/turbo/links/{id}/')<{ body: turbo.TurboLinkChange; answer: turbo.SavedTurboLink }>(),
  removeTurboLink: del('/api/turbo/links/{id}/')(),
  retryTurboLink: post('/api/turbo/links/{id}/retry/')<{ answer: turbo.TurboLink }>(),
  listTurboTraffic: get('/api/turbo/traffic/')<{ answer: turbo.TurboTrafficEntry[] }>(),
  getTurboNetwork: get('/api/turbo/network/')<{ answer: turbo.TurboNetwork }>(),
  getTurbo: get('/api/turbo/{SerialNo}/')<{ answer: turbo.Turbo }>(),
  renameTurbo: patch('/api/turbo/{SerialNo}/')<WithBody<typeof turbo.turboChangeSchema, turbo.Turbo>>(),
  forgetTurbo: del('/api/turbo/{SerialNo}/')(),
  listTurboFrames: get('/api/turbo/{SerialNo}/frames/')<{ query: { after?: number }; answer: turbo.TurboFrame[] }>(),
  exportTurboFrames: get('/api/turbo/{SerialNo}/frames/export/')<{ answer: Download }>(),
  // Boards
  listBoards: get('/api/boards/')<{ answer: board.Board[] }>(),
  installBoard: post('/api/boards/')<{ body: board.NewBoard; answer: board.BoardJob }>(),
  listBoardUpdates: get('/api/boards/updates/')<{ answer: board.BoardUpdate[] }>(),
  updateBoards: post('/api/boards/updates/')<{ body: board.NewBoardUpdates; answer: board.BoardJob[] }>(),
  listBoardJobs: get('/api/boards/jobs/')<{ answer: board.BoardJob[] }>(),
  getBoardJob: get('/api/boards/jobs/{id}/')<{ answer: board.BoardJob }>(),
  cancelBoardJob: del('/api/boards/jobs/{id}/')(),
  // Sounds
  listSounds: get('/api/sounds/')<{ answer: { name: string; encoding: string; length_ms: number }[] }>(),
  getSound: get('/api/sounds/{name}/')<{ answer: Download }>(),
} as const;
