import { HIDDEN, hideInUrl, isSecretName } from '../station/hiddenSecrets.ts';

const isText = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml)|application\/x-www-form-urlencoded)/i;
// oxlint-disable-next-line eslint/no-control-regex -- finds characters that do not occur in readable text
const BINARY = /[\u0000-\u0008\u000e-\u001f]/;

/** Replaces secrets with `***`: values of headers whose names look secret or are listed in `secret`, and secrets inside URLs. */
export function withoutSecrets(
  headers: Readonly<Record<string, string>>,
  secret: readonly string[] = [],
): Record<string, string> {
  const isSecret = (name: string): boolean => secret.includes(name) || isSecretName(name);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value !== '' && isSecret(name) ? HIDDEN : hideInUrl(value)]),
  );
}

/** Returns the beginning of a body as text, or null if it is binary or compressed. `isWhole` tells whether the body is complete. */
export function textOf(headers: Readonly<Record<string, string>>, body: Uint8Array, isWhole: boolean): string | null {
  if (body.length === 0) return '';
  const { 'content-encoding': packed = 'identity', 'content-type': type = 'text/plain' } = headers;
  if (packed !== 'identity') return null;
  if (!isText.test(type)) return null;
  try {
    // The body may be cut in the middle of a character.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: !isWhole });
    return BINARY.test(text) ? null : text;
  } catch {
    return null;
  }
}
