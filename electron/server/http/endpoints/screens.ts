import { z } from 'zod';
import * as api from '#shared/api/wallBoard.ts';
import type { WallBoard } from '#shared/api/wallBoard.ts';
import type { Screens } from '../../services/access/index.ts';
import { endpointsOf, idParams, type Endpoint } from '../endpoint.ts';
import type { EventStreams } from '../events.ts';
import { LOOPBACK } from '../port/guard.ts';
import { STRANGER_LIMIT } from '../bodies/requestBody.ts';

const define = endpointsOf('access');

type Parts = {
  screens: Screens;
  streams: EventStreams;
  wallBoard: () => WallBoard;
  /** Returns the addresses at which other machines reach this station, starting with those in the settings. */
  otherAddresses: () => readonly string[];
};

/** Endpoints for wall screens and the wall board. */
export const screenEndpoints = ({ screens, streams, wallBoard, otherAddresses }: Parts): Endpoint[] => [
  define('listScreens', 'manage_people', 'List the screens for a wall', {
    description: 'Lists TVs and other screens that show the wall board. Their secrets are not returned again.',
    answer: z.array(api.wallScreenSchema),
    handle: () => screens.list(),
  }),
  define('addScreen', 'manage_people', 'Create a screen for a wall', {
    description:
      'Only this response contains the URL with the secret of the screen. Open the URL on the screen to show the wall board without a sign-in. Returns 409 if a screen has this name.',
    body: api.newWallScreenSchema,
    examples: { packing: { summary: 'A TV at the packing bench', value: { name: 'Packing bench' } } },
    status: 201,
    answer: api.wallScreenLinkSchema,
    refusals: { 409: 'A screen with this name exists.' },
    async handle({ body, by, req }) {
      const { screen, secret } = await screens.add(body, by);
      const isHere = LOOPBACK.includes(req.hostname);
      const [elsewhere] = otherAddresses();
      const own = `${req.protocol}://${req.host}/`;
      const url = new URL('/board', isHere ? (elsewhere ?? own) : own);
      return { id: screen.id, name: screen.name, url: secret === null ? null : `${url.href}#${secret}` };
    },
  }),
  define('openScreen', 'public', 'Open a session for a screen with its secret', {
    isKeyless: true,
    description:
      'The session has the scope `board`: it reads `GET /api/wall-board/`, and `GET /api/events/` without the contents of the events. It ends after 14 days, when the station restarts, or when the screen is removed; then open another session. No cookie is set. Wrong secrets count as wrong keys.',
    body: api.wallScreenSecretSchema,
    examples: { link: { summary: 'The fragment of the URL', value: { secret: 'psb_x7Yq…' } } },
    limit: STRANGER_LIMIT,
    answer: api.wallSessionSchema,
    refusals: { 401: 'The secret is wrong, or the screen was removed.' },
    handle({ body, by }) {
      const opened = screens.open(body.secret, by.address);
      // The screen's oldest session may have ended.
      streams.endSignedOut();
      return opened;
    },
  }),
  define('removeScreen', 'manage_people', 'Remove a screen', {
    description: 'The URL, sessions and open streams of the screen end immediately.',
    params: idParams('screen', '1'),
    refusals: { 404: 'There is no such screen.' },
    async handle({ params, by }) {
      await screens.remove(params.id, by);
      streams.endSignedOut();
      return undefined;
    },
  }),
  define('getWallBoard', ['read', 'see_board'], 'Get the contents of the wall board', {
    description:
      'Returns orders by due time, problems that need attention, and the lines of today, without customers and notes. The response is cached for one second and shared by all callers.',
    answer: api.wallBoardSchema,
    handle: () => wallBoard(),
  }),
];
