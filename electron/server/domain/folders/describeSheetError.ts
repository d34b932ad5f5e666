/** Meanings of error codes. The first match wins. */
const MEANINGS: readonly (readonly [codes: RegExp, meaning: string])[] = [
  [
    /^(?:ENOTFOUND|EAI_\w+)$/,
    'The host of the sheet was not found. Check the address, and the network of this machine.',
  ],
  [/^ECONNREFUSED$/, 'The host of the sheet refuses the connection. Check the address.'],
  [/CERT|SIGNATURE|ISSUER|^HOSTNAME_MISMATCH$/, 'The certificate of the host is not trusted. Check the address.'],
  [/^(?:EPROTO$|ERR_SSL_|ERR_OSSL_)/, 'The encrypted connection failed. Check the address.'],
  [/^E|^UND_ERR_/, 'The host of the sheet cannot be reached. Check the network of this machine.'],
];

/** Describes why the sheet could not be read. Errors without a code already have a message for the user. */
export function describeSheetError(error: unknown): string {
  if (!(error instanceof Error)) return 'The sheet could not be read.';
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error.message;
  return MEANINGS.find(([codes]) => codes.test(code))?.[1] ?? `The sheet could not be read (${code}).`;
}

/** Returns why a response does not contain a sheet, or an empty string if it may contain one. */
export function sheetRefusal(status: number): string {
  if (status === 200 || status === 304) return '';
  if (status === 401 || status === 403)
    return `The host answered ${status}: the sheet is not public. Publish it as CSV.`;
  if (status === 404 || status === 410)
    return `The host answered ${status}: there is no such sheet. Check the address.`;
  return `The host answered ${status}. Try again later.`;
}
