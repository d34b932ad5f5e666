import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Finds files under the folder that contain one of these texts, also as Base64. Returns `path: text` for each. */
export function findTexts(folder: string, texts: readonly string[]): string[] {
  const wanted = texts.flatMap((text) => [text, Buffer.from(text).toString('base64').replace(/=+$/, '')]);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const path = join(folder, name);
    if (!lstatSync(path).isFile()) return [];
    const bytes = readFileSync(path);
    return wanted.filter((text) => bytes.includes(text)).map((text) => `${name}: ${text}`);
  });
}

/** One recognizable secret of each kind. */
export const SECRETS = {
  callback_api_key: 'api-key-of-the-receiver',
  callback_password: 'password-of-the-receiver',
  callback_signing_secret: `whsec_${Buffer.from('signing-secret-of-the-station').toString('base64')}`,
  mail_password: 'password-of-the-mail-server',
  mqtt_password: 'password-of-the-broker',
  mqtt_key: '-----BEGIN PRIVATE KEY-----\nkey-of-the-broker\n-----END PRIVATE KEY-----',
} as const;
export const HEADER = 'Bearer token-in-a-header';
export const DISPLAY_KEY = '00112233445566778899aabbccddeeff';
export const ALL_TEXTS = [...Object.values(SECRETS), 'key-of-the-broker', HEADER, DISPLAY_KEY];
