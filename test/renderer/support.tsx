import { act, fireEvent, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { CommandEntry } from '#shared/api/device.ts';
import type { MqttStatus } from '#shared/api/mqtt.ts';
import type { CanvasBoxes } from '../../renderer/src/shop/screen/canvasBoxes.ts';
import { createApi, type Api } from '../../renderer/src/station/calls/api.ts';
import { StationProvider, type StationContext } from '../../renderer/src/station/context.ts';
import { sendAnyway, sendAction } from '../../renderer/src/station/outbox/sendAction.ts';
import { findRemedy } from '../../renderer/src/station/outbox/remedy.ts';
import { startOutbox } from '../../renderer/src/station/outbox/startOutbox.ts';
import { createQueries } from '../../renderer/src/station/queries.ts';
import { createStationStore, type StationState } from '../../renderer/src/station/live/store.ts';
import { FrameProviders } from '../../renderer/src/app/frame/FrameProviders.tsx';
import { browserStorage } from '../../renderer/src/storage.ts';
import { ToastRegion } from '../../renderer/src/app/frame/ToastRegion.tsx';
import { AT, command as waiting, device, station } from '../helpers/snapshots.ts';

export { device, station };

/** Returns a command that is lit. */
export function command(id: string, given: Partial<CommandEntry> = {}): CommandEntry {
  const lit = { command: 'flash', line1: 'Cable tie', quantity: 5, color: 'green', state: 'shown' } as const;
  return waiting(id, { ...lit, sent_at: AT, shown_at: AT, ...given });
}

/** MQTT status without a broker. */
export const NO_BROKER: MqttStatus = {
  state: 'off',
  problem: null,
  since: AT,
  station: 'shop-1',
  protocol: null,
  waiting: 0,
  log: [],
};

/** Stubs of the API. A stub receives its whole input, and need not return anything if the page ignores the answer. */
export type Stubs = { [Name in keyof Api]: Stub<Api[Name]> };

type Stub<Call> = Call extends (...given: infer Given) => Promise<infer Answer>
  ? (...given: { [Index in keyof Given]-?: Whole<Given[Index]> }) => Promise<Readable<Answer> | void>
  : never;
/** The input of an operation, with all its parts. */
type Whole<Given> = Given extends (...given: never[]) => unknown
  ? Given
  : keyof Given extends 'path' | 'query' | 'body'
    ? Required<Given>
    : Given;
type Readable<Answer> = Answer extends readonly (infer Row)[] ? readonly Row[] : Answer;

const missing = () => Promise.reject(new Error('this test did not expect this call'));
const realCalls = createApi({
  fetch: missing,
  cookies: () => '',
  now: () => 0,
  onSignedOut: () => undefined,
  onOtherSession: () => undefined,
});
// Safe cast: the names are those of the API.
const noCalls = Object.fromEntries(Object.keys(realCalls).map((name) => [name, missing])) as unknown as Api;

/** Draws immediately, without waiting for a frame. */
export const drawAtOnce: CanvasBoxes['draw'] = (run) => {
  run();
  return () => undefined;
};

/** Returns a page context with a real store, without a network, and with canvases that are never near the viewport. */
export function testContext(state: Partial<StationState> = {}, calls: Partial<Stubs> = {}): StationContext {
  const store = createStationStore(state);
  const boxes: CanvasBoxes = { watch: () => () => undefined, draw: drawAtOnce };
  const api: Api = {
    ...noCalls,
    getHistoryReport: () => new Promise(() => undefined),
    setCurrentLine: () => Promise.resolve(undefined),
    getFirstDay: () => Promise.resolve({ dismissed: true, demo: false, steps: [] }),
    listBatches: () => Promise.resolve([]),
    listCallbackReceivers: () => Promise.resolve([]),
    listBoards: () => Promise.resolve([]),
    listBoardUpdates: () => Promise.resolve([]),
    loadLastArticleImport: async () => null,
    ...(calls as Partial<Api>),
  };
  return {
    store,
    api,
    session: {
      signIn: api.signIn,
      signInWithPin: api.signInWithPin,
      signOut: api.signOut,
      lookAtKiosk: async () => store.setState({ kiosk: await api.getKioskScreen() }),
      lock: async (name) => void (await api.addKiosk({ body: { name } })),
      follow: () => undefined,
    },
    ticker: { subscribe: () => () => undefined },
    boxes,
    queries: createQueries(store),
    outbox: startOutbox({
      store,
      storage: browserStorage(),
      now: Date.now,
      setTimer: () => () => undefined,
      send: (_person, action) => sendAction(api, action),
      sendAnyway: (action, reason) => sendAnyway(api, action, { reason, now: Date.now(), skewMs: 0 }),
      findRemedy: (action) => findRemedy(api, action),
    }),
  };
}

/** Renders a part of the page, which is unmounted after the test. */
export function show(context: StationContext, part: ReactNode) {
  return render(
    <StationProvider value={context}>
      <FrameProviders>
        {part}
        <ToastRegion />
      </FrameProviders>
    </StationProvider>,
  );
}

/** Waits until the page has painted what it shows, because buttons ignore touches that were made before. */
export const paint = (): Promise<void> =>
  act(() => new Promise<void>((painted) => void requestAnimationFrame(() => painted())));

/** Touches an element once it is painted. `pass` moves the clock of the page on. */
export async function touchPainted(find: () => Element, pass: () => void): Promise<void> {
  await paint();
  pass();
  await act(async () => fireEvent.click(find()));
}
