import { randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import { Integer, OctetString, Utf8String } from 'asn1js';
import {
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  CryptoEngine,
  Extension,
  ExtKeyUsage,
  GeneralName,
  GeneralNames,
} from 'pkijs';

const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const BEFORE_MS = 24 * 3_600_000;

const COMMON_NAME = '2.5.4.3';
const SUBJECT_ALT_NAME = '2.5.29.17';
const BASIC_CONSTRAINTS = '2.5.29.19';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const DNS_NAME = 2;
const IP_ADDRESS = 7;

/**
 * Generates a key and a certificate for these names and addresses, both in PEM format. The certificate is valid for `lifetimeMs` after
 * `now`, and from a day before `now`, because clocks in a shop differ. It cannot sign other certificates, so a tablet that trusts it trusts
 * only these names.
 */
export async function makeSelfSigned(parts: {
  names: readonly string[];
  now: number;
  lifetimeMs: number;
}): Promise<{ key: string; cert: string }> {
  const { names, now, lifetimeMs } = parts;
  const engine = new CryptoEngine({ name: 'node', crypto: webcrypto });
  const keys = await webcrypto.subtle.generateKey(CURVE, true, ['sign', 'verify']);
  const certificate = new Certificate();
  certificate.version = 2;
  // Serial numbers are positive integers of 127 bits.
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  certificate.serialNumber = new Integer({ valueHex: bytesOf(serial) });
  const name = new AttributeTypeAndValue({ type: COMMON_NAME, value: new Utf8String({ value: 'Pickstation' }) });
  certificate.issuer.typesAndValues.push(name);
  certificate.subject.typesAndValues.push(name);
  certificate.notBefore.value = new Date(now - BEFORE_MS);
  certificate.notAfter.value = new Date(now + lifetimeMs);
  certificate.extensions = [
    extension(SUBJECT_ALT_NAME, new GeneralNames({ names: names.map(generalName) })),
    extension(BASIC_CONSTRAINTS, new BasicConstraints({ cA: false }), true),
    extension(EXTENDED_KEY_USAGE, new ExtKeyUsage({ keyPurposes: [SERVER_AUTH] })),
  ];
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey, engine);
  await certificate.sign(keys.privateKey, 'SHA-256', engine);
  return {
    key: pem('PRIVATE KEY', await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)),
    cert: pem('CERTIFICATE', certificate.toSchema(true).toBER(false)),
  };
}

function extension(
  extnID: string,
  value: { toSchema(): { toBER(sizeOnly: boolean): ArrayBuffer } },
  critical = false,
): Extension {
  return new Extension({ extnID, critical, extnValue: value.toSchema().toBER(false) });
}

function generalName(name: string): GeneralName {
  const family = isIP(name);
  if (family === 0) return new GeneralName({ type: DNS_NAME, value: name });
  const bytes = family === 4 ? name.split('.').map(Number) : bytesOfIpv6(name);
  return new GeneralName({ type: IP_ADDRESS, value: new OctetString({ valueHex: bytesOf(Uint8Array.from(bytes)) }) });
}

function bytesOfIpv6(address: string): number[] {
  // The URL parser normalizes the address to groups of hexadecimal digits.
  const { hostname } = new URL(`http://[${address}]/`);
  const [head = '', tail] = hostname.slice(1, -1).split('::');
  const groups = (text: string): string[] => text.split(':').filter((group) => group !== '');
  const [first, last] = [groups(head), groups(tail ?? '')];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/** Copies bytes, because those from Node may be part of a shared buffer. */
function bytesOf(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}

function pem(label: string, der: ArrayBuffer): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .replaceAll(/.{64}(?!$)/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
