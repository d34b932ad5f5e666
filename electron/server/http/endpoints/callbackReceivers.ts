import { z } from 'zod';
import * as api from '#shared/api/callbackReceiver.ts';
import { type FurtherReceivers, urlDoubts } from '../../services/callbacks/index.ts';
import type { SettingsService } from '../../services/settings/index.ts';
import { endpointsOf, idParams, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('callbacks');

const params = idParams('receiver', '2');
const CHANGEABLE = Object.keys(api.callbackReceiverChangeSchema.shape);

type Parts = { furtherReceivers: FurtherReceivers; settings: Pick<SettingsService, 'current'> };

export const callbackReceiverEndpoints = ({ furtherReceivers: receivers, settings }: Parts): Endpoint[] => {
  const tagged = {
    tagged: CHANGEABLE,
    tagView: (answer: object) => receivers.tagView(answer as api.CallbackReceiverEntry),
  };
  return [
    define('listCallbackReceivers', 'manage_callbacks', 'List the further receivers of callbacks', {
      description:
        'Up to eight receivers in addition to the one at `callback_url`. A program that sets `callback_url` does not replace them. Each gets the callbacks of its `families`, with its own retries. The secrets are not shown.',
      answer: z.array(api.callbackReceiverSchema),
      handle: () => receivers.list(),
    }),
    define('addCallbackReceiver', 'manage_callbacks', 'Add a receiver of callbacks', {
      description:
        'The receiver gets each callback of its `families` from now on, signed with its own `signing_secret`. `callback_timeout`, `callback_ca` and `callback_verify` apply to it too; `callback_headers` and the Basic sign-in do not. The requests that it gets are described at `callbacks` of `PATCH /api/settings/`.',
      body: api.newCallbackReceiverSchema,
      examples: {
        orders: {
          summary: 'A program that books orders',
          value: {
            name: 'Booking',
            url: 'http://127.0.0.1:4681/',
            families: { device: false, sequence: false },
            signing_secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0',
          },
        },
      },
      status: 201,
      answer: api.callbackReceiverSchema,
      refusals: { 409: 'A receiver has this name, or there are eight already.' },
      async handle({ body, by }) {
        return withDoubts(await receivers.add(body, by), body.url, settings.current().nonce_alias);
      },
    }),
    define('getCallbackReceiver', 'manage_callbacks', 'Get a further receiver of callbacks', {
      params,
      ...tagged,
      answer: api.callbackReceiverSchema,
      refusals: { 404: 'There is no such receiver.' },
      handle: ({ params }) => receivers.get(params.id),
    }),
    define('changeCallbackReceiver', 'manage_callbacks', 'Change or pause a further receiver of callbacks', {
      description:
        'Waiting callbacks go to the new `url`, with the new key and signature. Families that are switched off stop with the next event; callbacks that already wait are still sent. While the receiver is `paused`, its callbacks are written and wait without attempts. When it is resumed, all of them are sent, and the 72 hours of each begin again.',
      params,
      ...tagged,
      body: api.callbackReceiverChangeSchema,
      examples: { paused: { summary: 'Pause it', value: { paused: true } } },
      answer: api.callbackReceiverSchema,
      refusals: { 404: 'There is no such receiver.', 409: 'Another receiver has this name.' },
      async handle(call) {
        const { params, body, by } = call;
        const changed = await receivers.change(params.id, body, by, (current) => call.refuseChanged(current));
        return withDoubts(changed, body.url ?? '', settings.current().nonce_alias);
      },
    }),
    define('removeCallbackReceiver', 'manage_callbacks', 'Delete a further receiver of callbacks', {
      description:
        'Callbacks that wait for the receiver are not sent. They stay in the list of callbacks in the state `dead` and cannot be replayed.',
      params,
      ...tagged,
      refusals: { 404: 'There is no such receiver.' },
      handle: (call) => receivers.remove(call.params.id, call.by, (current) => call.refuseChanged(current)),
    }),
  ];
};

/** Adds warnings about unknown placeholders in the URL of a callback receiver. */
function withDoubts(receiver: api.CallbackReceiverEntry, url: string, alias: string) {
  const warnings = urlDoubts(url, alias).map((doubt) => `/url: ${doubt}`);
  return warnings.length === 0 ? receiver : { ...receiver, warnings };
}
