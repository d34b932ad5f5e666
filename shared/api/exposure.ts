import { z } from 'zod';

/** From where the station takes connections. */
export const LISTENS = ['this_machine', 'network'] as const;
export type Listens = (typeof LISTENS)[number];

/** What a person should know of how the station can be reached. */
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

/** How the station is reached now, whatever its settings want of the next start. Contract, sections 1 to 3. */
export const exposureSchema = z
  .object({
    listens: z.enum(LISTENS),
    host_argument: z
      .string()
      .describe(
        'Where --host or PICKSTATION_HOST told it to listen, which wins over the setting listen. Empty: nothing.',
      ),
    addresses: z
      .array(z.string())
      .describe('URLs under which it answers: of this machine, of the network, public_urls.'),
    certificate: z
      .object({
        kind: z.enum(['given', 'generated']).describe('By --tls-cert and --tls-key, or by the setting tls.'),
        fingerprint: z.string().describe('SHA-256 of it, as browsers show it.'),
        ends_at: z.string().describe('ISO 8601.'),
        pem: z.string().describe('It in PEM, without its key: what a program has to trust.'),
      })
      .nullable()
      .describe('With it the station speaks HTTPS; null: plain HTTP.'),
    next_start: z.array(z.enum(['listen', 'tls'])).describe('Settings that take effect at the next start.'),
    warnings: z.array(z.object({ code: z.enum(EXPOSURE_WARNINGS), message: z.string() })),
  })
  .meta({ id: 'Exposure' });
export type Exposure = z.infer<typeof exposureSchema>;
