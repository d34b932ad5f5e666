import {
  hasRight,
  missingWords,
  rightsOf,
  type CallerStanding,
  type Circumstances,
  type Right,
} from '#shared/api/rights.ts';
import { MissingRight } from '../../errors.ts';
import type { Asker, Caller } from './access.ts';
import type { AuditTally, By } from '../base/index.ts';

/** Decides rights by the table in `shared/api/rights.ts`, and records refusals. */
export type Rights = {
  /** The current rights of a caller. */
  of(caller: Caller): Right[];
  /** Throws `MissingRight` unless the caller has one of these. `request`: what was asked for, such as `POST /api/orders/`. */
  demand(asker: Asker, anyOf: readonly Right[], asked: { by: () => By; request: string }): Caller;
};

/** A path can be as long as a header. */
const MAX_REQUEST = 200;

export function createRights(parts: { circumstances: () => Circumstances; refusals: AuditTally }): Rights {
  const { circumstances, refusals } = parts;
  return {
    of: ({ scope }) => rightsOf(scope, circumstances()),
    demand(asker, anyOf, { by, request }) {
      const { scope } = asker;
      const now = circumstances();
      if (isCaller(scope) && anyOf.some((right) => hasRight(right, scope, now))) return { ...asker, scope };
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

function isCaller(scope: Asker['scope']): scope is CallerStanding {
  return scope !== 'turbo';
}
