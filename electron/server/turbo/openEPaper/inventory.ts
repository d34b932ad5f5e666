import { parsePage, parseTagType, type TagRecord, type TagType } from './accessPointAnswers.ts';
import { AccessPointError, type AccessPointHttp } from './accessPointHttp.ts';

/** Highest list position. An access point reads the position as one byte, so a higher one would restart from the beginning. */
const HIGHEST_POSITION = 255;
const NOT_FOUND = 404;

/**
 * The tags of an access point. `isCut` tells whether the access point has more tags than it can list; the others are added when they check
 * in.
 */
export type TagList = { records: TagRecord[]; isCut: boolean };

/** Reads the tags that an access point knows, page by page. Rejects with an Error for the user. */
export async function readTagList(http: AccessPointHttp): Promise<TagList> {
  const records: TagRecord[] = [];
  let position: number | undefined = 0;
  while (position !== undefined && position <= HIGHEST_POSITION) {
    const answer = await http.get(`get_db?pos=${position}`);
    const page = answer.status === 200 ? parsePage(answer.body.toString('utf8')) : undefined;
    if (page === undefined) throw new AccessPointError('The access point does not list its tags.');
    records.push(...page.records);
    // Continue only if the position advances. Otherwise, the loop would never end.
    position = page.next !== undefined && page.next > position ? page.next : undefined;
  }
  return { records, isCut: position !== undefined };
}

/** Reads a tag type. Returns undefined if the access point does not know the type or its screen. Rejects with an Error for the user. */
export async function readTagType(http: AccessPointHttp, hwType: number): Promise<TagType | undefined> {
  const answer = await http.get(`tagtypes/${typeName(hwType)}.json`);
  if (answer.status === NOT_FOUND) return undefined;
  if (answer.status !== 200) throw new AccessPointError('The access point does not describe its tags.');
  return parseTagType(answer.body.toString('utf8'));
}

export function typeName(hwType: number): string {
  return hwType.toString(16).toUpperCase().padStart(2, '0');
}
