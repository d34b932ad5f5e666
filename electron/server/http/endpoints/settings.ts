import {
  logoQuerySchema,
  logoSchema,
  type SettingsChange,
  settingsAnswerSchema,
  settingsChangeSchema,
} from '#shared/api/settings.ts';
import { MAX_PICTURE_MEGAPIXELS } from '#shared/lib/articles/articleLimits.ts';
import { TEMPLATE_FIELDS } from '#shared/lib/requests/screenTemplate.ts';
import { templateDoubts } from '../../services/callbacks/index.ts';
import type { Devices } from '../../services/devices/index.ts';
import type { Secrets } from '../../services/secrets/index.ts';
import type { LogoService, SettingsService } from '../../services/settings/index.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';
import type { StationListener } from '../port/listener.ts';
import { PICTURE_TYPE, PICTURE_UPLOAD, pictureAnswer } from '../pictures.ts';
import { receiverDoubts } from '../receiverDoubts.ts';

const define = endpointsOf('settings');

const NO_LOGO = 'The shop has no logo.';

const CHANGEABLE = Object.keys(settingsChangeSchema.shape);

type Parts = {
  settings: SettingsService;
  secrets: Pick<Secrets, 'listOthersClosed'>;
  devices: Pick<Devices, 'acceptWaiting'>;
  listener: Pick<StationListener, 'apply' | 'answer' | 'check'>;
  folderCheck: { check(change: SettingsChange): Promise<void> };
  logo: LogoService;
};

export function settingsEndpoints({ settings, secrets, devices, listener, folderCheck, logo }: Parts): Endpoint[] {
  // Answers show only whether a secret is set, so the entity tag also includes tags of the values.
  const tagged = {
    tagged: CHANGEABLE,
    tagView: (answer: object) => ('callback_api_key' in answer ? answer : { ...answer, ...settings.secretTags() }),
  };
  return [
    define('getSettings', 'change_settings', 'Get the settings', {
      ...tagged,
      answer: settingsAnswerSchema,
      handle: () => ({
        ...settings.answer(),
        unreadable_others: secrets.listOthersClosed(),
        exposure: listener.answer(),
      }),
    }),
    define('changeSettings', 'change_settings', 'Change settings', {
      description:
        'Changes the given settings and returns all settings. The whole request is refused if a field is unknown or a value is invalid. `callbacks` describes the requests that the station sends to `callback_url`.',
      body: settingsChangeSchema,
      ...tagged,
      examples: {
        signed: {
          summary: 'Callbacks as POST with a JSON body, signed',
          value: { callback_url: 'http://127.0.0.1:8080/', callback_signing_secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0' },
        },
        callbacks: {
          summary: 'Callbacks as GET, to a URL with replacement fields',
          value: { callback_url: 'http://127.0.0.1:8080/pick?nonce={nonce}&answer={acknack}', default_seconds: 60 },
        },
      },
      answer: settingsAnswerSchema,
      sendsCallbacks: true,
      async handle(call) {
        const { body, by } = call;
        await listener.check(body);
        await folderCheck.check(body);
        const { accept_devices: accepted } = settings.current();
        const answer = await settings.change(body, by, (current) => call.refuseChanged(current));
        // Accept waiting devices only if the setting has changed: sending it again must not accept devices that wait because of a limit.
        if (answer.accept_devices !== accepted) await devices.acceptWaiting();
        await listener.apply();
        const { callback_url: url, callback_families: families } = body;
        const isTold = (url !== undefined || families !== undefined) && answer.callback_url !== '';
        const receiver = { url, families: isTold ? answer.callback_families : undefined };
        const ofReceiver = receiverDoubts(receiver, {
          alias: answer.nonce_alias,
          addresses: listener.answer().addresses,
          names: { url: 'callback_url', families: 'callback_families' },
        });
        const warnings = [...ofReceiver, ...templateWarnings(body)];
        return {
          ...answer,
          unreadable_others: secrets.listOthersClosed(),
          exposure: listener.answer(),
          ...(warnings.length === 0 ? {} : { warnings }),
        };
      },
    }),
    define('setLogo', 'change_settings', "Set the shop's logo", {
      description: `Packing slips show it. The body is the file itself: a JPEG, PNG or WebP, detected by its content, with at most ${MAX_PICTURE_MEGAPIXELS} megapixels. The station removes its metadata, and stores a WebP of at most 640 pixels and 200 KB.`,
      upload: PICTURE_UPLOAD,
      answer: logoSchema,
      refusals: { 415: 'The file is not a supported picture; `detail` says what to do.' },
      handle: ({ file, by }) => logo.set(Buffer.from(file?.bytes ?? []), by),
    }),
    define('getLogo', 'read', "Get the shop's logo", {
      query: logoQuerySchema,
      answer: { contentType: PICTURE_TYPE },
      refusals: { 404: NO_LOGO },
      handle: ({ query: { v: named }, req, res }) => pictureAnswer(logo.get(), { req, res, named }),
    }),
    define('removeLogo', 'change_settings', "Remove the shop's logo", {
      refusals: { 404: NO_LOGO },
      handle: ({ by }) => logo.remove(by),
    }),
  ];
}

/** Returns warnings about unknown placeholders in nonces and screens. */
function templateWarnings(change: SettingsChange): string[] {
  const { ordernonce = '', shipmentnonce = '', callback_nonce = '' } = change;
  const doubts = {
    ordernonce: templateDoubts(ordernonce, ['order']),
    shipmentnonce: templateDoubts(shipmentnonce, ['order', 'shipment']),
    callback_nonce: templateDoubts(callback_nonce, ['order', 'shipment']),
  };
  for (const [line, template = ''] of Object.entries(change.screen_template ?? {}))
    Object.assign(doubts, { [`screen_template/${line}`]: templateDoubts(template, TEMPLATE_FIELDS) });
  return Object.entries(doubts).flatMap(([name, said]) => said.map((doubt) => `/${name}: ${doubt}`));
}
