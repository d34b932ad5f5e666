import { z } from 'zod';
import * as api from '#shared/api/callbackReceiver.ts';
import type { FurtherReceivers } from '../../services/callbacks/index.ts';
import type { SettingsService } from '../../services/settings/index.ts';
import { endpointsOf, idParams, type Endpoint } from '../endpoint.ts';
import type { StationListener } from '../port/listener.ts';
import { receiverDoubts } from '../receiverDoubts.ts';
import { withWarnings } from '../warnings.ts';

const define = endpointsOf('callbacks');

const params = idParams('receiver', '2');
const CHANGEABLE = Object.keys(api.callbackReceiverChangeSchema.shape);

type Parts = {
  furtherReceivers: FurtherReceivers;
  settings: Pick<SettingsService, 'current'>;
  listener: Pick<StationListener, 'answer'>;
};

export const callbackReceiverEndpoints = ({ furtherReceivers: receivers, settings, listener }: Parts): Endpoint[] => {
  const withDoubts = (receiver: api.CallbackReceiverEntry, url: string | undefined) =>
    withWarnings(
      receiver,
      receiverDoubts(
        { url, families: receiver.families },
        {
          alias: settings.current().nonce_alias,
          addresses: listener.answer().addresses,
          names: { url: 'url', families: 'families' },
        },
      ),
    );
  const tagged = {
    tagged: CHANGEABLE,
    tagView: (answer: object) => receivers.tagView(answer as api.CallbackReceiverEntry),
  };
  return [
    define('listCallbackReceivers', 'manage_callbacks', 'List the further receivers of callbacks', {
      description:
        'Lists up to eight receivers in addition to the one at `callback_url`. Setting `callback_url` does not replace them. Each receiver gets the callbacks of its `families`, with its own retries. Secrets are not returned.',
      answer: z.array(api.callbackReceiverSchema),
      handle: () => receivers.list(),
    }),
    define('addCallbackReceiver', 'manage_callbacks', 'Add a receiver of callbacks', {
      description:
        'The receiver gets all new callbacks of its `families`, signed with its own `signing_secret`. The settings `callback_timeout`, `callback_ca` and `callback_verify` also apply to it; `callback_headers` and the Basic sign-in do not. For the requests that it gets, see `callbacks` of `PATCH /api/settings/`.',
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
      refusals: { 409: 'A receiver with this name exists, or there are already eight receivers.' },
      async handle({ body, by }) {
        return withDoubts(await receivers.add(body, by), body.url);
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
        'Waiting callbacks are sent to the new `url`, with the new key and signature. If a family is switched off, no callbacks are created for new events, but waiting callbacks are still sent. While the receiver is `paused`, its callbacks are stored and wait without attempts. When it is resumed, all of them are sent, and the 72 hours of each start over.',
      params,
      ...tagged,
      body: api.callbackReceiverChangeSchema,
      examples: { paused: { summary: 'Pause the receiver', value: { paused: true } } },
      answer: api.callbackReceiverSchema,
      refusals: { 404: 'There is no such receiver.', 409: 'Another receiver has this name.' },
      async handle(call) {
        const { params, body, by } = call;
        const changed = await receivers.change(params.id, body, by, (current) => call.refuseChanged(current));
        return withDoubts(changed, body.url);
      },
    }),
    define('removeCallbackReceiver', 'manage_callbacks', 'Delete a further receiver of callbacks', {
      description:
        'Callbacks that wait for the receiver are not sent. They stay in the list of callbacks with the state `dead`, and cannot be replayed.',
      params,
      ...tagged,
      refusals: { 404: 'There is no such receiver.' },
      handle: (call) => receivers.remove(call.params.id, call.by, (current) => call.refuseChanged(current)),
    }),
  ];
};
