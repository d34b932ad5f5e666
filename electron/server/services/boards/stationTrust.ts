import { X509Certificate } from 'node:crypto';

/** A self-signed certificate that a board trusts. `name` is a host name in the station's certificate, or undefined if it contains none. */
export type StationTrust = { der: Uint8Array; name: string | undefined };

/**
 * Reads what a board has to trust from the station's certificate chain in PEM format. Returns undefined if the chain contains no
 * self-signed certificate, because the small TLS libraries on boards trust no other kind. Some of these libraries need the name, because
 * they cannot match IP addresses in a certificate.
 */
export function trustIn(chain: string): StationTrust | undefined {
  const all = (chain.match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs) ?? []).map(
    (pem) => new X509Certificate(pem),
  );
  const root = all.findLast((one) => one.checkIssued(one) && one.verify(one.publicKey));
  if (root === undefined) return undefined;
  const [, name] = /(?:^|, )DNS:([^,]+)/.exec(all[0]?.subjectAltName ?? '') ?? [];
  return { der: root.raw, name: name?.replace('*', 'station') };
}
