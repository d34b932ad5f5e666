import { listText } from '#shared/lib/text/locale.ts';
import { backups } from './backups.ts';
import { index } from './settingsIndex.ts';
import { folders } from './folders.ts';
import { mail } from './mail.ts';
import { mqtt } from './mqtt.ts';
import { plural } from './plural.ts';
import { secret } from './secret.ts';
import { updates } from './updates.ts';

/** Names of settings that take effect after a restart, for use inside a sentence. */
const WAITING = {
  listen: 'who can reach the station',
  port: 'port',
  tls: 'encryption',
} as const;

export const settings = {
  shop: {
    group: { title: 'Name', lead: 'What this shop is called.' },
    name: 'Name of the shop',
    nameHelp: 'Shown in page titles and on packing slips. Up to 60 characters.',
  },
  title: 'Settings',
  adminOnly: 'Only admins can change the other settings. Ask an admin, or sign in as one.',
  adminOnlyPage: { title: 'Admins only', body: 'Only admins can change these settings.' },
  notLoaded: 'The settings could not be loaded',
  index,
  save: 'Save',
  saving: 'Saving…',
  discard: 'Discard changes',
  saved: (group: string) => `${group}: saved.`,
  theirs: {
    title: 'Somebody else has changed this',
    change: (label: string, value: string, typed: string) =>
      `${label} is now ${value === '' ? 'empty' : `“${value}”`}. You typed ${typed === '' ? 'nothing' : `“${typed}”`}.`,
    take: 'Use theirs',
    keep: 'Save mine',
    on: 'on',
    off: 'off',
  },
  notSaved: 'Not saved. Correct the marked fields.',
  noNumber: 'Enter a whole number.',
  headerForm: 'Enter one header per line, as Name: value.',
  inLine: (line: number, message: string) => `Line ${line}: ${message}`,
  invalid: {
    title: 'Invalid settings',
    lead: (names: readonly string[]) =>
      `The stored values of these settings are invalid and are not used: ${names.join(', ')}. Features that depend on them are on hold or off. Enter the settings again, or keep the values shown on this page. If you did not expect this, find out who changed the data.`,
    keep: 'Keep the values shown',
    notKept: 'Not saved',
    kept: 'Saved. The values shown on this page are now stored.',
  },
  secret,
  callbacks: {
    group: { title: 'Callbacks', lead: 'Requests that tell your system about presses and timeouts.' },
    url: 'Callback URL',
    urlHelp:
      'A URL with fields such as {nonce} is called with GET; any other receives JSON by POST. Empty: no callbacks by HTTP.',
    further: 'Further receivers',
    families: 'Events to send',
    family: {
      device: 'Presses and timeouts',
      sequence: 'Steps and completed sequences',
      order: 'Lines, and completed shipments and orders',
      order_state: 'Launches, aborts, shorts and other changes of orders',
      condition: 'Alerts',
      movement: 'Stock movements',
      task: 'Tasks',
    },
    unreachable: 'When a device is offline',
    unreachableNack: 'Send a timeout (nack)',
    unreachableNone: 'Send nothing',
    timeout: 'Time limit, seconds',
    timeoutHint: '1 to 120',
    apiKey: 'API key of your system',
    apiKeyHelp: 'Sent with each callback as X-API-Key. It gives access to your system, not to this station.',
    username: 'User name of your system',
    password: 'Password of your system',
    signing: 'Signing secret',
    signingHelp:
      'Starts with whsec_, followed by base64. Lets your system verify that callbacks come from this station.',
    headers: 'More headers',
    headersHelp: 'One per line, as Name: value.',
    nonceAlias: 'Another name for vendor_nonce',
    nonceAliasHelp: 'Order callbacks repeat its value under this name. Empty: no second name.',
    verify: 'Check the certificate of your system',
    verifyHelp: 'For all receivers. Turn this off for tests only: any certificate is then accepted.',
    ca: 'Certificates to trust',
    caHelp: 'PEM format. For all receivers, in addition to the standard root certificates.',
    test: {
      send: 'Send a test',
      sending: 'Sending…',
      unsaved: 'The test goes to the saved address.',
      taken: (status: number | null, milliseconds: number) =>
        `Delivered: your system answered ${status ?? ''} after ${milliseconds} ms.`,
      failed: (why: string) => `Not delivered. ${why}`,
    },
  },
  orders: {
    group: { title: 'Orders', lead: 'For orders without their own values.' },
    seconds: 'Seconds that a line is lit',
    secondsHelp: '0: until it is picked.',
    color: 'Color of orders without a picker',
    stalled: 'Minutes until an order is stalled',
    stalledHelp: 'Without a press. 0: never.',
    placeRule: 'Place of an article',
    placeRuleHelp: 'Among places with enough stock. Walking order decides between equals.',
    placeRules: { priority: 'The first by priority', emptiest: 'The one with the fewest pieces' },
    putConfirmation: 'Confirm slots of carts and walls',
    putConfirmationHelp: 'The default for new batches. A batch can set its own.',
    putConfirmations: {
      once: 'One slot for all held pieces',
      each: 'Each slot',
      none: 'None: a pick is also a put',
    },
    enter: 'Enter on Pick',
    enterHelp:
      'Scanners that lose characters still send their Enter. People can choose for themselves, and for this browser, under More… on Pick.',
    enterRules: {
      unless_scanning: 'Confirms if nobody scans',
      always: 'Always confirms the line',
      never: 'Confirms nothing',
    },
    singles: 'Send single pieces straight to packing',
    singlesHelp: 'Shipments of one piece then do not take a slot at a wall.',
    templateLine: (line: number) => `Line ${line} of an article’s screen`,
    templateHelp:
      'Shown on devices at places with articles while nothing is lit. Fields: {name}, {sku}, {description}, {location}, {barcode}, {on_hand}, {unit}, {minimum}. Lines that somebody changed stay until you choose Use the template.',
    reasons: 'Reasons for a short',
    reasonsHelp:
      'One per line, in the order of the buttons. To change a button’s text, write the text after =, for example: missing = Not on the shelf. These reasons cannot be removed: missing, damaged, wrong_item and other.',
    scan: 'Ask for a scan of each article',
    scanHelp: 'The Pick page then waits for the right scan before the next line.',
    pack: 'Check each piece when packing',
    packHelp:
      'The Pack page then asks for a scan of each piece before it prints. Reload Pack pages that are already open.',
    zero: 'Ask whether a place is empty',
    zeroHelp: 'After a pick that should leave nothing, on the Pick page and on displays with three buttons.',
    countEvery: 'Ask for a count every … visits',
    countEveryHelp: 'The Pick page then asks how many are left. 0: never.',
    tasks: 'A long press asks to fill up the place',
    tasksHelp: 'Besides the call, it opens a task for the article furthest below its minimum.',
  },
  nonces: {
    group: {
      title: 'Callbacks of orders',
      lead: 'Nonces for orders without their own. {order} and {shipment} are replaced with the numbers.',
    },
    ordernonce: 'Nonce of a completed order',
    shipmentnonce: 'Nonce of a completed shipment',
    callback_nonce: 'Nonce of a line',
    help: {
      ordernonce: 'Empty: no callback.',
      shipmentnonce: 'Empty: no callback.',
      callback_nonce: 'Empty: the station creates a token for each line.',
    },
  },
  defaults: {
    group: { title: 'Defaults', lead: 'For requests that leave these out.' },
    seconds: 'Seconds that a command is lit',
    secondsHelp: '0: never times out.',
    color: 'LED color',
    colorHelp: 'A name or #rrggbb.',
  },
  pickers: {
    group: {
      title: 'Pickers',
      lead: 'Pickers launch and acknowledge existing work. You can give all of them more rights.',
    },
    rights: {
      create_orders: 'Create orders',
      import_orders: 'Import orders from files',
      edit_labels: 'Change labels, statics and location aliases',
      send: 'Send commands to devices',
      count: 'Count places without being asked',
    },
  },
  devices: {
    group: { title: 'Devices', lead: 'Which devices can join this station.' },
    accept: 'New devices',
    acceptHelp: 'Let them wait if your gateways also hear devices from other stations.',
    acceptAll: 'Join automatically',
    acceptAsk: 'Wait until an admin accepts them',
  },
  alerts: {
    group: {
      title: 'Alerts',
      lead: 'When to raise an alert; 0 means never. Your system receives alerts if you select them under Callbacks.',
    },
    battery: 'Battery low at',
    batteryHint: 'percent',
    weak: 'Weak signal at',
    weakHint: 'dBm',
    offline: 'Device offline for',
    turbo: 'Gateway offline for',
    tasks: 'Task open for',
    hoursHint: 'hours',
    secondsHint: 'seconds',
  },
  mail,
  folders,
  mqtt,
  network: {
    group: {
      title: 'Network and security',
      lead: 'Who can reach the station, and whether network traffic can be intercepted.',
    },
    reached: 'Addresses',
    encryption: 'Encryption',
    plain: 'None: plain HTTP',
    until: (kind: 'given' | 'generated', day: string) =>
      `HTTPS with ${kind === 'given' ? 'your certificate' : 'a self-signed certificate'}, valid until ${day}`,
    fingerprint: 'Fingerprint (SHA-256)',
    compare:
      'Each browser warns once, because the station signed this certificate itself. Continue only if the fingerprint matches.',
    saveCertificate: 'Save certificate',
    trust: 'Programs on other machines need this file: curl --cacert station.pem. It does not contain the key.',
    nextStart: (waiting: readonly (keyof typeof WAITING)[]) => {
      const names = waiting.map((name) => WAITING[name]);
      return `After the next restart, ${names.length === 1 ? 'this setting takes' : 'these settings take'} effect: ${listText(names)}.`;
    },
    port: 'Port',
    portHelp:
      'Takes effect at the next start. Empty: the default port. Every program, tablet and network gateway then needs the new address.',
    portFixed: (port: number) => `Started with --port ${port}, which overrides this setting.`,
    programs: (names: readonly string[]) => `These have used the station with a key: ${listText(names)}.`,
    listen: 'Who can reach the station',
    listenHelp: 'Tablets and other computers need access over the network.',
    listenFixed: (host: string) => `Started with --host ${host}, which overrides this setting.`,
    thisMachine: 'Only this machine',
    wholeNetwork: 'Every machine on the network',
    tls: 'Encryption (HTTPS)',
    tlsHelp: 'Keeps passwords from being intercepted on the network.',
    tlsGiven: 'Started with your certificate, which overrides this setting.',
    tlsOff: 'Off',
    tlsGenerated: 'On, with a self-signed certificate',
    opening: {
      title: 'Open the station to the network?',
      who: 'Every machine on your network can then open the sign-in page, including a guest’s phone on your Wi-Fi. Signing in still needs a password or key.',
      plain:
        'Without encryption, passwords and keys can be intercepted on the network. Turn on encryption too, unless an HTTPS proxy is in front.',
      later: 'Because you also turn on encryption, it opens when Pickstation restarts.',
      encrypted: 'All traffic is encrypted.',
      confirm: 'Open',
      closeTitle: 'Close the station to the network?',
      close: 'This window and every tablet lose the connection. You can open it again only on the station’s machine.',
      closeConfirm: 'Close',
      offTitle: 'Turn encryption off?',
      offConfirm: 'Turn off',
    },
    proxies: 'Reverse proxies',
    proxiesHelp:
      'One address per line. Only these can report which client sent a request and whether it was encrypted.',
    urls: 'More addresses of this station',
    urlsHelp: 'One per line. Needed behind a proxy or with your own host name.',
    origins: 'Web pages that can call this station',
    originsHelp: 'One origin per line: scheme and host, no path.',
    unwanted: 'Never raise alerts about',
    unwantedHelp: 'One per line. These are refused without an alert.',
    basicAuth: 'User name and password with each request',
    basicAuthHelp: 'For programs without support for keys (Basic). Over plain HTTP, only on the station’s machine.',
    basicAuthWarning:
      'Such a program stores a person’s password and has all of that person’s rights. A key is safer: it has fewer rights and you can remove it separately.',
  },
  requestLog: {
    group: {
      title: 'Request log',
      lead: 'Requests from scripts and shop systems, for the Developer page.',
    },
    keep: 'Keep the last 1,000 requests',
    keepHelp: 'In memory, with passwords and keys hidden. A restart clears them.',
    forgets: 'Saving clears the kept requests.',
  },
  account: {
    title: 'Account',
    lead: (name: string) => `You are signed in as ${name}. A new password ends your other sessions.`,
    old: 'Current password',
    next: 'New password',
    noOld: 'Enter your current password.',
    submit: 'Change password',
    saved: 'Password changed.',
  },
  kept: {
    group: {
      title: 'Retention',
      lead: 'Older entries are deleted gradually.',
    },
    history: 'Days to keep history',
    historyHelp: 'Presses, timeouts and alerts, with their timelines. 0 keeps everything.',
    orders: 'Days to keep ended orders',
    ordersHelp:
      'Fulfilled and aborted orders, counted from their last change. Their history stays. 0 keeps everything.',
    customers: 'Days to keep customers and notes',
    customersHelp:
      'For fulfilled and aborted orders, counted from their last change. The orders stay. 0 keeps everything.',
    callbacks: 'Days to keep delivered callbacks',
    callbacksHelp: 'Callbacks that were not delivered are always kept. 0 keeps everything.',
    logs: 'Days to keep log files',
    logsHelp: 'The latest three days with entries are always kept. At most 64 MiB.',
    logsHint: '1 to 365',
  },
  backups,
  updates,
  about: {
    title: 'About and diagnostics',
    leadOther: 'Version and addresses.',
    lead: 'Versions, and a file for support without passwords, keys or names.',
    node: 'Node and SQLite',
    system: 'System',
    folder: 'Data folder',
    data: 'Data',
    dataWords: (database: string, free: string) => `${database}, ${free} free on the disk`,
    history: 'History',
    entries: (count: number) => plural(count, 'entry', 'entries'),
    notLoaded: 'More details could not be loaded.',
    download: 'Download diagnostics',
    version: 'Version',
    address: 'Address',
    devices: 'Devices',
    reference: 'API reference',
    docs: 'Read about every request and try it',
  },
} as const;
