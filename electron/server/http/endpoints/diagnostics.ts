import { diagnosticsQuerySchema, diagnosticsSchema, pageErrorSchema } from '#shared/api/diagnostics.ts';
import type { Diagnose } from '../../services/diagnostics.ts';
import type { PageErrors } from '../../services/pageErrors.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('station');

export function diagnosticsEndpoints(parts: { diagnostics: Diagnose; pageErrors: PageErrors }): Endpoint[] {
  return [
    define('reportPageError', 'read', 'Log an error in the page', {
      description:
        'Writes it to the log of the station, with secrets hidden: at most 20 at once, then one a minute. Further ones are only counted.',
      body: pageErrorSchema,
      examples: {
        crash: {
          summary: 'A part of the page crashed',
          value: { message: 'x is undefined', stack: 'Error: x is undefined\n    at Rail', path: '/orders' },
        },
      },
      handle: ({ body }) => parts.pageErrors.report(body),
    }),
    define('getDiagnostics', 'diagnose', 'Get data for support', {
      description:
        'Versions, sizes, counts, settings, turbos and the last lines of the log, the sizes of crash dumps, and with `logs=1` the log files, without passwords, keys, tokens and names of people.',
      query: diagnosticsQuerySchema,
      answer: diagnosticsSchema,
      handle: ({ query }) => parts.diagnostics({ withLogs: query.logs === '1' }),
    }),
  ];
}
