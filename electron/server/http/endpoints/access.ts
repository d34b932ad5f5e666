import { loginResultSchema, loginSchema } from '#shared/api/access.ts';
import { passwordChangeSchema } from '#shared/api/setup.ts';
import { StationError } from '../../errors.ts';
import type { Access } from '../../services/access/index.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';
import type { EventStreams } from '../events.ts';
import { STRANGER_LIMIT } from '../bodies/requestBody.ts';
import { endCookies, giveSession, openerBy, pageQuery, sessionOf } from '../signIn.ts';

const define = endpointsOf('access');

type Parts = { access: Pick<Access, 'people' | 'findSession' | 'bySession'>; streams: EventStreams };

export function accessEndpoints({ access, streams }: Parts): Endpoint[] {
  const { people } = access;
  return [
    define('signIn', 'public', 'Sign in', {
      description:
        'Sets the cookies `sessionid` and `csrftoken` or, with `?page=1`, the cookies of the page. Writes in the session must send the token in the header `x-csrf-token`, and a `Referer` of this station.',
      query: pageQuery,
      body: loginSchema,
      examples: { admin: { summary: 'The first user', value: { username: 'admin', password: 'harbour street' } } },
      limit: STRANGER_LIMIT,
      answer: loginResultSchema,
      refusals: { 401: 'The user name or password is wrong.' },
      async handle({ body, query, by, req, res }) {
        const opened = await people.signIn(body.username, body.password, by.address, openerBy(req.headers));
        // The person's oldest session may have ended.
        streams.endSignedOut();
        return giveSession(req, res, opened, query.page === '1');
      },
    }),
    define('signOut', 'read', 'Sign out', {
      isKeyless: true,
      description:
        'Ends the session of the cookie and token, or of the temporary key. Returns 401 if there is no session.',
      async handle({ caller, by, req, res }) {
        const session = access.findSession(caller);
        if (session === undefined) {
          throw new StationError(
            'unauthenticated',
            'There is no session to end: the key or token of an API user has none. Remove the API user, or let the token expire.',
          );
        }
        const isOwn = (id: string): boolean => {
          const asker = access.bySession(id);
          return asker !== undefined && access.findSession(asker)?.idHash === session.idHash;
        };
        endCookies(req, res, isOwn);
        await people.signOut(session, by);
        streams.endSignedOut();
        return undefined;
      },
    }),
    define('changePassword', 'read', 'Change your own password', {
      description: 'Available only in a session. Ends all your other sessions.',
      body: passwordChangeSchema,
      examples: {
        other: {
          summary: 'Another password',
          value: { old_password: 'harbour street', new_password: 'harbour street 12' },
        },
      },
      async handle({ body, caller, by }) {
        await people.changePassword(sessionOf(caller, 'a password'), body.old_password, body.new_password, by);
        streams.endSignedOut();
        return undefined;
      },
    }),
  ];
}
