/** Stands in the place of a secret. */
export const HIDDEN = '***';

/** Names of secrets are read without regard to case and separators: `API-KEY`, `apiKey` and `api.key` are one. */
const SECRET_PARTS = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'pincode',
  'pwd',
  'secret',
  'token',
  'cookie',
  'credential',
  'authorization',
  'authorisation',
  'sessionid',
  'apikey',
  'accesskey',
  'encryptionkey',
  'networkkey',
  'privatekey',
  'sharedkey',
  'signingkey',
  'wifikey',
] as const;
/** Words that are a secret by themselves, and part of harmless ones: `pin` and `shipping`, `key` and `monkey`. */
const SECRET_WORDS: ReadonlySet<string> = new Set(['key', 'keys', 'pass', 'pin', 'pins', 'psk', 'headers']);
const SECRET_PART = new RegExp(SECRET_PARTS.join('|'));
/** Names that sound like one. Of passwords that may come unencrypted it is said only that they may. */
const OPEN_NAMES = new Set(['token_type', 'old_key_until', 'plain_passwords', 'turbo_plain_passwords']);

/** What begins like this is a secret wherever it stands: those that a station makes, and those of webhooks. */
const KNOWN_SECRET = /\b(?:ps[kst]_[\w-]{16}[\w-]*|whsec_[\w+/=]+)/g;
const SIGN_IN = /\b(bearer|basic) [\w+/=.~-]+/gi;
const USER_OF_URL = /:\/\/[^/@\s]{1,500}@/g;
const URL_PART = /([?&;])([^=&;#\s"'<>?]{1,200})=([^&;#\s"'<>]*)/g;
/** A name, perhaps in quotes, `:` or `=`, and its value. */
const FIELD =
  /(?<![\w.-])([\w.-]+)(["']?\s{0,10}[:=]\s{0,10})(\[[^\]]*\]?|\{[^}]*\}?|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^\s,;&}\])<>"']+)/gs;
const OPENING_TAG = /<([\w:.-]+)(?![\w:.-])[^<>]*>/g;

const LINE = /^([\w.-]{1,100})(\s{0,10}[:=]\s{0,10})\S/;
/** An object that is a name and its value. */
const PAIR_NAME = /^(?:name|key|header|field)$/i;
const PAIR_VALUE = /^values?$/i;
const XML_PAIR = /(<(name|key|header|field)>([^<]{1,200})<\/\2>\s{0,100}<value>)[^<]*/gi;

/** Whether what has this name is kept from everybody: `api_key`, `oldPassword`, `X-API-Key`. */
export function isSecretName(name: string): boolean {
  if (OPEN_NAMES.has(name)) return false;
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return SECRET_PART.test(words.join('')) || words.some((word) => SECRET_WORDS.has(word));
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
  if (Array.isArray(value)) {
    // A name and its value, as headers and forms are often written.
    const isPair = value.length === 2 && typeof value[0] === 'string' && isSecretName(value[0]);
    return value.map((part, index) => hidden(part, isSecret || (isPair && index === 1)));
  }
  if (typeof value === 'object' && value !== null) {
    const isNamed = Object.entries(value).some(
      ([name, part]) => PAIR_NAME.test(name) && typeof part === 'string' && isSecretName(part),
    );
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => {
        const isOwn = isSecretName(name) && !(isNamed && PAIR_NAME.test(name));
        return [name, hidden(part, isSecret || isOwn || (isNamed && PAIR_VALUE.test(name)))];
      }),
    );
  }
  if (typeof value === 'string') return isSecret && value !== '' ? HIDDEN : hideInLine(hideInUrl(value));
  return isSecret && typeof value === 'number' ? HIDDEN : value;
}

/** A text that is one header or one assignment: `Cookie: a=b`. */
function hideInLine(text: string): string {
  const [, name = '', between = ''] = LINE.exec(text) ?? [];
  return name !== '' && isSecretName(name) ? `${name}${between}${HIDDEN}` : text;
}

function hideInFields(text: string): string {
  return text.replace(FIELD, (whole, name: string, between: string) =>
    isSecretName(name) ? `${name}${between}${HIDDEN}` : whole,
  );
}

/** XML: everything up to the end of an element that has the name of a secret. */
function hideInElements(whole: string): string {
  let shown = '';
  let from = 0;
  const text = whole.replace(XML_PAIR, (pair, before: string, tag: string, name: string) =>
    tag !== '' && isSecretName(name) ? `${before}${HIDDEN}` : pair,
  );
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
