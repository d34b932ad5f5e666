import { diagnosticsQuerySchema, diagnosticsSchema } from '#shared/api/diagnostics.ts';
import type { Diagnose } from '../../services/diagnostics.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('station');

export function diagnosticsEndpoints(parts: { diagnostics: Diagnose }): Endpoint[] {
  return [
    define('getDiagnostics', 'diagnose', 'Get data for support', {
      description:
        'Versions, sizes, counts, settings, turbos and the last lines of the log, the sizes of crash dumps, and with `logs=1` the log files, without passwords, keys, tokens and names of people.',
      query: diagnosticsQuerySchema,
      answer: diagnosticsSchema,
      handle: ({ query }) => parts.diagnostics({ withLogs: query.logs === '1' }),
    }),
  ];
}
