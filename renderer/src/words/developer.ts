import { plural } from './plural.ts';
import { pages } from './pages.ts';

const KIB = 1_024;

export const developer = {
  title: pages.developer.title,
  note: 'Requests from programs and their answers',
  adminOnly: {
    title: 'Admins only',
    body: 'Only admins can see requests from programs. The reference at /docs/ is open to everybody.',
  },

  filter: 'Filter requests',
  states: { all: 'All', failed: 'Failed' },
  statesLabel: 'By result',
  sources: { programs: 'Programs', window: 'Window', all: 'Both' },
  sourcesLabel: 'By sender',
  search: 'Part of the path',
  clearSearch: 'Clear the search',
  list: 'Requests, newest first',
  olderFailed: 'Older requests could not be loaded.',
  end: 'No more requests.',
  kept: 'The station keeps the last 1,000 in memory and hides secrets.',
  none: {
    title: 'No requests yet',
    body: 'Each request from a program is listed here with its answer. Send the first one from your shell.',
  },
  noMatch: { title: 'No request matches', body: 'Change the filters, or send a request.' },
  off: {
    title: 'The request log is off',
    body: 'It keeps the last 1,000 requests in memory and hides secrets.',
    turnOn: 'Turn on',
    failed: 'The request log was not turned on.',
  },
  notLoaded: 'The requests could not be loaded',

  nobody: 'Unknown',
  noAnswer: 'none',
  noAnswerLong: 'The caller disconnected before the answer.',
  ms: (ms: number) => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`),
  bytes: (bytes: number) =>
    bytes < KIB
      ? plural(bytes, 'byte', 'bytes')
      : bytes < KIB * KIB
        ? `${(bytes / KIB).toFixed(1)} KB`
        : `${(bytes / KIB / KIB).toFixed(1)} MB`,
  statusWords: {
    400: 'Invalid',
    401: 'Not signed in',
    403: 'Not allowed',
    404: 'Not found',
    405: 'Wrong method',
    409: 'Conflict',
    413: 'Too large',
    415: 'Wrong content type',
    421: 'Wrong host',
    429: 'Too many requests',
    500: 'Internal error',
    503: 'Stopping',
    507: 'Disk full',
  } as Readonly<Record<number, string>>,

  open: {
    back: 'All requests',
    close: 'Close request',
    gone: 'This request is no longer kept',
    when: 'When',
    who: 'Who',
    took: 'Took',
    program: 'Program',
    from: (name: string, address: string) => `${name}, from ${address}`,
    credentials: {
      key: (name: string) => `${name}, by key`,
      session: (name: string) => `${name}, in a session`,
      token: (name: string) => `${name}, by access token`,
      password: (name: string) => `${name}, by password`,
      none: () => 'Unknown',
    },
    request: 'Request',
    answer: 'Answer',
    noBody: 'No body.',
    notKept: {
      file: 'Not kept: it is not text.',
      unread: 'Refused before the body was read.',
      secret: 'Not kept: it is unreadable and may contain a secret.',
    },
    cut: (bytes: string) => `Truncated: only the beginning is shown. Full size: ${bytes}.`,
    again: 'Send again',
    curlLabel: 'Command line that sends the same request',
    keyHint: 'Replace YOUR-KEY with your key.',
    hiddenHint: 'Replace YOUR-KEY with your key and *** with the secrets.',
    fileHint: 'Replace YOUR-KEY with your key, and save the whole body as body.txt.',
  },

  call: {
    title: 'How to call the station',
    base: 'Base address',
    baseHelp: 'every path ends with a slash',
    key: 'Your key',
    keyBody: 'Give each program its own key. You can then see its requests and remove its key separately.',
    keys: 'Create a key',
    first: 'Your first request',
    firstLabel: 'Command line that lights a device',
    reference: 'Reference',
    referenceBody: 'Every path with its fields, examples and errors. You can try them there, even offline.',
    openReference: 'Open the reference',
    documents: 'OpenAPI documents',
    documentsBody: 'For client generators and tools such as Postman.',
    document: {
      devices: 'Devices and turbos',
      'location-aliases': 'Location aliases',
      sequence: 'Sequences',
      orders: 'Orders',
      whole: 'Everything',
    },
  },
} as const;
