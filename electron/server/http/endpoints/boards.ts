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
      'Lists USB ports whose ids belong to boards that can run MicroPython. To install a board that is not listed, name its port.',
    answer: z.array(api.boardSchema),
    handle: () => boards.list(),
  }),
  define('installBoard', 'manage_turbos', 'Turn a board into a device', {
    isFinal: true,
    actsOutside: true,
    description:
      'Writes the firmware over the USB port, verifies it, restarts the board and waits until it connects. `GET /api/boards/jobs/{id}/` returns the progress. With `wifi`, the board gets its own key with the scope turbo. The key is never sent unencrypted over the air and works only for this board. If the station uses HTTPS, a board with an ESP32-S3 also gets its certificate. Other programs stay on the board, but no longer start.',
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
  define('listBoardUpdates', 'manage_turbos', 'List the boards whose firmware differs from that of the station', {
    description: 'Lists only boards that are online and can be updated over their connections.',
    answer: z.array(api.boardUpdateSchema),
    handle: () => boardUpdates.list(),
  }),
  define('updateBoards', 'manage_turbos', 'Update boards to the firmware of the station', {
    isFinal: true,
    actsOutside: true,
    description:
      'Updates the boards over their connections, one at a time. Each board has its own job; `GET /api/boards/jobs/{id}/` returns its progress. An update waits while the board is lit or pressed. If the new firmware does not connect, the board returns to its previous firmware. After a failure, the remaining boards are not updated.',
    body: api.newBoardUpdatesSchema,
    examples: { all: { summary: 'All listed boards', value: {} } },
    status: 202,
    answer: z.array(api.boardJobSchema),
    refusals: { 404: 'There is no update for one of the boards.', 409: 'Boards are already being updated.' },
    handle: ({ body, by }) => boardUpdates.start(body, by),
  }),
  define('listBoardJobs', 'manage_turbos', 'List the installations and updates of boards', {
    description:
      'Lists all running and waiting jobs and the last 20 that ended, in the order in which they started. Jobs are lost when the station restarts.',
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
      'After a canceled installation, the board has no firmware that starts: install it again. After a canceled update, the board keeps its previous firmware.',
    params: jobParams,
    refusals: { 404: 'There is no such job.' },
    handle: ({ params }) => boardJobs.cancel(params.id),
  }),
];
