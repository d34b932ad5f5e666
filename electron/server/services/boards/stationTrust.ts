import { X509Certificate } from 'node:crypto';

/** What a board trusts: a certificate that signs itself, and a name in the station's certificate, if there is one. */
export type StationTrust = { der: Uint8Array; name: string | undefined };

/**
 * Of the station's certificate and its chain, in PEM; undefined: the chain does not end in a certificate that signs itself.
 * The small TLS libraries of boards trust no other, and not all of them find addresses in a certificate.
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
