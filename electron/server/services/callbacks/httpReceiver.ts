import type { CoreOf } from '../../core.ts';
import type { SettingsService } from '../settings/index.ts';
import { createDispatcher } from './dispatcher.ts';
import type { ReceiverBook } from './receiverBook.ts';
import { createReceiverWatch } from './receiverWatch.ts';
import type { CallbackSender } from './sender.ts';
import type { CallbackTarget, Destination } from './types.ts';

type Settled = Pick<SettingsService, 'current' | 'hasReceiver' | 'held'>;

/** Returns the connection settings that apply to all receivers. */
function connection(settings: Settled): Pick<Destination, 'timeoutS' | 'ca' | 'verify'> {
  const { callback_timeout: timeoutS, callback_ca: ca, callback_verify: verify } = settings.current();
  return { timeoutS, ca, verify };
}

/** Returns the main receiver, which is configured in the settings. */
export function settingsTarget(settings: Settled): CallbackTarget {
  return {
    receiver: 'http',
    destination() {
      const current = settings.current();
      return {
        ...connection(settings),
        url: current.callback_url,
        apiKey: current.callback_api_key,
        username: current.callback_username,
        password: current.callback_password,
        headers: current.callback_headers,
        signingSecret: current.callback_signing_secret,
      };
    },
    isSet: () => settings.hasReceiver('http'),
    isPaused: () => false,
    resumedRanMs: () => Number.NEGATIVE_INFINITY,
    held: () => settings.held('http'),
    subject: () => hostOf(settings.current().callback_url),
  };
}

/** Returns an additional receiver. The sign-in and extra headers in the settings apply only to the main receiver. */
export function furtherTarget(
  id: string,
  book: Pick<ReceiverBook, 'find' | 'held'>,
  settings: Settled,
): CallbackTarget {
  return {
    receiver: id,
    destination() {
      const { url = '', secrets } = book.find(id) ?? {};
      return {
        ...connection(settings),
        url,
        apiKey: secrets?.api_key ?? null,
        username: '',
        password: null,
        headers: {},
        signingSecret: secrets?.signing_secret ?? null,
      };
    },
    isSet: () => book.find(id) !== undefined,
    isPaused: () => book.find(id)?.isPaused === true,
    resumedRanMs: () => book.find(id)?.resumedRanMs ?? 0,
    held: () => book.held(id) ?? settings.held('furtherReceivers'),
    subject: () => book.find(id)?.name ?? id,
  };
}

export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'receiver';
}

/** Sends the callbacks of one receiver and monitors its health. Each receiver has its own queue. */
export function createHttpReceiver(
  core: CoreOf<'callbacks'>,
  parts: { target: CallbackTarget; sender: CallbackSender; changed: () => void },
) {
  const { target, sender, changed } = parts;
  const { receiver } = target;
  const watch = createReceiverWatch({
    ...core,
    receiver,
    isSet: () => target.destination().url !== '' && !target.isPaused(),
    subject: target.subject,
    changed,
  });
  const dispatcher = createDispatcher({
    ...core,
    target,
    sender,
    changed,
    watch,
    held: () => (target.isPaused() ? 'It is paused.' : target.held()),
  });
  let wasPaused = target.isPaused();
  return {
    target,
    watch,
    dispatcher,
    start(): void {
      watch.start();
      dispatcher.start();
    },
    /** Applies a change of the settings or of the receivers. */
    reconsider(): void {
      const isResumed = wasPaused && !target.isPaused();
      wasPaused = target.isPaused();
      watch.reconsider();
      dispatcher.reconsider();
      if (isResumed) dispatcher.sendWaiting();
    },
    stop(): void {
      watch.stop();
      dispatcher.stop();
    },
  };
}

export type HttpReceiver = ReturnType<typeof createHttpReceiver>;
