import type { SecretSettings, Settings } from '#shared/api/settings.ts';
import type { HEADERS_SETTING } from '#shared/lib/access/secretSettings.ts';

export type CurrentSettings = Settings & SecretSettings;

/** Errors in the rows of settings, by setting name. */
export type InvalidSettings = ReadonlyMap<keyof CurrentSettings, string>;

/** Settings as they are stored. `closed` and `closedHeaders` are the secrets that the data key cannot decrypt. */
export type StoredSettings = {
  settings: CurrentSettings;
  closed: ClosedSecrets;
  closedHeaders: readonly string[];
  invalid: InvalidSettings;
};

/** Name of a setting that is or contains a secret. */
export type SecretName = keyof SecretSettings | typeof HEADERS_SETTING;

/** Secrets that cannot be decrypted, each with the reason. */
export type ClosedSecrets = ReadonlyMap<SecretName, string>;
