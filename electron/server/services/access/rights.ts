import { hasRight, missingWords, rightsOf, type Circumstances, type Right } from '#shared/api/rights.ts';
import { MissingRight } from '../../errors.ts';
import type { Asker, Caller } from './callers.ts';
import type { AuditTally, By } from '../base/index.ts';

/** Maximum length of a request in the audit log, because paths can be very long. */
const MAX_REQUEST = 200;

/** Checks rights against the table in `shared/api/rights.ts`, and records refusals. */
export function createRights(parts: { circumstances: Circumstances; refusals: AuditTally }) {
  const { circumstances, refusals } = parts;
  return {
    of: ({ scope }: Caller): Right[] => rightsOf(scope, circumstances),
    /**
     * Throws `MissingRight` unless the caller has at least one of these rights. `request` is the method and path, such as `POST
     * /api/orders/`, for the audit log.
     */
    demand(asker: Asker, anyOf: readonly Right[], { by, request }: { by: () => By; request: string }): Caller {
      const { scope } = asker;
      if (isCaller(scope) && anyOf.some((right) => hasRight(right, scope, circumstances))) return { ...asker, scope };
      const [missing = 'read'] = anyOf;
      refusals.add({
        key: `${asker.name}\n${missing}`,
        action: 'right.refused',
        by: by(),
        subject: missing,
        detail: { request: request.slice(0, MAX_REQUEST) },
      });
      throw new MissingRight(missing, missingWords(missing, asker));
    },
  };
}

export type Rights = ReturnType<typeof createRights>;

function isCaller(scope: Asker['scope']): scope is Caller['scope'] {
  return scope !== 'turbo';
}
