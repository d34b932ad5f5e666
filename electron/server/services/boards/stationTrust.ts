import { X509Certificate } from 'node:crypto';

/** Certificate that a board trusts: a self-signed certificate, and a host name in the station's certificate if it contains one. */
export type StationTrust = { der: Uint8Array; name: string | undefined };

/**
 * Reads the trust anchor from the station's certificate chain in PEM format. Undefined if the chain does not end in a self-signed
 * certificate: the small TLS libraries on boards trust no other kind, and some cannot match IP addresses in a certificate.
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
