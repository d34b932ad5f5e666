import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach } from 'vitest';
import type { CommandEntry, Device } from '#shared/api/device.ts';
import type { Station } from '#shared/api/station.ts';
import type { CanvasBoxes } from '../../renderer/src/screen/canvasBoxes.ts';
import type { Api } from '../../renderer/src/station/api.ts';
import { StationProvider, type StationContext } from '../../renderer/src/station/context.ts';
import { createStationStore, type StationState } from '../../renderer/src/station/store.ts';
import { FrameProviders } from '../../renderer/src/ui/FrameProviders.tsx';
import { ToastRegion } from '../../renderer/src/ui/ToastRegion.tsx';

const AT = '2026-11-20T08:00:00.000Z';

export function command(id: string, given: Partial<CommandEntry> = {}): CommandEntry {
  return {
    command_id: id,
    command: 'flash',
    nonce: '',
    location: '',
    state: 'shown',
    line1: 'Cable tie',
    line2: '',
    line3: '',
    line4: '',
    line5: '',
    arrow: null,
    barcode: '',
    qrcode: '',
    icon: '',
    quantity: 5,
    color: 'green',
    sound: '',
    seconds: 60,
    sender: 'script',
    created_at: AT,
    sent_at: AT,
    shown_at: AT,
    expires_at: null,
    ...given,
  };
}

export function device(deviceid: string, given: Partial<Device> = {}): Device {
  return {
    deviceid,
    locationoverride: '',
    location: '',
    statica: '',
    staticb: '',
    staticc: '',
    staticd: '',
    statice: '',
    arrow: null,
    barcode: '',
    qrcode: '',
    quantity: null,
    icon: '',
    firmware: 70,
    buttons: 1,
    brightness: 100,
    unsolicitedNonce: '',
    state: 'static',
    commands: [],
    voltage: 2.98,
    battery: 97,
    uptime: 10,
    rssi: -60,
    turbo: 'T1',
    online: true,
    last_seen: AT,
    can_press: true,
    displayed: null,
    ...given,
  };
}

export function station(...devices: Device[]): Station {
  return {
    revision: 5,
    version: '1.0.0',
    user: { name: 'admin', scope: 'admin' },
    defaults: { seconds: 60, color: 'red' },
    devices,
    turbos: [],
    map: { racks: [], places: [] },
    setup: 'done',
  };
}

const missing = () => Promise.reject(new Error('this test did not expect this call'));

/** What the window works with: a real store, no network, canvases that are never near. */
export function testContext(state: Partial<StationState> = {}, calls: Partial<Api> = {}): StationContext {
  const boxes: CanvasBoxes = { watch: () => () => undefined };
  const api: Api = {
    signIn: missing,
    signOut: missing,
    loadStation: missing,
    send: missing,
    sendMany: missing,
    press: missing,
    acknowledge: missing,
    adjust: missing,
    identify: missing,
    removeDevice: missing,
    loadHistory: missing,
    loadTimeline: missing,
    changeSimulatedDevice: missing,
    addSimulatedDevices: missing,
    loadSettings: missing,
    changeSettings: missing,
    changePassword: missing,
    loadVersion: missing,
    replaceMap: missing,
    addRack: missing,
    changeRack: missing,
    removeRack: missing,
    placeDevice: missing,
    unplaceDevice: missing,
    arrangeMap: missing,
    registerDevice: missing,
    setUp: missing,
    setUpDemo: missing,
    ...calls,
  };
  return {
    store: createStationStore(state),
    api,
    session: { signIn: api.signIn, signOut: api.signOut, follow: () => undefined },
    ticker: { subscribe: () => () => undefined },
    boxes,
  };
}

/** Draws a part of the window; it is taken down after the test. */
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

afterEach(cleanup);
