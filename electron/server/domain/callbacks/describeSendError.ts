/** Meanings of error codes. The first match wins. */
type Meanings = readonly (readonly [codes: RegExp, meaning: string])[];

const MEANINGS: Meanings = [
  [/^ECONNREFUSED$/, 'Connection refused. Start the receiver, or correct its address.'],
  [
    /^(?:ENOTFOUND|EAI_\w+)$/,
    'The name of the receiver was not found. Check its address, and the network of this machine.',
  ],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'The receiver closed the connection before it answered. Check its log.'],
  [
    /^(?:E(?:TIMEDOUT|HOSTUNREACH|NETUNREACH|HOSTDOWN|NETDOWN|ADDRNOTAVAIL)|UND_ERR_CONNECT_TIMEOUT)$/,
    'The receiver cannot be reached from this machine. Check its address, and the network and firewalls in between.',
  ],
  [
    /CERT|SIGNATURE|ISSUER|^HOSTNAME_MISMATCH$/,
    'The certificate of the receiver is not trusted. Give it a trusted one, or set callback_ca to its issuer.',
  ],
  [
    /^(?:EPROTO$|ERR_SSL_|ERR_OSSL_)/,
    'The encrypted connection failed. Check whether the receiver speaks https:// at that address.',
  ],
  [
    /^(?:HPE_|UND_ERR_|HTTPParserError$|ERR_ASSERTION$)/,
    'The receiver did not answer with valid HTTP. Check its address.',
  ],
];

/** Maximum length of errors that contain names or certificates from another program. */
const MAX_CHARACTERS = 300;

/** Describes why a request got no response and what to do, followed by the system's error message. */
export function describeSendError(error: unknown): string {
  return describeFault(error, MEANINGS, 'The callback could not be sent.');
}

/**
 * Explains an error to the user, with the system's message in parentheses. A plain `Error` without a code already has a message for the
 * user, which is returned unchanged.
 */
export function describeFault(error: unknown, meanings: Meanings, otherwise: string): string {
  if (!(error instanceof Error)) return `${otherwise} (${cut(String(error))})`;
  const { code = error.name } = error as NodeJS.ErrnoException;
  if (code === 'Error' && error.message !== '') return error.message;
  const meaning = meanings.find(([codes]) => codes.test(code))?.[1] ?? otherwise;
  const words = wordsOf(error);
  return words === '' ? meaning : `${meaning} (${cut(words)})`;
}

/** Returns the error message. If a host name has several addresses, there is one error per address, inside an error without a message. */
function wordsOf(error: Error): string {
  if (error.message !== '') return error.message;
  const each = error instanceof AggregateError ? error.errors : [];
  const words = each.map((one) => (one instanceof Error ? one.message : String(one)));
  return words.length === 0 ? ((error as NodeJS.ErrnoException).code ?? '') : words.join(', ');
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}...` : line;
}
