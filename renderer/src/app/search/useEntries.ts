import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { FoundThing } from '#shared/api/find.ts';
import { pageAddress } from '#shared/lib/station/pageRoutes.ts';
import { soundChoice, useSoundSetting } from '../../sound/choice.ts';
import {
  articleAddress,
  batchAddress,
  deviceAddress,
  orderAddress,
  packAddress,
  pickCarrierAddress,
  sequenceAddress,
} from '../../station/addresses.ts';
import { useRight, useStationState } from '../../station/context.ts';
import { wantPanelFocus } from '../../station/panelFocus.ts';
import { placeNames } from '../../station/placeNames.ts';
import { useLeave } from '../../kit/dialog/leaveGuard.tsx';
import { usePaletteRegistry } from '../../shop/paletteActions.ts';
import type { HelpTask } from '../../features/help/tasks.ts';
import type { Page } from '../pages.tsx';
import * as texts from '../../words/texts.ts';
import { type ThemeChoice, THEMES } from '../../shop/theme.ts';
import { settingFields } from '../../shop/settingFields.ts';

/** An entry in the palette. */
export type PaletteEntry = {
  id: string;
  words: string;
  hint: string;
  /** Additional search terms, in lower case. */
  also?: string;
  kind:
    | 'page'
    | 'help'
    | 'device'
    | 'article'
    | 'order'
    | 'item'
    | 'batch'
    | 'cart'
    | 'wall'
    | 'sequence'
    | 'setting'
    | 'action';
  /** Texts to store in the browser instead, because those of the entry name a customer. */
  stored?: { words: string; hint: string };
  /** The address of the entry, or undefined if the entry is an action. */
  to?: string;
  run(): void;
};

/**
 * Returns the entries that the page itself provides: pages, actions, devices, settings and Help tasks. The station's
 * search adds orders, articles and sequences.
 */
export function useEntries(
  pages: readonly Page[],
  theme: ThemeChoice,
  /** Signs out, after a question if something speaks against it. */
  signOut: () => void,
): readonly PaletteEntry[] {
  const registry = usePaletteRegistry();
  const places = useStationState((state) => state.places);
  const map = useStationState(({ station }) => station?.map);
  const aliases = useStationState(({ station }) => station?.aliases);
  const mayChangeSettings = useRight('change_settings');
  const { on: isSoundOn } = useSoundSetting();
  const leave = useLeave();
  const [, navigate] = useLocation();
  const tasks = useHelpTasks();

  return useMemo(() => {
    const action = (id: string, words: string, run: () => void, hint = ''): PaletteEntry => ({
      id: `action ${id}`,
      words,
      hint,
      kind: 'action',
      run,
    });
    const standing = map === undefined ? undefined : placeNames(map);
    return [
      ...pages.map(({ id, word, also = '' }): PaletteEntry => {
        const hint = texts.palette.page;
        const to = pageAddress(id);
        return { id: `page ${id}`, words: word, hint, also, kind: 'page', to, run: () => navigate(to) };
      }),
      ...registry.all().map(({ id, words, hint, run }) => action(id, words, run, hint)),
      ...places.map(({ deviceid, name }): PaletteEntry => ({
        id: `device ${deviceid}`,
        words: name,
        hint: name === deviceid ? texts.palette.device : deviceid,
        kind: 'device',
        also: standing?.get(deviceid)?.join(' ') ?? '',
        to: deviceAddress(deviceid),
        run() {
          wantPanelFocus(deviceid);
          navigate(deviceAddress(deviceid));
        },
      })),
      ...(aliases ?? []).map(({ id, name, deviceid }): PaletteEntry => ({
        id: `alias ${id}`,
        words: name,
        hint: texts.palette.aliasAt(deviceid),
        kind: 'device',
        to: deviceAddress(deviceid),
        run() {
          wantPanelFocus(deviceid);
          navigate(deviceAddress(deviceid));
        },
      })),
      ...(mayChangeSettings ? settingFields() : []).map(({ field, label, group, also, address }): PaletteEntry => ({
        id: `setting ${field}`,
        words: label,
        hint: `${texts.settings.title}, ${group}`,
        also,
        kind: 'setting',
        to: address,
        run: () => navigate(address),
      })),
      ...tasks.map(({ id, title }): PaletteEntry => {
        const to = `${pageAddress('help')}#${id}`;
        return {
          id: `help ${id}`,
          words: title,
          hint: texts.help.title,
          also: 'how to',
          kind: 'help',
          to,
          run: () => navigate(to),
        };
      }),
      ...THEMES.map((id) => action(`theme ${id}`, texts.palette.theme(texts.rail.themes[id]), () => theme.set(id))),
      action('sound', isSoundOn ? texts.sound.off : texts.sound.on, () => soundChoice.set({ on: !isSoundOn })),
      action('signOut', texts.rail.signOut, () => leave(signOut)),
    ];
  }, [pages, theme, signOut, registry, places, map, aliases, mayChangeSettings, isSoundOn, leave, navigate, tasks]);
}

