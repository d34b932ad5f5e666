import { z } from 'zod';
import { named, oneOf } from './fields.ts';

/** From where the station accepts connections. */
export const LISTENS = ['this_machine', 'network'] as const;
export type Listens = (typeof LISTENS)[number];

/** Settings that can require a restart to take effect. */
export const NEXT_START = ['listen', 'port', 'tls'] as const;

/** Warnings about how the station can be reached. */
export const EXPOSURE_WARNINGS = [
  'unencrypted',
  'basic_auth',
  'certificate_ended',
  'certificate_early',
  'certificate_ends_soon',
  'proxy_unnamed',
  'short_key',
  'not_opened',
  'turbos_not_opened',
] as const;

/** How the station can be reached now. Changed settings may take effect only after a restart. See the contract, sections 1 to 3. */
export const exposureSchema = named('Exposure', {
  listens: oneOf(LISTENS),
  host_argument: z
    .string()
    .describe('Address from --host or PICKSTATION_HOST, which overrides the setting listen. Empty if not given.'),
  port_argument: z
    .int()
    .nullable()
    .describe(
      'Port from --port or PICKSTATION_PORT, which overrides the setting port; 0 for any free port. Null if not given.',
    ),
  addresses: z
    .array(z.string())
    .describe('URLs of the station: on this machine, in the network, and from public_urls.'),
  certificate: z
    .object({
      kind: oneOf(['given', 'generated']).describe(
        'given: from --tls-cert and --tls-key. generated: created because of the setting tls.',
      ),
      fingerprint: z.string().describe('SHA-256 fingerprint, as browsers show it.'),
      ends_at: z.string().describe('End of validity, in ISO 8601.'),
      pem: z.string().describe('The certificate in PEM, without its key, for programs that must trust it.'),
    })
    .nullable()
    .describe('The certificate for HTTPS; null for plain HTTP.'),
  next_start: z.array(oneOf(NEXT_START)).describe('Settings that take effect at the next start.'),
  warnings: z.array(z.object({ code: oneOf(EXPOSURE_WARNINGS), message: z.string() })),
});
export type Exposure = z.infer<typeof exposureSchema>;
