import { act, fireEvent, screen } from '@testing-library/react';
import { useEffect, useState } from 'react';
import type { CommandEntry, Device } from '#shared/api/device.ts';
import type { HistoryEntry, Timeline } from '#shared/api/history.ts';
import type { Ephemera, Fact } from '#shared/api/station.ts';
import { DevicePanel } from '../../../renderer/src/shop/devicePanel/DevicePanel.tsx';
// Load this part before the tests render it. The real page loads it when the panel is first opened.
import '../../../renderer/src/shop/devicePanel/PanelContent.tsx';
import type { StationContext } from '../../../renderer/src/station/context.ts';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { command, show, station, testContext, type Stubs } from '../support.tsx';

export const ID = '51D000:000002';
export const AT = '2026-11-20T08:00:00.000Z';

export function timeline(commandId: string, given: Partial<Timeline> = {}): Timeline {
  const { command_id: _id, state: _state, nonce, location, sender, ...asked } = command(commandId);
  return {
    command_id: commandId,
    deviceid: ID,
    state: 'shown',
    sender,
    nonce,
    location,
    qty: null,
    reason: '',
    replaced_by: null,
    command: asked,
    steps: [{ at: AT, kind: 'requested', by: 'erp' }],
    callbacks: [],
    callbacks_kept: true,
    ...given,
  };
}

export function past(id: string, given: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    id,
    at: AT,
    kind: 'acknowledged',
    batch: null,
    deviceid: ID,
    command_id: id,
    nonce: '',
    location: '',
    qty: 5,
    sender: 'erp',
    by: 'device',
    for: '',
    changed: [],
    command: 'pick',
    lines: [`Part ${id}`],
    quantity: 5,
    color: 'blue',
    delivery: 'shown',
    sent_at: AT,
    shown_at: AT,
    unreachable_at: null,
    reached_at: null,
    other_deviceid: null,
    sequenceid: null,
    order_number: null,
    item_id: null,
    item: null,
    reason: '',
    alert: null,
    ...given,
  };
}

/** Shows the panel of a device. `calls` replaces the default answers, which contain no history. */
export async function showPanel(devices: Device[], calls: Partial<Stubs> = {}, deviceid = devices[0]?.deviceid ?? ID) {
  const closed: string[] = [];
  const context = testContext(
    { station: station(...devices), connection: { kind: 'live' } },
    {
      listHistory: () => Promise.resolve([]),
      getTimeline: ({ path: { command_id: commandId } }) => Promise.resolve(timeline(commandId)),
      ...calls,
    },
  );
  let choose: (id: string) => void = () => undefined;
  function Page() {
    const [selected, select] = useState(deviceid);
    useEffect(() => {
      choose = select;
    }, []);
    return <DevicePanel deviceid={selected} close={() => closed.push(selected)} />;
  }
  const shown = show(context, <Page />);
  await settle();
  /** Opens a different device, as a click on its tile does. */
  const openDevice = (id: string) => act(async () => choose(id));
  return { context, closed, openDevice, ...shown };
}

export const settle = () => act(async () => undefined);

let revision = 100;

/** Sends these facts on the event stream, in one message. */
export function tell(context: StationContext, ...facts: Fact[]): Promise<void> {
  revision += 1;
  return act(async () => applyMessages(context.store, [{ kind: 'facts', revision, facts }]));
}

/** Sends the condition of a device on the event stream. */
export function publishCondition(context: StationContext, condition: Ephemera['devices'][number]): Promise<void> {
  const ephemera = { devices: [condition], turbos: [] };
  return act(async () => applyMessages(context.store, [{ kind: 'ephemera', ephemera }]));
}

export function queued(id: string, given: Partial<CommandEntry> = {}): CommandEntry {
  return command(id, { state: 'queued', sent_at: null, shown_at: null, ...given });
}

export const openTab = (word: string) => press(screen.getByRole('tab', { name: word }));
export const button = (name: string | RegExp) => screen.getByRole('button', { name });

export async function press(target: Element): Promise<void> {
  await act(async () => fireEvent.click(target));
}

export async function type(label: string | RegExp, text: string): Promise<void> {
  const field = screen.getByRole('textbox', { name: label });
  await act(async () => fireEvent.change(field, { target: { value: text } }));
}

export const valueOf = (label: string | RegExp) => {
  const field = screen.getByRole('textbox', { name: label });
  return field instanceof HTMLInputElement ? field.value : undefined;
};

/** Returns the texts that assistive technology announces with a field. */
export function describedBy(field: Element): (string | null | undefined)[] {
  const ids = (field.getAttribute('aria-describedby') ?? '').split(' ');
  return ids.map((id) => document.getElementById(id)?.textContent);
}
