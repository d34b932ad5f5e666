import {
  DEFAULT_SETTINGS,
  SECRET_SETTINGS,
  type SecretSettings,
  type Settings,
  type SettingsAnswer,
  type SettingsChange,
} from '#shared/api/settings.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Writer } from '../../db/writer.ts';
import { maskHeaders, unmaskHeaders } from '../../domain/maskedHeaders.ts';
import { StationError } from '../../errors.ts';
import type { Audit, By } from '../base/index.ts';

export type CurrentSettings = Settings & SecretSettings;

export function createSettings(parts: {
  repositories: Pick<Repositories, 'settings'>;
  writer: Writer;
  audit: Audit;
  /** `mqtt_station` where none is set. */
  madeStationId: string;
}) {
  const { repositories, writer, audit, madeStationId } = parts;
  let current = read();

  /** As the rows have them, within a use-case that of those before it in the same commit. */
  function read(): CurrentSettings {
    return {
      ...DEFAULT_SETTINGS,
      mqtt_station: madeStationId,
      callback_api_key: null,
      callback_password: null,
      callback_signing_secret: null,
      mail_password: null,
      mqtt_password: null,
      mqtt_key: null,
      // Written by this service after validation; a newer version's extra keys do no harm.
      ...(repositories.settings.list() as Partial<CurrentSettings>),
    };
  }

  /** As the API answers it: of secrets only whether they are set, and *** for those in headers. How the station is reached by them is not known here. */
  function answer(): Omit<SettingsAnswer, 'exposure'> {
    const {
      callback_api_key,
      callback_password,
      callback_signing_secret,
      mail_password,
      mqtt_password,
      mqtt_key,
      ...open
    } = current;
    return {
      ...open,
      callback_headers: maskHeaders(open.callback_headers),
      callback_api_key_set: callback_api_key !== null,
      callback_password_set: callback_password !== null,
      callback_signing_secret_set: callback_signing_secret !== null,
      mail_password_set: mail_password !== null,
      mqtt_password_set: mqtt_password !== null,
      mqtt_key_set: mqtt_key !== null,
    };
  }

  return {
    /** The current settings. Read them at each use. */
    current: (): CurrentSettings => current,
    answer,
    /** *** in a header keeps its value. Throws `invalid` where there is none to keep. */
    async change(change: SettingsChange, by: By): Promise<Omit<SettingsAnswer, 'exposure'>> {
      await writer.write((tx) => {
        const before = read();
        const families = { ...before.callback_families, ...change.callback_families };
        const next = { ...before, ...change, callback_families: families } as CurrentSettings;
        if (change.mqtt_station === '') next.mqtt_station = madeStationId;
        if (change.callback_headers !== undefined)
          next.callback_headers = keptHeaders(change.callback_headers, before.callback_headers);
        for (const key of Object.keys(change) as (keyof CurrentSettings)[]) {
          const isDefault =
            key in DEFAULT_SETTINGS && (change[key] ?? next[key]) === DEFAULT_SETTINGS[key as keyof Settings];
          const isCleared = (SECRET_SETTINGS as readonly string[]).includes(key) && next[key] === null;
          if (isDefault || isCleared) repositories.settings.remove(key);
          else repositories.settings.put(key, next[key]);
        }
        // Their names alone: some hold secrets.
        const settings = Object.keys(change).toSorted();
        audit.record(tx, { action: 'settings.changed', by, subject: '', detail: { settings } });
        tx.emit({ type: 'settings.changed' });
        tx.apply(() => {
          current = next;
        });
      });
      return answer();
    },
  };
}

export type SettingsService = ReturnType<typeof createSettings>;

function keptHeaders(sent: Settings['callback_headers'], stored: Settings['callback_headers']): Record<string, string> {
  const { headers, unknown } = unmaskHeaders(sent, stored);
  const [name] = unknown;
  if (name === undefined) return headers;
  throw new StationError(
    'invalid',
    `*** keeps the value of a header, and ${name} has none. Send its value.`,
    unknown.map((one) => ({
      path: `/callback_headers/${one.replaceAll('~', '~0')}`,
      message: 'There is no value to keep.',
    })),
  );
}
