import type { Api } from '../../station/calls/api.ts';

/** Renames a place with everything that has its name. Returns warnings. */
export async function renamePlace(
  api: Pick<Api, 'renamePlaces'>,
  from: string,
  to: string,
): Promise<readonly string[]> {
  const answer = await api.renamePlaces({ body: { from, to } });
  return 'warnings' in answer && Array.isArray(answer.warnings) ? (answer.warnings as string[]) : [];
}
