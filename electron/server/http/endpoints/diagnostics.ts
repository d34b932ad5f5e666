import { diagnosticsQuerySchema, diagnosticsSchema, pageErrorSchema } from '#shared/api/diagnostics.ts';
import type { Diagnose } from '../../services/diagnostics.ts';
import type { PageErrors } from '../../services/pageErrors.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('station');

export function diagnosticsEndpoints(parts: { diagnostics: Diagnose; pageErrors: PageErrors }): Endpoint[] {
  return [
    define('reportPageError', 'read', 'Log an error of the page', {
      description:
        'Writes the error to the log of the station, with secrets hidden: at most 20 errors at once, then one per minute. Further errors are only counted.',
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
        'Returns versions, sizes, counts, settings, turbos, the last lines of the log, the sizes of crash dumps and, with `logs=1`, the log files. Passwords, keys, tokens and names of people are left out.',
      query: diagnosticsQuerySchema,
      answer: diagnosticsSchema,
      handle: ({ query }) => parts.diagnostics({ withLogs: query.logs === '1' }),
    }),
  ];
}
