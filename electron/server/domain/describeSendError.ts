/** What the codes of failures mean, the first that fits. */
const MEANINGS: readonly (readonly [codes: RegExp, meaning: string])[] = [
  [/^ECONNREFUSED$/, 'Nobody takes connections at that address. Start the receiver, or correct callback_url.'],
  [
    /^(?:ENOTFOUND|EAI_\w+)$/,
    'The name of the receiver was not found. Check callback_url, and the network of this machine.',
  ],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'The connection ended before the receiver had answered.'],
  [
    /^(?:E(?:TIMEDOUT|HOSTUNREACH|NETUNREACH|HOSTDOWN|NETDOWN|ADDRNOTAVAIL)|UND_ERR_CONNECT_TIMEOUT)$/,
    'The receiver cannot be reached from this machine. Check its address, and the network and firewalls in between.',
  ],
  [
    /CERT|SIGNATURE|ISSUER|^HOSTNAME_MISMATCH$/,
    'The certificate of the receiver is not trusted. Give it one that is, or set callback_ca to who signed it.',
  ],
  [/^(?:EPROTO$|ERR_SSL_|ERR_OSSL_)/, 'No encrypted connection came about. Check whether it is https:// there.'],
  [/^(?:HPE_|UND_ERR_|HTTPParserError$|ERR_ASSERTION$)/, 'What the receiver answered is not HTTP as it should be.'],
];

/** Of an error that another program's name or certificate is part of. */
const MAX_CHARACTERS = 300;

/**
 * Why nothing was answered, as a sentence that says what to do, with the words of the system behind it. Errors without a
 * code or a name are our own: sentences already.
 */
export function describeSendError(error: unknown): string {
  if (!(error instanceof Error)) return `The callback could not be sent (${cut(String(error))}).`;
  const { code = error.name } = error as NodeJS.ErrnoException;
  if (code === 'Error' && error.message !== '') return error.message;
  const meaning = MEANINGS.find(([codes]) => codes.test(code))?.[1] ?? 'The callback could not be sent.';
  const words = wordsOf(error);
  return words === '' ? meaning : `${meaning} (${cut(words)})`;
}

/** A name that has several addresses fails with an error for each, and says nothing itself. */
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
