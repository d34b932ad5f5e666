import type { Notices } from '#shared/lib/station/thirdParty.ts';
import { ApiError } from '../../words/apiError.ts';
import * as texts from '../../words/texts.ts';

/** Loads the notices of this build of the page. They are not part of the API, because each build has its own. */
export async function loadNotices(signal: AbortSignal): Promise<Notices> {
  const response = await window.fetch('/notices.json', { signal }).catch(() => undefined);
  if (response?.ok !== true) throw new ApiError('unreachable', texts.licences.failed);
  return (await response.json()) as Notices;
}
