/** Stands in the place of a secret. */
export const HIDDEN = '***';

const SECRET_NAME =
  /pass(?:word|wd|phrase)|pwd|secret|token|cookie|credential|authori[sz]ation|session_?id|api[_-]?keys?|(?:^|[^a-z])keys?(?:$|[^a-z])|(?:^|_)headers$/i;
/** Names that sound like one. Of passwords that may come unencrypted it is said only that they may. */
const OPEN_NAMES = new Set(['token_type', 'old_key_until', 'plain_passwords', 'turbo_plain_passwords']);

/** What begins like this is a secret wherever it stands: those that a station makes, and those of webhooks. */
const KNOWN_SECRET = /\b(?:ps[kst]_[\w-]{16}[\w-]*|whsec_[\w+/=]+)/g;
const SIGN_IN = /\b(bearer|basic) [\w+/=.~-]+/gi;
const USER_OF_URL = /:\/\/[^/@\s]{1,500}@/g;
const URL_PART = /([?&;])([^=&;#\s"'<>?]{1,200})=([^&;#\s"'<>]*)/g;
/** A name, perhaps in quotes, `:` or `=`, and its value. */
const FIELD =
  /(?<![\w.-])([\w.-]+)(["']?\s{0,10}[:=]\s{0,10})("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^\s,;&}\])<>"']+)/gs;
const OPENING_TAG = /<([\w:.-]+)(?![\w:.-])[^<>]*>/g;

/** Whether what has this name is kept from everybody: `api_key`, `oldPassword`, `X-API-Key`. */
export function isSecretName(name: string): boolean {
  return !OPEN_NAMES.has(name) && SECRET_NAME.test(name.replace(/([a-z\d])([A-Z])/g, '$1_$2'));
}

/** An address with *** for each secret in it. */
export function hideInUrl(text: string): string {
  return text
    .replace(URL_PART, (whole, before: string, name: string) =>
      isSecretName(decoded(name)) ? `${before}${name}=${HIDDEN}` : whole,
    )
    .replace(USER_OF_URL, `://${HIDDEN}@`)
    .replace(SIGN_IN, `$1 ${HIDDEN}`)
    .replace(KNOWN_SECRET, HIDDEN);
}

/** A body with *** for each secret in it: JSON as it was read, other text as it came, looked through for names of secrets. */
export function hideInBody(text: string): string {
  return hideInJson(text) ?? hideInElements(hideInFields(hideInUrl(text)));
}

/** undefined: it is no JSON. */
export function hideInJson(text: string): string | undefined {
  try {
    return JSON.stringify(hidden(JSON.parse(text) as unknown, false));
  } catch {
    // No JSON, or nested more deeply than anybody reads.
    return undefined;
  }
}

/** A form, which has nothing but names and values. */
export function hideInForm(text: string): string {
  const fields = [...new URLSearchParams(text)];
  return fields.map(([name, value]) => `${name}=${isSecretName(name) ? HIDDEN : value}`).join('&');
}

function hidden(value: unknown, isSecret: boolean): unknown {
  if (Array.isArray(value)) return value.map((part) => hidden(part, isSecret));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, hidden(part, isSecret || isSecretName(name))]),
    );
  }
  if (typeof value === 'string') return isSecret && value !== '' ? HIDDEN : hideInUrl(value);
  return isSecret && typeof value === 'number' ? HIDDEN : value;
}

function hideInFields(text: string): string {
  return text.replace(FIELD, (whole, name: string, between: string) =>
    isSecretName(name) ? `${name}${between}${HIDDEN}` : whole,
  );
}

/** XML: everything up to the end of an element that has the name of a secret. */
function hideInElements(text: string): string {
  let shown = '';
  let from = 0;
  for (const { 0: tag, 1: name = '', index } of text.matchAll(OPENING_TAG)) {
    if (index < from || tag.endsWith('/>') || !isSecretName(name)) continue;
    const start = index + tag.length;
    const end = text.indexOf(`</${name}`, start);
    shown += text.slice(from, start) + HIDDEN;
    from = end < 0 ? text.length : end;
  }
  return shown + text.slice(from);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
