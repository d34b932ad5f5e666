import { createStore, type StoreApi } from 'zustand/vanilla';
import type { StationMap } from '#shared/api/map.ts';
import { sentenceOf } from '../../../words/apiError.ts';
import type { Api } from '../../../station/calls/api.ts';
import type { StationStore } from '../../../station/live/store.ts';
import * as texts from '../../../words/texts.ts';
import { sameMap, revertChanges } from './mapChanges.ts';

/** An edit to the map: how it changes the drawn map immediately, and the request that saves it. */
export type MapEdit = {
  /** Id of the device or rack at which a failure is shown. Empty if it is shown elsewhere. */
  about: string;
  /** Only the newest message of each kind is shown. */
  kind: 'move' | 'swap' | 'rack' | 'zone' | 'arrange' | 'undo';
  /** The message after success. */
  words: string;
  change(map: StationMap): StationMap;
  /**
   * Sends the request. Resolves to the actual change if the station decides it, as with new ids or the result of
   * `arrange`.
   */
  call(api: Api): Promise<((map: StationMap) => StationMap) | undefined>;
};

export type MapEditorState = {
  /** The map to draw: the station's map with pending edits applied. */
  map: StationMap;
  /** The last edit, if it failed and the failure was not dismissed. */
  failure: { about: string; words: string } | undefined;
  /** Number of edits that can be undone. */
  undoable: number;
};

export type MapEditor = Pick<StoreApi<MapEditorState>, 'getState' | 'subscribe' | 'getInitialState'> & {
  /** Starts applying changes from the station. Returns a function that stops it. */
  start(): () => void;
  /** Shows the edit immediately and sends it. If the station refuses it, reverts the edit and rejects. */
  run(edit: MapEdit): Promise<void>;
  /** Undoes the last edit. */
  undo(): void;
  dismiss(): void;
};

type Ports = {
  store: StationStore;
  api: Api;
  /**
   * Shows a message with an Undo button. Returns a function that removes the message, because an edit can be undone
   * only once.
   */
  announce(edit: Pick<MapEdit, 'words' | 'kind'>, undo: () => Promise<void>): () => void;
  fail(words: string): void;
};

type Pending = { change(map: StationMap): StationMap; answered: boolean };
type Done = { words: string; about: string; before: StationMap; after: StationMap; unsay(): void };

/** Maximum number of edits that can be undone. */
const MAX_UNDOABLE = 50;
const EMPTY_MAP: StationMap = { racks: [], places: [], zones: [] };

/**
 * Creates the editor of the map. Edits are shown immediately, sent one at a time, and reverted if the station refuses them. Once the
 * station has replied, an edit stays drawn only until the next change from the station, which includes it.
 */
export function createMapEditor({ store, api, announce: say, fail }: Ports): MapEditor {
  const live = () => store.getState().station?.map ?? EMPTY_MAP;
  const state = createStore<MapEditorState>()(() => ({ map: live(), failure: undefined, undoable: 0 }));
  let pending: Pending[] = [];
  let done: Done[] = [];
  let last: Promise<unknown> = Promise.resolve();

  function draw(): void {
    const map = pending.reduce((drawn, { change }) => change(drawn), live());
    if (map !== state.getState().map) state.setState({ map });
  }

  function drop(edit: Pending): void {
    pending = pending.filter((other) => other !== edit);
  }

  function remember(edit: Done | undefined, forgotten?: Done): void {
    done = done.filter((each) => each !== forgotten);
    if (edit !== undefined) done = [...done, edit].slice(-MAX_UNDOABLE);
    state.setState({ undoable: done.length });
  }

  async function apply(edit: MapEdit): Promise<{ before: StationMap; after: StationMap }> {
    const before = state.getState().map;
    let after = edit.change(before);
    const mine: Pending = { change: edit.change, answered: false };
    pending = [...pending, mine];
    state.setState({ failure: undefined });
    draw();
    // Send one edit at a time, because two edits of the same device must not overtake each other.
    const call = last.then(() => edit.call(api));
    last = call.catch(() => undefined);
    try {
      const became = await call;
      if (became !== undefined) {
        mine.change = became;
        after = became(before);
      }
      // Drop the edit if its fact arrived before the response. Otherwise, the next fact is this one or a newer one.
      if (pending[0] === mine && sameMap(mine.change(live()), live())) drop(mine);
      else mine.answered = true;
      draw();
      return { before, after };
    } catch (error) {
      drop(mine);
      const words = `${texts.map.failed} ${sentenceOf(error)}`;
      state.setState({ failure: { about: edit.about, words } });
      draw();
      throw error;
    }
  }

  async function revertEdit(edit: Done): Promise<void> {
    if (!done.includes(edit)) return;
    remember(undefined, edit);
    edit.unsay();
    const { before, after, about } = edit;
    const now = state.getState().map;
    const target = revertChanges(now, before, after);
    if (target === now) return fail(texts.map.undoLost(edit.words));
    const change = (map: StationMap) => revertChanges(map, before, after);
    await apply({
      about,
      kind: 'undo',
      words: '',
      change,
      call: async (asked) => {
        // Compare with the map at the station, because facts about other people's edits may still be on the way.
        await asked.replaceMap(target, (map) => sameMap(map, now));
        return undefined;
      },
    });
  }

  return {
    getState: state.getState,
    getInitialState: state.getInitialState,
    subscribe: state.subscribe,
    start() {
      let map = live();
      draw();
      return store.subscribe(() => {
        if (live() === map) return;
        map = live();
        pending = pending.filter(({ answered }) => !answered);
        draw();
      });
    },
    async run(edit) {
      const { before, after } = await apply(edit);
      if (sameMap(before, after)) {
        if (edit.kind === 'arrange') fail(edit.words);
        return;
      }
      const entry: Done = { words: edit.words, about: edit.about, before, after, unsay: () => undefined };
      remember(entry);
      entry.unsay = say(edit, () => revertEdit(entry));
    },
    undo() {
      const newest = done.at(-1);
      // The failure is shown where the edit was made, so ignore it here.
      if (newest !== undefined) revertEdit(newest).catch(() => undefined);
    },
    dismiss: () => state.setState({ failure: undefined }),
  };
}
