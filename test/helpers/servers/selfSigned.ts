import { generateKeyPairSync, sign } from 'node:crypto';

/**
 * Creates a key and a self-signed certificate for 127.0.0.1 and a host name, both as PEM. Each test creates its own, so that no key is
 * stored.
 */
export function selfSigned(commonName: string, hostName?: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(commonName, 'utf8')))));
  const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const validity = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z')));
  const names = hostName === undefined ? [] : [der(0x82, Buffer.from(hostName, 'ascii'))];
  const addresses = sequence(der(0x87, Buffer.from([127, 0, 0, 1])), ...names);
  const extensions = sequence(
    sequence(oid(0x55, 0x1d, 0x11), der(0x04, addresses)),
    sequence(oid(0x55, 0x1d, 0x13), der(0x04, sequence(der(0x01, Buffer.from([0xff]))))),
  );
  const body = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  const base64 = sequence(body, ecdsaWithSha256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

/** Encodes an ASN.1 value by the distinguished encoding rules (DER): tag, length, content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, Buffer.concat(parts));
const set = (part: Buffer): Buffer => der(0x31, part);
const integer = (value: number): Buffer => der(0x02, Buffer.from([value]));
const oid = (...bytes: number[]): Buffer => der(0x06, Buffer.from(bytes));
