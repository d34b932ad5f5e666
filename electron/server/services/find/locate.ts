import type { FoundThing } from '#shared/api/find.ts';
import type { LightedPlace, LocatedPlace } from '#shared/api/locate.ts';
import { MIN_FIND_CHARACTERS } from '#shared/lib/text/findLimits.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { TablesOf } from '../../core.ts';
import type { Writer } from '../../db/writer.ts';
import { sameTarget } from '../../domain/commands/commandQueue.ts';
import { StationError } from '../../errors.ts';
import { isWork, type OperatorActions } from '../commands/index.ts';
import { findById, findByLocation, type Target } from '../devices/index.ts';
import type { Find } from './find.ts';
import { shownLine } from './searchIndex.ts';

type Tables = TablesOf<'find'>;

/** A matching place before its device's state is read. */
type Match = Pick<LocatedPlace, 'article' | 'matched'> & { target: Target };

/** Maximum number of places in one response. */
const MAX_PLACES = 20;

/** Finds places by article or name, and lights them briefly. */
export function createLocate(parts: {
  reads: Tables;
  writer: Pick<Writer, 'write'>;
  find: Find;
  operatorActions: Pick<OperatorActions, 'pointAt'>;
}) {
  const { reads, writer, find, operatorActions } = parts;

  /** Returns the first static line of a device, which often names the article there. */
  const articleAt = (deviceId: string) => shownLine(reads.devices.find(deviceId)?.statica ?? '');

  /** Lists places with exactly this name, including all devices with this label. */
  function listNamed(name: string): Match[] {
    const target = findByLocation(reads, name);
    if (target === undefined) return [];
    const labeled = reads.devices.listByLabel(name).flatMap((id) => findById(reads, id) ?? []);
    const targets = target.alias === '' && labeled.length > 0 ? labeled : [target];
    return targets.map((each) => ({
      target: each,
      article: articleAt(each.deviceId),
      matched: each.alias !== '' ? 'alias' : labeled.length > 0 ? 'label' : 'deviceid',
    }));
  }

  function matchOf(found: FoundThing): Match[] {
    const { deviceid, location = '', matched, text } = found;
    const named = location === '' ? undefined : findByLocation(reads, location);
    const target = named !== undefined && named.deviceId === deviceid ? named : findById(reads, deviceid ?? '');
    if (target === undefined) return [];
    const isName = matched === 'alias' || matched === 'label' || matched === 'deviceid';
    return [{ target, matched, article: isName ? articleAt(target.deviceId) : text }];
  }

  async function match(wanted: string): Promise<{ matches: Match[]; isExact: boolean }> {
    const named = listNamed(wanted);
    if (named.length > 0 || wanted.length < MIN_FIND_CHARACTERS) return { matches: named, isExact: true };
    const found = (await find.find(wanted)).filter(({ deviceid }) => deviceid !== undefined);
    const exact = found.filter(({ text }) => isExactly(text, wanted));
    const matches = distinct((exact.length > 0 ? exact : found).flatMap(matchOf));
    return { matches, isExact: exact.length > 0 };
  }

  function placeOf({ target, article, matched }: Match): LocatedPlace {
    const shown = reads.commands.findFirst(target.deviceId);
    const isLit = shown !== undefined && isWork(shown.target);
    const order_number = isLit && shown.owner?.kind === 'item' ? shown.owner.of : null;
    return { deviceid: target.deviceId, location: nameOf(target), article, matched, order_number, is_lit: isLit };
  }

  return {
    /** Finds all matching places, best first. Changes nothing. */
    async locate(wanted: string): Promise<LocatedPlace[]> {
      const { matches } = await match(wanted);
      return matches.slice(0, MAX_PLACES).map(placeOf);
    },
    /**
     * Lights every place with exactly this name or article, or the only place whose name contains the text. Throws `not_found`, or
     * `conflict` if the names of several places contain the text.
     */
    async light(
      { q, seconds, color }: { q: string; seconds: number | undefined; color: string | undefined },
      sender: string,
    ): Promise<LightedPlace[]> {
      const { matches, isExact } = await match(q);
      if (matches.length === 0) throw new StationError('not_found', nothingWords(q));
      if (!isExact && matches.length > 1) throw new StationError('conflict', severalWords(q, matches));
      return writer.write((tx) =>
        matches.slice(0, MAX_PLACES).map((each) => {
          const place = placeOf(each);
          // If the place is already lit, do not queue another light, which would appear after the person has left.
          if (place.is_lit) return { ...place, command_id: null };
          const text = each.article === '' ? q : each.article;
          const lines = [place.location, text].filter((line, index, all) => all.indexOf(line) === index);
          const sent = operatorActions.pointAt(tx, each.target, { lines, seconds, color }, sender);
          return { ...place, command_id: sent.commandId };
        }),
      );
    },
  };
}

export type LocateService = ReturnType<typeof createLocate>;

const nameOf = ({ alias, label, deviceId }: Target): string =>
  [alias, label, deviceId].find((name) => name !== '') ?? '';

/** Whether a text is exactly the wanted code or starts with that code, because an item's text consists of its code and its name. */
function isExactly(text: string, wanted: string): boolean {
  const key = nameKey(wanted);
  return nameKey(text) === key || nameKey(text).startsWith(`${key} · `);
}

/** Lists each place only once, even if many orders have items of the same article. */
function distinct(matches: readonly Match[]): Match[] {
  const places = new Map<string, Match>();
  for (const each of matches) {
    const key = `${each.target.deviceId} ${sameTarget(each.target.target)}`;
    if (!places.has(key)) places.set(key, each);
  }
  return [...places.values()];
}

function nothingWords(wanted: string): string {
  return `No alias, label, DeviceID, article of an order or line on a display contains "${wanted}". Set it as a label or an alias, or as a static line of its device.`;
}

function severalWords(wanted: string, matches: readonly Match[]): string {
  const names = matches.slice(0, 5).map(({ target }) => nameOf(target));
  const more = matches.length > names.length ? ', …' : '';
  return `"${wanted}" is a part of ${matches.length} places: ${names.join(', ')}${more}. Nothing was lit. Give the whole name of one.`;
}
