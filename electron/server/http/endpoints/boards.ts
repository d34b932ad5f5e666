import { z } from 'zod';
import * as api from '#shared/api/board.ts';
import type { TurboNetwork } from '#shared/api/turbo.ts';
import type { BoardJobs, Boards, BoardUpdates } from '../../services/boards/index.ts';
import type { StationListener } from '../port/listener.ts';
import { lenientFields } from '../compat/lenientFields.ts';
import { endpointsOf, idParams, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('turbos');

const jobParams = idParams('job', '1');

type Parts = {
  boards: Boards;
  boardUpdates: BoardUpdates;
  boardJobs: BoardJobs;
  network: () => TurboNetwork;
  listener: Pick<StationListener, 'certificate'>;
};

export const boardEndpoints = ({ boards, boardUpdates, boardJobs, network, listener }: Parts): Endpoint[] => [
  define('listBoards', 'manage_turbos', 'List the USB ports with boards that can become devices', {
    description:
      'Boards with MicroPython, by the identity of their USB port. A board that is not listed can be installed all the same, by its port.',
    answer: z.array(api.boardSchema),
    handle: () => boards.list(),
  }),
  define('installBoard', 'manage_turbos', 'Make a board a device of the shop', {
    actsOutside: true,
    description:
      'Writes the firmware over the USB port, checks it, restarts the board and waits for its hello; GET /api/boards/jobs/{id}/ tells the progress. With `wifi` the board gets a key of its own, with the scope turbo, which never crosses the air unencrypted and works for this board only; where the station speaks HTTPS, a board with an ESP32-S3 also gets its certificate. Other programs on the board stay, but no longer start.',
    body: api.newBoardSchema,
    dialect: lenientFields({ port: 'text', profile: 'text', name: 'text' }),
    examples: {
      usb: {
        summary: 'A board that stays on its USB port',
        value: { port: '/dev/ttyACM9', profile: 'badger2040', name: 'A-1-1' },
      },
    },
    status: 202,
    answer: api.boardJobSchema,
    refusals: { 409: 'The port is in use, or this board cannot reach the station by Wi-Fi.' },
    handle: ({ body, by }) =>
      boards.install(body, { network: network(), certificate: listener.certificate()?.cert }, by),
  }),
  define('listBoardUpdates', 'manage_turbos', 'List the boards whose firmware is not that of the station', {
    description: 'Only boards that are online and can be updated over their connections.',
    answer: z.array(api.boardUpdateSchema),
    handle: () => boardUpdates.list(),
  }),
  define('updateBoards', 'manage_turbos', 'Bring the firmware of the station to boards', {
    actsOutside: true,
    description:
      'Over their connections, one board after the other; each has a job of its own, GET /api/boards/jobs/{id}/. A board that is lit or pressed is updated when it is dark. If the new firmware does not come online, the board goes back to what it ran. After a failure the boards behind it are left as they are.',
    body: api.newBoardUpdatesSchema,
    examples: { all: { summary: 'Every board that is listed', value: {} } },
    status: 202,
    answer: z.array(api.boardJobSchema),
    refusals: { 404: 'There is no update for such a board.', 409: 'Boards are being updated already.' },
    handle: ({ body, by }) => boardUpdates.start(body, by),
  }),
  define('listBoardJobs', 'manage_turbos', 'List the installations and updates of boards', {
    description:
      'All that run or wait, and the last 20 that ended, in the order in which they began. A restart of the station forgets them.',
    answer: z.array(api.boardJobSchema),
    handle: () => boardJobs.list(),
  }),
  define('getBoardJob', 'manage_turbos', 'Get the progress of a board', {
    params: jobParams,
    answer: api.boardJobSchema,
    refusals: { 404: 'There is no such job.' },
    handle: ({ params }) => boardJobs.get(params.id),
  }),
  define('cancelBoardJob', 'manage_turbos', 'Cancel an installation or update of a board', {
    actsOutside: true,
    description:
      'A board that was being installed has no firmware that starts; install it again. A board that was being updated runs what it ran before.',
    params: jobParams,
    refusals: { 404: 'There is no such job.' },
    handle: ({ params }) => boardJobs.cancel(params.id),
  }),
];
