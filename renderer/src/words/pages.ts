import { plural } from './plural.ts';

/** The name of each page, additional search terms (`also`), and the text for its badge. */
export const pages = {
  today: { title: 'Today', also: 'station map devices lit offline home start' },
  alerts: {
    title: 'Alerts',
    also: 'warnings battery signal offline bell',
    unseen: (count: number) => plural(count, 'new alert', 'new alerts'),
  },
  fleet: { title: 'Stations', also: 'fleet shops sites branches all stations order send away version' },
  orders: {
    title: 'Orders',
    also: 'shipments items pick fulfil work',
    waiting: (many: number) => `${plural(many, 'order needs', 'orders need')} attention`,
  },
  pick: { title: 'Pick', also: 'picker picking tablet cart scan work next order' },
  articles: { title: 'Articles', also: 'stock sku products goods inventory reorder barcodes count' },
  sequences: { title: 'Sequences', also: 'steps route kit guide' },
  places: {
    title: 'Places',
    also: 'locations labels aliases shelves devices battery signal offline silent firmware replace accept',
  },
  import: { title: 'Import', also: 'orders places locations csv excel spreadsheet sheet file upload' },
  gateways: { title: 'Gateways', also: 'turbos radio usb serial port network link frames traffic' },
  callbacks: {
    title: 'Callbacks',
    also: 'webhooks deliveries receiver outbox replay retry hook erp wms',
    waiting: (count: number) =>
      `${plural(count, 'callback is waiting', 'callbacks are waiting')}: your system accepts none`,
  },
  history: { title: 'History', also: 'past log picks hour median timeouts acknowledged statistics report csv export' },
  people: { title: 'People', also: 'users persons passwords pin kiosks screens tv wall board audit activity access' },
  programs: { title: 'Programs', also: 'api keys secrets users access' },
  callbackSettings: { title: 'Callback settings', also: 'receiver url webhook signing secret headers' },
  mqtt: { title: 'MQTT', also: 'broker topics' },
  folders: { title: 'Folders', also: 'inbox outbox sheets files' },
  mail: { title: 'E-mail', also: 'mail smtp alerts' },
  settings: { title: 'Settings', also: 'backups updates network sounds account about' },
  developer: { title: 'Developer', also: 'requests log api openapi curl reference documentation integration' },
  help: { title: 'Help', also: 'glossary words terms shortcuts keyboard documentation manual log logs' },
  licences: { title: 'Licenses', also: 'license copyright open source third party notices sbom about' },
  locate: { title: 'Locate', also: 'where find light flash article bin' },
  scanner: { title: 'Scanner', also: 'barcode wedge keyboard serial hid camera test gs1 layout caps lock qr' },
  pack: { title: 'Pack', also: 'wall back packing slip complete slots print' },
  carts: { title: 'Carts and walls', also: 'slots batches' },
  setUp: { title: 'Set up devices', also: 'commission label press place pattern new install shelf' },
} as const;
