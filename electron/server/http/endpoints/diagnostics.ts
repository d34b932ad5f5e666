import { diagnosticsSchema, type Diagnostics } from '#shared/api/diagnostics.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('station');

export function diagnosticsEndpoints(parts: { diagnostics: () => Diagnostics }): Endpoint[] {
  return [
    define('getDiagnostics', 'diagnose', 'Get data for support', {
      description:
        'Versions, sizes, counts, settings, turbos and the last lines of the log, without passwords, keys, tokens and names of people.',
      answer: diagnosticsSchema,
      handle: () => parts.diagnostics(),
    }),
  ];
}
