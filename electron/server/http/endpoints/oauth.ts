import { z } from 'zod';
import { tokenErrorSchema, tokenRequestSchema, tokenSchema } from '#shared/api/access.ts';
import type { Access } from '../../services/access/index.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';
import type { EventStreams } from '../events.ts';
import { STRANGER_LIMIT } from '../bodies/requestBody.ts';

const define = endpointsOf('access');

export const oauthEndpoints = ({
  clients,
  streams,
}: {
  clients: Access['clients'];
  streams: EventStreams;
}): Endpoint[] => [
  define('issueToken', 'public', 'Get an access token (OAuth2 client credentials)', {
    description:
      'Send the client id and secret of an API user in the form or in a Basic header. Send the token in the header `Authorization: Bearer`; it is valid for one hour. Errors follow RFC 6749.',
    isForm: true,
    body: z.string(),
    documentedBody: tokenRequestSchema,
    dialect: (body) => body ?? '',
    examples: {
      form: {
        summary: 'Client id and secret in the form',
        value: { grant_type: 'client_credentials', client_id: 'erp-1', client_secret: 'its secret', scope: 'read' },
      },
    },
    limit: STRANGER_LIMIT,
    answer: tokenSchema,
    otherAnswers: { 400: tokenErrorSchema, 401: tokenErrorSchema },
    refusals: {
      400: 'The form does not follow RFC 6749: `error` says why.',
      401: 'The client id or secret is wrong.',
    },
    async handle({ body, by, req, res }) {
      res.setHeader('pragma', 'no-cache');
      // Loaded with the first token request, because few stations issue tokens.
      const { answerTokenRequest } = await import('../oauthToken.ts');
      const answer = await answerTokenRequest({
        req,
        res,
        form: new URLSearchParams(body),
        clients,
        address: by.address,
      });
      // The program's oldest token may have ended.
      streams.endSignedOut();
      return answer;
    },
  }),
];
