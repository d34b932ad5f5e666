import type { PageCalls } from './pageCall.ts';

/** Turbos, their links and boards. */
export const TURBO_CALLS = {
  listTurbos: { given: [], sent: 'GET /api/turbo/' },
  listTurboTraffic: { given: [], sent: 'GET /api/turbo/traffic/' },
  listTurboFrames: [
    { given: ['T-1', undefined], sent: 'GET /api/turbo/T-1/frames/' },
    { given: ['T-1', 0], sent: 'GET /api/turbo/T-1/frames/?after=0' },
    { given: ['T-1', 42], sent: 'GET /api/turbo/T-1/frames/?after=42' },
  ],
  renameTurbo: [
    { given: [{ SerialNo: 'T-1', name: 'Hall' }], sent: 'PATCH /api/turbo/T-1/', body: { name: 'Hall' } },
    { given: [{ SerialNo: 'T-1', name: '' }], sent: 'PATCH /api/turbo/T-1/', body: { name: '' } },
  ],
  forgetTurbo: { given: ['T-1'], sent: 'DELETE /api/turbo/T-1/' },
  changeSimulatedTurbo: {
    given: ['T-1', false],
    sent: 'PATCH /api/simulator/turbos/T-1/',
    body: { connected: false },
  },
  listSerialPorts: { given: [], sent: 'GET /api/turbo/ports/' },
  findControllers: { given: [], sent: 'GET /api/turbo/links/found/' },
  addTurboLink: {
    given: [{ path: '/dev/ttyUSB0', baud_rate: 115_200, flow_control: true }],
    sent: 'POST /api/turbo/links/',
    body: { path: '/dev/ttyUSB0', baud_rate: 115_200, flow_control: true },
  },
  listBoards: { given: [], sent: 'GET /api/boards/' },
  installBoard: {
    given: [{ port: '/dev/ttyACM0', profile: 'generic' }],
    sent: 'POST /api/boards/',
    body: { port: '/dev/ttyACM0', profile: 'generic' },
  },
  listBoardUpdates: { given: [], sent: 'GET /api/boards/updates/' },
  updateBoards: {
    given: [{ turbos: ['board-1'] }],
    sent: 'POST /api/boards/updates/',
    body: { turbos: ['board-1'] },
  },
  listBoardJobs: { given: [], sent: 'GET /api/boards/jobs/' },
  getBoardJob: { given: ['7'], sent: 'GET /api/boards/jobs/7/' },
  cancelBoardJob: { given: ['7'], sent: 'DELETE /api/boards/jobs/7/' },
  changeTurboLink: {
    given: ['7', { name: 'Rack 3' }],
    sent: 'PATCH /api/turbo/links/7/',
    body: { name: 'Rack 3' },
  },
  removeTurboLink: { given: ['7'], sent: 'DELETE /api/turbo/links/7/' },
  retryTurboLink: { given: ['7'], sent: 'POST /api/turbo/links/7/retry/' },
  getTurboNetwork: { given: [], sent: 'GET /api/turbo/network/' },
} satisfies Partial<PageCalls>;
