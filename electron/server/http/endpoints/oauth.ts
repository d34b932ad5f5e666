import { z } from 'zod';
import { tokenErrorSchema, tokenRequestSchema, tokenSchema } from '#shared/api/access.ts';
import type { Access } from '../../services/access/index.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { STRANGER_LIMIT } from '../router.ts';

export function oauthEndpoints(parts: { clients: Access['clients'] }): Endpoint[] {
  const { clients } = parts;
  return [
    endpoint({
      method: 'POST',
      path: '/api/oauth/token/',
      tag: 'access',
      summary: 'Fetch an access token (OAuth2 client credentials)',
      description:
        'With client id and secret of an API user, in the form or in a Basic header. The token goes into `Authorization: Bearer` of any request, for an hour. Failures are those of RFC 6749.',
      right: 'public',
      isForm: true,
      body: z.string(),
      documentedBody: tokenRequestSchema,
      dialect: (body) => body ?? '',
      limit: STRANGER_LIMIT,
      answer: tokenSchema,
      otherAnswers: { 400: tokenErrorSchema, 401: tokenErrorSchema },
      async handle({ body, by, req, res }) {
        res.setHeader('pragma', 'no-cache');
        // Few stations are ever asked for a token: the library is read by the first who is.
        const { answerTokenRequest } = await import('../oauthToken.ts');
        return answerTokenRequest({ req, res, form: new URLSearchParams(body), clients, address: by.address });
      },
    }),
  ];
}
