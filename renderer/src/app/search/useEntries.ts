import { useMemo } from 'react';
import { useLocation } from 'wouter';
import type { FoundThing } from '#shared/api/find.ts';
import { pageAddress } from '#shared/lib/pageRoutes.ts';
import { soundChoice, useSoundSetting } from '../../sound/choice.ts';
import { deviceAddress, orderAddress, sequenceAddress } from '../../station/addresses.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { wantPanelFocus } from '../../station/panelFocus.ts';
import { placeNames } from '../../station/placeNames.ts';
import { useOrders, useSequences } from '../../station/useWork.ts';
import { useLeave } from '../../kit/dialog/leaveGuard.tsx';
import { usePaletteRegistry } from '../../shop/paletteActions.ts';
import type { Page } from '../pages.tsx';
import * as texts from '../../words/texts.ts';
import { type ThemeChoice, THEMES } from '../../shop/theme.ts';
import { useToasts } from '../../shop/toasts.ts';

/** A line of the palette. */
export type PaletteEntry = {
  id: string;
  words: string;
  hint: string;
  /** What it is found by beside its words and its hint, in lower case. */
  also?: string;
  kind: 'page' | 'device' | 'order' | 'item' | 'sequence' | 'action';
  run(): void;
};

/**
 * Everything that can be reached from the palette: pages, what the open page offers, devices, orders, sequences, what the
 * frame offers.
 */
export function useEntries(pages: readonly Page[], theme: ThemeChoice): readonly PaletteEntry[] {
  const { session } = useStationContext();
  const registry = usePaletteRegistry();
  const places = useStationState((state) => state.places);
  const map = useStationState(({ station }) => station?.map);
  const aliases = useStationState(({ station }) => station?.aliases);
  const { value: orders } = useOrders();
  const { value: sequences } = useSequences();
  const toasts = useToasts();
  const { on: isSoundOn } = useSoundSetting();
  const leave = useLeave();
  const [, navigate] = useLocation();

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
        return { id: `page ${id}`, words: word, hint, also, kind: 'page', run: () => navigate(pageAddress(id)) };
      }),
      ...registry.all().map(({ id, words, hint, run }) => action(id, words, run, hint)),
      ...places.map(({ deviceid, name }): PaletteEntry => ({
        id: `device ${deviceid}`,
        words: name,
        hint: name === deviceid ? texts.palette.device : deviceid,
        kind: 'device',
        also: standing?.get(deviceid)?.join(' ') ?? '',
        run() {
          wantPanelFocus(deviceid);
          navigate(deviceAddress(deviceid));
        },
      })),
      ...(aliases ?? []).map(({ id, name, deviceid }): PaletteEntry => ({
        id: `alias ${id}`,
        words: name,
        hint: texts.locations.aliasAt(deviceid),
        kind: 'device',
        run() {
          wantPanelFocus(deviceid);
          navigate(deviceAddress(deviceid));
        },
      })),
      ...(orders ?? []).map(({ order_number: number, state }): PaletteEntry => ({
        id: `order ${number}`,
        words: number,
        hint: `${texts.orders.kind}, ${texts.orders.states[state].toLowerCase()}`,
        kind: 'order',
        run: () => navigate(orderAddress(number)),
      })),
      ...(sequences ?? []).map(({ sequenceid: id, state }): PaletteEntry => ({
        id: `sequence ${id}`,
        words: id,
        hint: `${texts.sequences.kind}, ${texts.sequences.states[state].toLowerCase()}`,
        kind: 'sequence',
        run: () => navigate(sequenceAddress(id)),
      })),
      ...THEMES.map((id) => action(`theme ${id}`, texts.palette.theme(texts.rail.themes[id]), () => theme.set(id))),
      action('sound', isSoundOn ? texts.sound.off : texts.sound.on, () => soundChoice.set({ on: !isSoundOn })),
      action('signOut', texts.rail.signOut, () =>
        leave(() => {
          session.signOut().catch(() => toasts.fail(texts.rail.signOutFailed));
        }),
      ),
    ];
  }, [pages, theme, session, registry, places, map, aliases, orders, sequences, toasts, isSoundOn, leave, navigate]);
}

/** What the station finds, each with where it is. A device has the id of its entry, so that it is listed once. */
export function useFoundEntries(found: readonly FoundThing[]): readonly PaletteEntry[] {
  const [, navigate] = useLocation();
  return useMemo(
    () =>
      found.flatMap((thing, index): PaletteEntry[] => {
        const { kind, deviceid, location, order_number: order, sequenceid, text, matched } = thing;
        if (order !== undefined) {
          const hint = [`${texts.orders.kind} ${order}`, ...(location === undefined ? [] : [location])].join(', ');
          const isItem = kind === 'item';
          const id = isItem ? `item ${order} ${index}` : `order ${order}`;
          return [{ id, words: text, hint, kind: isItem ? 'item' : 'order', run: () => navigate(orderAddress(order)) }];
        }
        if (sequenceid !== undefined) {
          const hint = texts.sequences.kind;
          const run = (): void => navigate(sequenceAddress(sequenceid));
          return [{ id: `sequence ${sequenceid}`, words: text, hint, kind: 'sequence', run }];
        }
        if (deviceid === undefined) return [];
        const hint = matched === 'lit' ? texts.palette.litAt(location ?? deviceid) : (location ?? deviceid);
        const run = (): void => {
          wantPanelFocus(deviceid);
          navigate(deviceAddress(deviceid));
        };
        return [{ id: `device ${deviceid}`, words: text, hint, kind: 'device', run }];
      }),
    [found, navigate],
  );
}
