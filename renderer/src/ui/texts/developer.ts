import { plural } from './plural.ts';

const KIB = 1_024;

export const developer = {
  title: 'Developer',
  note: 'What programs asked of this station, and what it answered',
  also: 'requests log api openapi curl reference documentation integration',
  adminOnly: {
    title: 'For admins',
    body: 'What programs send may be read by admins alone. The reference at /docs/ is open to everybody.',
  },

  filter: 'Which requests',
  states: { all: 'All', failed: 'Failed' },
  statesLabel: 'By how they went',
  sources: { programs: 'Programs', window: 'Window', all: 'Both' },
  sourcesLabel: 'By who sent them',
  search: 'Part of the path',
  clearSearch: 'Clear the search',
  list: 'Last requests, the newest first',
  older: 'Show older',
  olderFailed: 'Older ones could not be read.',
  end: 'Nothing older is kept.',
  kept: 'The last 1,000 are kept in memory, with secrets hidden.',
  loading: 'One moment…',
  none: {
    title: 'No program has asked anything yet',
    body: 'As soon as one does, its request is here, with the answer. Send the first one from your shell.',
  },
  noMatch: { title: 'No such request', body: 'Choose other filters, or send one.' },
  off: {
    title: 'Requests are not kept',
    body: 'The request log is off. On, it keeps the last 1,000 in memory, with secrets hidden.',
    turnOn: 'Turn it on',
    failed: 'It is still off.',
  },
  notLoaded: 'The requests could not be read',
  again: 'Try again',

  nobody: 'Unknown',
  noAnswer: 'gone',
  noAnswerLong: 'The caller was gone before he was answered.',
  ms: (ms: number) => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`),
  bytes: (bytes: number) =>
    bytes < KIB
      ? plural(bytes, 'byte', 'bytes')
      : bytes < KIB * KIB
        ? `${(bytes / KIB).toFixed(1)} KB`
        : `${(bytes / KIB / KIB).toFixed(1)} MB`,
  statusWords: {
    400: 'Not valid',
    401: 'Not signed in',
    403: 'Not allowed',
    404: 'Not found',
    405: 'Wrong method',
    409: 'Conflict',
    413: 'Too large',
    415: 'Wrong content type',
    421: 'Wrong host',
    429: 'Too many',
    500: 'A defect here',
    503: 'Stopping',
    507: 'Disk full',
  } as Readonly<Record<number, string>>,

  open: {
    back: 'All requests',
    close: 'Close this request',
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
      file: 'Not kept: it is no text for people.',
      unread: 'Refused before it was read.',
      secret: 'Not kept: it cannot be read, and may hold a secret.',
    },
    cut: (bytes: string) => `The beginning; all of it was ${bytes}.`,
    again: 'Send it again',
    curlLabel: 'Command line that sends the same request',
    keyHint: 'Put your key in the place of YOUR-KEY.',
    hiddenHint: 'Put your key in the place of YOUR-KEY, and what is secret in the place of ***.',
    fileHint: 'Put your key in the place of YOUR-KEY, and the body, which was not kept whole, into the file body.txt.',
  },

  call: {
    title: 'How to call it',
    base: 'Base address',
    baseHelp: 'every path below it ends with a slash',
    key: 'Your key',
    keyBody: 'Give each program a key of its own: you see here what it does, and can take the key back.',
    keys: 'Create a key',
    first: 'A first request',
    firstLabel: 'Command line that lights a device',
    reference: 'Reference',
    referenceBody: 'Every path with its fields, examples and refusals, to try out. It works without the internet.',
    openReference: 'Open the reference',
    documents: 'OpenAPI documents',
    documentsBody: 'For generators of clients, and for tools such as Postman.',
    document: {
      devices: 'Devices and turbos',
      'location-aliases': 'Location aliases',
      sequence: 'Sequences',
      orders: 'Orders',
      whole: 'Everything',
    },
  },
} as const;
