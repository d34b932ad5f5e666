import type { LinkPlace } from '../../ports.ts';
import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/**
 * A configured connection to a turbo. For a serial port, the adapter's identity is empty if it is not a USB adapter; then only `path`
 * identifies the port. For a network connection, `url` is the address, `path` is empty, and `serial_number` identifies the turbo once it is
 * known.
 */
export type TurboLinkRow = {
  id: number;
  kind: 'usb' | 'openepaperlink' | 'wled' | 'opendisplay';
  path: string;
  vendor_id: string;
  product_id: string;
  serial_number: string;
  baud_rate: number;
  flow_control: 0 | 1;
  url: string;
  name: string;
  /** The encrypted key of a display that uses encryption. */
  key: string | null;
};

/** `is_new` is 1 until the device has the label. */
export type LinkPlaceRow = LinkPlace & { link_id: number; is_new: 0 | 1 };

/** A place with its first range. */
type PlaceRow = Omit<LinkPlaceRow, 'ranges'> & { start: number; count: number };
/** A further range of a place. */
type RangeRow = { link_id: number; number: number; start: number; count: number };

export function turboLinkRows(db: Db) {
  const { change, insertInto, list, run, value } = statements(db);
  const columns = 'kind, path, vendor_id, product_id, serial_number, baud_rate, flow_control, url, name, key';
  const setPath = run<[path: string, id: number]>('UPDATE turbo_links SET path = ? WHERE id = ?');
  const remove = change<[id: number]>('DELETE FROM turbo_links WHERE id = ?');
  const nextPlace = value<[id: number], number>(
    'UPDATE turbo_links SET next_place = next_place + 1 WHERE id = ? RETURNING next_place - 1',
  );
  const listFirst = list<[], PlaceRow>(
    'SELECT link_id, number, label, start, count, is_new FROM link_places ORDER BY link_id, number',
  );
  const listMore = list<[], RangeRow>('SELECT link_id, number, start, count FROM link_ranges ORDER BY start');
  const saveFirst = run<[place: PlaceRow]>(
    `INSERT INTO link_places (link_id, number, label, start, count, is_new)
     VALUES (:link_id, :number, :label, :start, :count, :is_new)
     ON CONFLICT (link_id, number) DO UPDATE
     SET label = excluded.label, start = excluded.start, count = excluded.count, is_new = excluded.is_new`,
  );
  const removeMore = run<[linkId: number, number: number]>('DELETE FROM link_ranges WHERE link_id = ? AND number = ?');
  const addRange = insertInto<RangeRow>('link_ranges', 'link_id, number, start, count');
  return {
    /** Lists links, sorted by id. */
    list: list<[], TurboLinkRow>(`SELECT id, ${columns} FROM turbo_links ORDER BY id`),
    /** Returns the id. */
    insert: insertInto<Omit<TurboLinkRow, 'id'>>('turbo_links', columns),
    /** Updates the path after the adapter was plugged into a different port. */
    setPath: (id: number, path: string) => setPath(path, id),
    setAddress: run<[row: Pick<TurboLinkRow, 'id' | 'url' | 'name' | 'key'>]>(
      'UPDATE turbo_links SET url = :url, name = :name, key = :key WHERE id = :id',
    ),
    setKey: run<[row: Pick<TurboLinkRow, 'id' | 'key'>]>('UPDATE turbo_links SET key = :key WHERE id = :id'),
    /** Stores the serial number of the turbo that responded at the address. */
    setIdentity: run<[row: Pick<TurboLinkRow, 'id' | 'serial_number'>]>(
      'UPDATE turbo_links SET serial_number = :serial_number WHERE id = :id',
    ),
    /** Removes a link and its places. */
    remove: (id: number) => remove(id) > 0,
    /** Lists places, sorted by link and number. */
    listPlaces(): LinkPlaceRow[] {
      const more = Map.groupBy(listMore(), ({ link_id, number }) => `${link_id} ${number}`);
      return listFirst().map(({ start, count, ...place }) => {
        const further = more.get(`${place.link_id} ${place.number}`) ?? [];
        return { ...place, ranges: [{ start, count }, ...further.map(({ start, count }) => ({ start, count }))] };
      });
    },
    /** Returns a number for a new place that has never been used on this link. */
    nextPlace: (id: number) => nextPlace(id) ?? 0,
    savePlace({ ranges: [first = { start: 0, count: 0 }, ...further], ...place }: LinkPlaceRow): void {
      saveFirst({ ...place, ...first });
      removeMore(place.link_id, place.number);
      for (const range of further) addRange({ link_id: place.link_id, number: place.number, ...range });
    },
    listMemory: list<[id: number], { key: string; text: string }>(
      'SELECT key, text FROM link_memory WHERE link_id = ? ORDER BY key',
    ),
    /** Stores a text for a link. Does nothing if the link has since been removed. */
    saveMemory: run<[row: { linkId: number; key: string; text: string }]>(
      `INSERT INTO link_memory (link_id, key, text)
       SELECT :linkId, :key, :text WHERE EXISTS (SELECT 1 FROM turbo_links WHERE id = :linkId)
       ON CONFLICT (link_id, key) DO UPDATE SET text = excluded.text`,
    ),
    removePlace: run<[linkId: number, number: number]>('DELETE FROM link_places WHERE link_id = ? AND number = ?'),
  };
}
