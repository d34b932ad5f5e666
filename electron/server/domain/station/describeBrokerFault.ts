import { describeFault } from '../callbacks/describeSendError.ts';

/** Meanings of MQTT 5 reason codes, with what to do. */
const REASONS: ReadonlyMap<number, string> = new Map([
  [0x80, 'The broker refused and gave no reason. Check its log.'],
  [0x84, 'The broker does not speak this version of MQTT.'],
  [0x85, 'The broker does not accept this client id. Check its settings for client ids.'],
  [0x86, 'The broker does not accept the user name or password. Check mqtt_username and mqtt_password.'],
  [
    0x87,
    'The broker does not allow this. Check mqtt_username, mqtt_password, and the rights of this user at the broker (ACL).',
  ],
  [0x88, 'The broker is not available now.'],
  [0x89, 'The broker is busy.'],
  [0x8a, 'The broker has banned this client. Check its log.'],
  [0x8b, 'The broker is shutting down.'],
  [0x8d, 'The broker heard nothing from this station for too long.'],
  [0x8e, 'Another program with the same client id took over the connection.'],
  [0x8f, 'The broker does not accept this topic filter. Check mqtt_prefix and mqtt_station.'],
  [0x90, 'The broker does not accept this topic. Check mqtt_prefix and mqtt_station.'],
  [0x93, 'The station sent more at once than the broker accepts.'],
  [0x95, 'The message is larger than the broker accepts.'],
  [0x97, 'A quota at the broker is used up. Check its limits.'],
  [0x99, 'The broker does not accept the format of this message.'],
  [0x9a, 'The broker does not keep retained messages, which the station needs. Turn them on.'],
  [0x9b, 'The broker does not offer QoS 1, which the station needs. Turn it on.'],
  [0x9f, 'Too many connections in a short time. The broker asks the station to wait.'],
]);

/** Maps CONNACK return codes of MQTT 3.1.1 to MQTT 5 reason codes. */
const OLD_CODES: ReadonlyMap<number, number> = new Map([
  [1, 0x84],
  [2, 0x85],
  [3, 0x88],
  [4, 0x86],
  [5, 0x87],
]);

/** Reason codes of refusals that a retry cannot change. */
const REFUSALS: ReadonlySet<number> = new Set([0x80, 0x85, 0x86, 0x87, 0x8a, 0x8c, 0x90, 0x95, 0x99, 0x9a, 0x9b]);

/** Converts a reason code of either MQTT version to MQTT 5. */
export function reasonOfCode(code: number): number {
  return OLD_CODES.get(code) ?? code;
}

/** Whether a refusal with this reason is final, so that retries cannot succeed. */
export function isRefusal(reason: number): boolean {
  return REFUSALS.has(reason);
}

/** Describes an MQTT 5 reason code in a sentence that says what to do. `words` is text from the broker. */
export function describeReason(reason: number, words = ''): string {
  const meaning = REASONS.get(reason) ?? 'The broker refused. Check its log.';
  const code = `0x${reason.toString(16).padStart(2, '0')}`;
  return `${meaning} (${words === '' ? code : `${code}, ${words.slice(0, 200)}`})`;
}

const MEANINGS: readonly (readonly [codes: RegExp, meaning: string])[] = [
  [/^ECONNREFUSED$/, 'Connection refused. Start the broker, or correct mqtt_url.'],
  [/^(?:ENOTFOUND|EAI_\w+)$/, 'The name of the broker was not found. Check mqtt_url, and the network of this machine.'],
  [
    /^(?:ECONNRESET|EPIPE)$/,
    'The broker closed the connection. Check its log, and whether mqtt_url should begin with mqtts://.',
  ],
  [
    /^E(?:TIMEDOUT|HOSTUNREACH|NETUNREACH|HOSTDOWN|NETDOWN|ADDRNOTAVAIL)$/,
    'The broker cannot be reached from this machine. Check its address, and the network and firewalls in between.',
  ],
  [
    /^ERR_SSL_(?:TLSV1|SSLV3)_ALERT|ALERT_CERTIFICATE_REQUIRED/,
    'The broker asks for another certificate of this station. Check mqtt_cert and mqtt_key.',
  ],
  [
    /CERT|SIGNATURE|ISSUER|^HOSTNAME_MISMATCH$/,
    'The certificate of the broker is not trusted. Set mqtt_ca to the certificate of its issuer, or give the broker a trusted one.',
  ],
  [
    /^(?:EPROTO$|ERR_SSL_|ERR_OSSL_)/,
    'The encrypted connection failed. Check that the broker speaks TLS at this port, and check mqtt_cert and mqtt_key.',
  ],
];

/** Describes why the connection failed and what to do, followed by the system's error message. */
export function describeBrokerError(error: unknown): string {
  const words = error instanceof Error && !('code' in error) ? error.message : undefined;
  if (words === 'connack timeout') return 'The broker accepted the connection but did not answer. Check mqtt_url.';
  const otherwise = 'The broker does not answer with MQTT. Check mqtt_url.';
  return words === undefined ? describeFault(error, MEANINGS, otherwise) : `${otherwise} (${words})`;
}
