import { useMemo } from 'react';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { StationMap } from '#shared/api/map.ts';
import type { GoodsPlace } from '#shared/api/place.ts';
import { MAX_ARTICLE_TEXT } from '#shared/lib/articles/articleLimits.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { cellWords, meansPlace, placeNames } from '../../station/placeNames.ts';
import type { NamedDevice } from '../../station/places.ts';
import { useSettled } from '../../station/useSettled.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { type Suggestion, SuggestionField } from '../../kit/field/SuggestionField.tsx';
import type { Common } from '../../kit/field/fields.tsx';
import * as texts from '../../words/texts.ts';

type Props = Common & {
  /**
   * What is chosen: `place` puts the name of the place into the field and also accepts other names; `device` puts the
   * text of `choiceText` into it, which `deviceNamed` reads.
   */
  chooses: 'place' | 'device';
  value: string;
  onChange(typed: string): void;
  placeholder?: string;
  /** Devices that cannot be chosen, each with the reason. */
  refused?: ReadonlyMap<string, string>;
  autoFocus?: boolean;
};

const NONE: ReadonlyMap<string, string> = new Map();
const NO_ALIASES: readonly LocationAlias[] = [];

/** A field for a place or for the device that hangs there. Finds both by label, alias, position on the map and DeviceID. */
export function PlaceField({ chooses, refused = NONE, ...field }: Props) {
  const { value } = field;
  const places = useStationState((state) => state.places);
  const aliases = useStationState(({ station }) => station?.aliases ?? NO_ALIASES);
  const map = useStationState(({ station }) => station?.map);
  const unlit = useUnlitPlaces(value, chooses === 'place');
  const choices = useMemo(
    () => (map === undefined ? [] : findPlaces({ places, aliases, unlit, map, chooses }, value, refused)),
    [places, aliases, unlit, map, chooses, value, refused],
  );
  return <SuggestionField {...field} choices={choices} opensOnTyping refused={refused.keys()} />;
}

const NO_PLACES: readonly GoodsPlace[] = [];

/** Returns the places without a light that contain the text. Nothing while the text changes, or if `isOn` is false. */
function useUnlitPlaces(typed: string, isOn: boolean): readonly GoodsPlace[] {
  const { api } = useStationContext();
  const text = typed.trim();
  const settled = useSettled(text);
  const isAsked = isOn && text !== '' && text.length <= MAX_ARTICLE_TEXT && settled === text;
  const { value = NO_PLACES } = useStationQuery(
    ['unlitPlaces', settled],
    () => api.listPlaces({ query: { q: settled, light: '0', limit: MAX } }),
    { isOn: isAsked },
  );
  return isAsked ? value : NO_PLACES;
}

/** Maximum number of suggestions. Typing more narrows the list. */
const MAX = 40;

type Places = {
  places: readonly NamedDevice[];
  aliases: readonly LocationAlias[];
  unlit: readonly GoodsPlace[];
  map: StationMap;
  chooses: Props['chooses'];
};

/**
 * Returns the first suggestions that match a text. If the text is empty or the text of a suggestion, all suggestions
 * match.
 */
function findPlaces(
  { places, aliases, unlit, map, chooses }: Places,
  typed: string,
  refused: Props['refused'] = NONE,
): Suggestion[] {
  const standing = placeNames(map);
  const cells = new Map(map.places.map((cell) => [cell.deviceid, cell]));
  const names = new Map(places.map(({ deviceid, name }) => [deviceid, name]));
  const served = Map.groupBy(aliases, ({ deviceid }) => deviceid);
  const noteOf = (deviceid: string): string => {
    const cell = cells.get(deviceid);
    return refused.get(deviceid) ?? (cell === undefined ? '' : cellWords(map, cell));
  };
  const devices = places.map((place) => ({
    id: place.deviceid,
    text: chooses === 'device' ? choiceText(place) : place.name,
    note: noteOf(place.deviceid),
    also: [place.deviceid, ...(served.get(place.deviceid)?.map(({ name }) => name) ?? [])],
    at: place.deviceid,
  }));
  const others = aliases.map(({ id, name, deviceid }) => ({
    id: `alias ${id}`,
    text: name,
    note: texts.work.litBy(names.get(deviceid) ?? deviceid),
    also: [],
    at: deviceid,
  }));
  const dark = unlit.map(({ name }) => ({
    id: `place ${name}`,
    text: name,
    note: texts.work.noLight,
    also: [],
    at: '',
  }));
  const all = chooses === 'device' ? devices : withDistinctNames([...devices, ...others, ...dark]);
  const wanted = nameKey(typed);
  const isChosen = all.some(({ text }) => nameKey(text) === wanted);
  const found =
    wanted === '' || isChosen
      ? all
      : all.filter(
          ({ text, also, at }) =>
            [text, ...also].some((each) => nameKey(each).includes(wanted)) || meansPlace(standing.get(at), wanted),
        );
  return found.slice(0, MAX).map(({ id, text, note }) => ({ id, text, note }));
}

function withDistinctNames<Place extends { text: string }>(places: readonly Place[]): readonly Place[] {
  const byName = new Map(places.toReversed().map((place) => [nameKey(place.text), place]));
  return places.filter((place) => byName.get(nameKey(place.text)) === place);
}

/** Returns the text of a device in the field: its name and its DeviceID. */
export function choiceText({ deviceid, name }: NamedDevice): string {
  return name === deviceid ? deviceid : `${name} · ${deviceid}`;
}

/**
 * Returns the device that a text identifies, as a chosen suggestion, a DeviceID, or a unique label. Returns undefined
 * if there is none.
 */
export function deviceNamed(places: readonly NamedDevice[], typed: string): string | undefined {
  const wanted = typed.trim().toLowerCase();
  const exact = places.find((place) => choiceText(place).toLowerCase() === wanted);
  if (exact !== undefined) return exact.deviceid;
  const named = places.filter(({ deviceid, name }) => [deviceid, name].some((each) => each.toLowerCase() === wanted));
  return named.length === 1 ? named[0]?.deviceid : undefined;
}
