/** An error from the SMTP client. `response` is the server's response, and `responseCode` the status code in it. */
type MailError = Error & { code?: string; command?: string; response?: string; responseCode?: number };

/** Maximum length of text from another program. */
const MAX_CHARACTERS = 300;
/** Replacement for a password. */
const HIDDEN = '***';

const CERTIFICATE = /certificate|self.signed|CERT_|UNABLE_TO_|DEPTH_ZERO|altname|ERR_TLS/i;

/** Messages that say what happened and what to do. The first match wins. */
const MEANINGS: readonly { is(error: MailError): boolean; meaning: string }[] = [
  {
    is: ({ message }) => CERTIFICATE.test(message),
    meaning: 'The certificate of the mail server is not trusted. Give it a trusted one, or add its issuer to mail_ca.',
  },
  {
    is: ({ code, message }) => code === 'ETLS' || /ssl|wrong version number/i.test(message),
    meaning: 'The encrypted connection failed. Check the port, and whether the mail server offers this encryption.',
  },
  {
    is: ({ responseCode = 0 }) => responseCode >= 400 && responseCode < 500,
    meaning: 'The mail server asks to try again later.',
  },
  {
    is: ({ code }) => code === 'EAUTH',
    meaning:
      'The mail server refused the sign-in. Correct user name and password, or allow this sign-in at the server.',
  },
  {
    is: ({ code, responseCode, command = '' }) =>
      code === 'EENVELOPE' && responseCode !== undefined && command.startsWith('MAIL'),
    meaning: 'The mail server refused the sender. Correct it, or sign in as a user who can send as this address.',
  },
  {
    is: ({ code, responseCode }) => code === 'EENVELOPE' && responseCode !== undefined,
    meaning: 'The mail server refused the recipients. Correct their addresses, or sign in with a user name.',
  },
  {
    is: ({ responseCode = 0 }) => responseCode >= 500,
    meaning: 'The mail server refused the e-mail.',
  },
  {
    is: ({ code, message }) => code === 'EDNS' || /ENOTFOUND|EAI_/.test(message),
    meaning: 'The name of the mail server was not found. Check mail_host, and the network of this machine.',
  },
  {
    is: ({ message }) => message.includes('ECONNREFUSED'),
    meaning: 'Connection refused. Check mail_host and mail_port.',
  },
  {
    is: ({ code }) => code === 'ETIMEDOUT',
    meaning: 'The mail server did not answer in time. Check mail_host, mail_port and the firewalls in between.',
  },
  {
    is: ({ code }) => code === 'EPROTOCOL',
    meaning: 'The answer was not that of a mail server. Check mail_host and mail_port.',
  },
  {
    is: ({ code }) => code === 'ECONNECTION' || code === 'ESOCKET',
    meaning: 'The connection to the mail server broke before it took the e-mail.',
  },
];

/** Describes why an e-mail was not sent and what to do, followed by the server's text. */
export function describeMailError(error: unknown, secret: string | null): string {
  if (!(error instanceof Error)) return `The e-mail could not be sent (${cut(String(error))}).`;
  const known: MailError = error;
  const meaning = MEANINGS.find(({ is }) => is(known))?.meaning ?? 'The e-mail could not be sent.';
  const said = known.response ?? known.message;
  const words = cut(secret === null || secret === '' ? said : withoutSecret(said, secret));
  return words === '' ? meaning : `${meaning} (${words})`;
}

/** Hides the secret in a text. A server may repeat what it refused: unchanged, with different spaces, or in Base64 as in the sign-in. */
function withoutSecret(text: string, secret: string): string {
  const spellings = [secret, oneLine(secret)].filter((spelling) => spelling !== '');
  const line = spellings.reduce((words, spelling) => oneLine(words.replaceAll(spelling, HIDDEN)), text);
  return line.replaceAll(/[A-Za-z0-9+/]{4,}={0,2}/g, (token) =>
    Buffer.from(token, 'base64').toString('utf8').includes(secret) ? HIDDEN : token,
  );
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function cut(text: string): string {
  const line = oneLine(text);
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}...` : line;
}
