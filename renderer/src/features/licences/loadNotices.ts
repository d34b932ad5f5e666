import type { Notices } from '#shared/lib/station/thirdParty.ts';

/** Loads the notices of this build of the page. They are not in the API, because each build has different ones. */
export async function loadNotices(signal: AbortSignal): Promise<Notices> {
  const response = await window.fetch('/notices.json', { signal });
  if (!response.ok) throw new Error(`The station answered ${response.status}`);
  return (await response.json()) as Notices;
}