/** Returns the Help tasks. Their texts are loaded only when the palette opens. */
function useHelpTasks(): readonly HelpTask[] {
  const [tasks, setTasks] = useState<readonly HelpTask[]>([]);
  useEffect(() => {
    // Ignore a failure: the palette works without the help tasks.
    import('../../features/help/tasks.ts').then(
      ({ HELP_TASKS }) => setTasks(HELP_TASKS),
      () => undefined,
    );
  }, []);
  return tasks;
}

/**
 * Returns entries for the station's search results. A device has the same id as its entry on the page, so that the device is listed only
 * once.
 */
export function useFoundEntries(found: readonly FoundThing[]): readonly PaletteEntry[] {
  const [, navigate] = useLocation();
  return useMemo(
    () =>
      found.flatMap((thing, index): PaletteEntry[] => {
        const { kind, deviceid, location, order_number: order, sequenceid, sku, matched } = thing;
        const { customer, note, text } = thing;
        if (order !== undefined) {
          const words = note ?? customer ?? text;
          const named = words === order ? texts.palette.order : `${texts.palette.order} ${order}`;
          const hint = [named, ...(location === undefined ? [] : [location])].join(', ');
          const isItem = kind === 'item';
          const id = isItem ? `item ${order} ${index}` : `order ${order}`;
          const to = orderAddress(order);
          const stored = words === text ? {} : { stored: { words: order, hint: texts.palette.order } };
          return [{ id, words, hint, ...stored, kind: isItem ? 'item' : 'order', to, run: () => navigate(to) }];
        }
        if (sku !== undefined) {
          const to = articleAddress(sku);
          const hint =
            text === sku || text.startsWith(`${sku} `) ? texts.palette.article : `${texts.palette.article} ${sku}`;
          return [{ id: `article ${sku}`, words: text, hint, kind: 'article', to, run: () => navigate(to) }];
        }
        if (sequenceid !== undefined) {
          const hint = texts.palette.sequence;
          const to = sequenceAddress(sequenceid);
          const run = (): void => navigate(to);
          return [{ id: `sequence ${sequenceid}`, words: text, hint, kind: 'sequence', to, run }];
        }
        const carried = carriedEntry(thing);
        if (carried !== undefined) return [{ ...carried, run: () => navigate(carried.to) }];
        if (deviceid === undefined) return [];
        const hint = matched === 'lit' ? texts.palette.litAt(location ?? deviceid) : (location ?? deviceid);
        const run = (): void => {
          wantPanelFocus(deviceid);
          navigate(deviceAddress(deviceid));
        };
        return [{ id: `device ${deviceid}`, words: text, hint, kind: 'device', to: deviceAddress(deviceid), run }];
      }),
    [found, navigate],
  );
}

/**
 * Returns the entry for a cart, wall or batch. A cart opens on the Pick page, a wall on its pack page, and a batch on
 * its own page. Returns undefined for other results.
 */
function carriedEntry({ kind, text, ...ids }: FoundThing): (PaletteEntry & { to: string }) | undefined {
  if (kind !== 'cart' && kind !== 'wall' && kind !== 'batch') return undefined;
  const id = ids[kind] ?? 0;
  const addresses = {
    cart: () => pickCarrierAddress({ kind: 'cart', id }),
    wall: () => packAddress(id),
    batch: () => batchAddress(id),
  };
  const to = addresses[kind]();
  return { id: `${kind} ${id}`, words: text, hint: texts.palette[kind], kind, to, run: () => undefined };
}
