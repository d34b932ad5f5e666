import type { SecretSettings, Settings } from '#shared/api/settings.ts';
import { pageAddress, type PageId } from '#shared/lib/station/pageRoutes.ts';
import * as texts from '../words/texts.ts';

type Field = keyof Settings | keyof SecretSettings;

/**
 * A setting that search can find. `also` is extra text to match, in lower case: the help text and the API field name.
 * `address` opens the page with the field focused.
 */
export type FoundSetting = { field: Field; label: string; group: string; also: string; address: string };

type Labeled = readonly [field: Field, label: string, help?: string];

/** A group of fields, on a page of Connections or in a section of Settings. */
type Group = { at: PageId | `#${string}`; title: string; fields: readonly Labeled[] };

const words = texts.settings;
const {
  callbacks,
  nonces,
  orders,
  defaults,
  alerts,
  backups,
  kept,
  devices,
  requestLog,
  network,
  mail,
  folders,
  mqtt,
} = words;
const GROUPS: readonly Group[] = [
  {
    at: '#shop',
    title: words.shop.group.title,
    fields: [
      ['shop_name', words.shop.name, words.shop.nameHelp],
      ['shop_address', words.shop.address, words.shop.addressHelp],
      ['slip_closing', words.shop.closing, words.shop.closingHelp],
    ],
  },
  {
    at: 'callbackSettings',
    title: callbacks.group.title,
    fields: [
      ['callback_url', callbacks.url, callbacks.urlHelp],
      ['unreachable_callback', callbacks.unreachable],
      ['callback_timeout', callbacks.timeout],
      ['callback_api_key', callbacks.apiKey, callbacks.apiKeyHelp],
      ['callback_username', callbacks.username],
      ['callback_password', callbacks.password],
      ['callback_signing_secret', callbacks.signing, callbacks.signingHelp],
      ['callback_headers', callbacks.headers, callbacks.headersHelp],
      ['nonce_alias', callbacks.nonceAlias, callbacks.nonceAliasHelp],
      ['callback_verify', callbacks.verify, callbacks.verifyHelp],
      ['callback_ca', callbacks.ca, callbacks.caHelp],
    ],
  },
  {
    at: 'callbackSettings',
    title: nonces.group.title,
    fields: [
      ['ordernonce', nonces.ordernonce, nonces.help.ordernonce],
      ['shipmentnonce', nonces.shipmentnonce, nonces.help.shipmentnonce],
      ['callback_nonce', nonces.callback_nonce, nonces.help.callback_nonce],
    ],
  },
  {
    at: '#orders',
    title: orders.group.title,
    fields: [
      ['order_seconds', orders.seconds, orders.secondsHelp],
      ['order_color', orders.color, defaults.colorHelp],
      ['order_stalled_minutes', orders.stalled, orders.stalledHelp],
      ['place_rule', orders.placeRule, orders.placeRuleHelp],
      ['put_confirmation', orders.putConfirmation, orders.putConfirmationHelp],
      ['enter_confirms', orders.enter, orders.enterHelp],
      ['singles', orders.singles, orders.singlesHelp],
      ['screen_template', orders.templateLine(1), orders.templateHelp],
      ['short_reasons', orders.reasons, orders.reasonsHelp],
      ['scan_required', orders.scan, orders.scanHelp],
      ['pack_check', orders.pack, orders.packHelp],
      ['zero_check', orders.zero, orders.zeroHelp],
      ['count_every', orders.countEvery, orders.countEveryHelp],
      ['tasks', orders.tasks, orders.tasksHelp],
    ],
  },
  {
    at: '#defaults',
    title: defaults.group.title,
    fields: [
      ['default_seconds', defaults.seconds, defaults.secondsHelp],
      ['default_color', defaults.color, defaults.colorHelp],
    ],
  },
  {
    at: '#devices',
    title: devices.group.title,
    fields: [['accept_devices', devices.accept, devices.acceptHelp]],
  },
  {
    at: '#alerts',
    title: alerts.group.title,
    fields: [
      ['alert_battery_percent', alerts.battery],
      ['alert_weak_dbm', alerts.weak],
      ['alert_offline_seconds', alerts.offline],
      ['alert_turbo_seconds', alerts.turbo],
      ['task_overdue_hours', alerts.tasks],
    ],
  },
  {
    at: '#network',
    title: network.group.title,
    fields: [
      ['listen', network.listen, network.listenHelp],
      ['tls', network.tls, network.tlsHelp],
      ['port', network.port, network.portHelp],
      ['public_urls', network.urls, network.urlsHelp],
      ['trusted_proxies', network.proxies, network.proxiesHelp],
      ['cors_origins', network.origins, network.originsHelp],
      ['unwanted_callers', network.unwanted, network.unwantedHelp],
      ['basic_auth', network.basicAuth, network.basicAuthHelp],
    ],
  },
  {
    at: '#kept',
    title: kept.group.title,
    fields: [
      ['history_days', kept.history, kept.historyHelp],
      ['callback_days', kept.callbacks, kept.callbacksHelp],
      ['order_days', kept.orders, kept.ordersHelp],
      ['history_customer_days', kept.customers, kept.customersHelp],
      ['log_days', kept.logs, kept.logsHelp],
    ],
  },
  {
    at: '#requestLog',
    title: requestLog.group.title,
    fields: [['request_log', requestLog.keep, requestLog.keepHelp]],
  },
  {
    at: '#schedule',
    title: backups.group.title,
    fields: [
      ['backup_every', backups.every, backups.everyHelp],
      ['backup_keep', backups.keep, backups.keepHelp],
    ],
  },
  {
    at: 'mail',
    title: mail.group.title,
    fields: [
      ['mail_host', mail.host, mail.hostHelp],
      ['mail_security', mail.security],
      ['mail_port', mail.port],
      ['mail_username', mail.username, mail.usernameHelp],
      ['mail_password', mail.password],
      ['mail_from', mail.from, mail.fromHelp],
      ['mail_to', mail.to, mail.toHelp],
      ['mail_ca', mail.ca, mail.caHelp],
    ],
  },
  {
    at: 'folders',
    title: folders.group.title,
    fields: [
      ['inbox_folder', folders.inbox, folders.inboxHelp],
      ['outbox_folder', folders.outbox, folders.outboxHelp],
      ['orders_sheet_url', folders.sheet, folders.sheetHelp],
      ['file_encoding', folders.encoding, folders.encodingHelp],
      ['time_zone', folders.timeZone, folders.timeZoneHelp],
    ],
  },
  {
    at: 'mqtt',
    title: mqtt.group.title,
    fields: [
      ['mqtt_url', mqtt.url, mqtt.urlHelp],
      ['mqtt_username', mqtt.username, mqtt.usernameHelp],
      ['mqtt_password', mqtt.password],
      ['mqtt_prefix', mqtt.prefix, mqtt.prefixHelp],
      ['mqtt_station', mqtt.station, mqtt.stationHelp],
      ['fleet', mqtt.fleet, mqtt.fleetHelp],
      ['mqtt_discovery', mqtt.discovery, mqtt.discoveryHelp],
      ['mqtt_ca', mqtt.ca, mqtt.caHelp],
      ['mqtt_cert', mqtt.cert, mqtt.certHelp],
      ['mqtt_key', mqtt.key, mqtt.keyHelp],
    ],
  },
];
/** Lists all settings that have a field, by group. The labels are the same as on the page. */
export function settingFields(): readonly FoundSetting[] {
  return GROUPS.flatMap(({ at, title, fields }) =>
    fields.map(([field, label, help = '']) => ({
      field,
      label,
      group: title,
      also: `${help} ${field}`.toLowerCase(),
      address: addressOf(at, field),
    })),
  );
}

function addressOf(at: Group['at'], field: Field): string {
  const isSection = at.startsWith('#');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all other groups are pages
  const page = isSection ? pageAddress('settings') : pageAddress(at as PageId);
  return `${page}?field=${field}${isSection ? at : ''}`;
}
