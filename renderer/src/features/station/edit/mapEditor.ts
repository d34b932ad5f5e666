import { createStore, type StoreApi } from 'zustand/vanilla';
import type { StationMap } from '#shared/api/map.ts';
import { sentenceOf } from '../../../words/apiError.ts';
import type { Api } from '../../../station/api.ts';
import type { StationStore } from '../../../station/store.ts';
import * as texts from '../../../words/texts.ts';
import { sameMap, takeBack } from './mapChanges.ts';

/** A change of the map, as it is shown at once and as the station is asked for it. */
export type MapEdit = {
  /** The device or rack that a failure is said at. */
  about: string;
  /** Of what was done, only the newest of its kind is said. */
  kind: 'move' | 'swap' | 'rack' | 'zone' | 'arrange' | 'undo';
  /** Said when it is done. */
  words: string;
  change(map: StationMap): StationMap;
  /** Answers what it became, where the station has a say in that (ids, what `arrange` found). */
  call(api: Api): Promise<((map: StationMap) => StationMap) | undefined>;
};

export type MapEditorState = {
  /** What is drawn: the station's map, and on it what is on its way to the station. */
  map: StationMap;
  /** The last edit that failed, until the next one or until it is dismissed. */
  failure: { about: string; words: string } | undefined;
  /** How many edits of this visit can be taken back. */
  undoable: number;
};

export type MapEditor = Pick<StoreApi<MapEditorState>, 'getState' | 'subscribe' | 'getInitialState'> & {
  /** Follows the station; answers what ends that. */
  start(): () => void;
  /** Shows the edit at once and asks the station for it. Rejects where the station refuses; then it is not shown any more. */
  run(edit: MapEdit): Promise<void>;
  /** Takes back the last edit that was not taken back. */
  undo(): void;
  dismiss(): void;
};

type Ports = {
  store: StationStore;
  api: Api;
  /** Answers what takes the words away: what was taken back cannot be taken back again. */
  say(edit: Pick<MapEdit, 'words' | 'kind'>, undo: () => Promise<void>): () => void;
  fail(words: string): void;
};

type Pending = { change(map: StationMap): StationMap; answered: boolean };
type Done = { words: string; about: string; before: StationMap; after: StationMap; unsay(): void };

/** More than anybody remembers. */
const MAX_UNDOABLE = 50;
const EMPTY_MAP: StationMap = { racks: [], places: [], zones: [] };

/**
 * Edits of the map: shown at once, asked of the station one after the other, and rolled back where it refuses. The station's
 * facts win: an edit is drawn over them only until the news of it could have come.
 */
export function createMapEditor({ store, api, say, fail }: Ports): MapEditor {
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
    // One after the other: two edits of one device must not overtake each other.
    const call = last.then(() => edit.call(api));
    last = call.catch(() => undefined);
    try {
      const became = await call;
      if (became !== undefined) {
        mine.change = became;
        after = became(before);
      }
      // The news may have come before the answer. Where it has not, the next news is it, or newer.
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

  async function takeBackEdit(edit: Done): Promise<void> {
    if (!done.includes(edit)) return;
    remember(undefined, edit);
    edit.unsay();
    const { before, after, about } = edit;
    const now = state.getState().map;
    const target = takeBack(now, before, after);
    if (target === now) return fail(texts.map.undoLost(edit.words));
    const change = (map: StationMap) => takeBack(map, before, after);
    await apply({
      about,
      kind: 'undo',
      words: '',
      change,
      call: async (asked) => {
        // Facts about edits by others may still be on their way.
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
      entry.unsay = say(edit, () => takeBackEdit(entry));
    },
    undo() {
      const newest = done.at(-1);
      // A failure is said by the edit's own place.
      if (newest !== undefined) takeBackEdit(newest).catch(() => undefined);
    },
    dismiss: () => state.setState({ failure: undefined }),
  };
}
