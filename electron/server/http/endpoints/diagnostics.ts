import { diagnosticsSchema, type Diagnostics } from '#shared/api/diagnostics.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('station');

export function diagnosticsEndpoints(parts: { diagnostics: () => Diagnostics }): Endpoint[] {
  return [
    define('GET /api/diagnostics/', {
      operationId: 'getDiagnostics',
      summary: 'What somebody who helps needs to know',
      description:
        'Versions, sizes, counts, settings, turbos and the last lines of the log. No passwords, keys or tokens, and no names of people.',
      right: 'diagnose',
      answer: diagnosticsSchema,
      handle: () => parts.diagnostics(),
    }),
  ];
}
