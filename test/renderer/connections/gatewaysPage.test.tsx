import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { Turbo, TurboFrame, TurboLink } from '#shared/api/turbo.ts';
import { findFrames } from '../../../renderer/src/features/gateways/FramesView.tsx';
import { joinLinks } from '../../../renderer/src/features/gateways/gatewayWords.ts';
import { GatewaysPage } from '../../../renderer/src/features/gateways/GatewaysPage.tsx';
import { advancedChoice } from '../../../renderer/src/shop/advancedChoice.ts';
import { userOf } from '../../helpers/snapshots.ts';
import { show, station, testContext, type Stubs } from '../support.tsx';
import { LINK } from './turboSupport.ts';

const AT = '2026-11-20T10:00:00.000Z';
const TURBO: Turbo = {
  serial_number: 'T-1',
  name: 'Hall 2',
  status: 'online',
  transport: 'usb',
  port: '/dev/ttyACM0',
  firmware: 12,
  uptime: 60,
  last_seen: AT,
  device_count: 3,
  problem: null,
};
const TRAFFIC = {
  serial_number: 'T-1',
  since: AT,
  frames_in: 1_200,
  frames_out: 1_000,
  bytes_in: 45_000,
  bytes_out: 99,
  repeated_in: 1,
  repeated_out: 5,
  broken_frames: 2,
  round_trip_ms: 12.3,
  errors: [{ at: AT, problem: 'nothing heard for 15 s' }],
};
const HEARTBEAT: TurboFrame = {
  number: 1,
  at: AT,
  direction: 'in',
  message: 'heartbeat',
  sequence: 7,
  answers: null,
  device: null,
  repeated: false,
  fields: { uptimeS: 1 },
  bytes: 'A5 5A',
};
const SHOW: TurboFrame = {
  ...HEARTBEAT,
  number: 2,
  message: 'show',
  direction: 'out',
  device: '51D000:000001',
  fields: { device: '51D000:000001', led: 'blink' },
};

async function open(
  path: string,
  given: { turbos?: Turbo[]; links?: TurboLink[]; scope?: 'admin' | 'control' },
  calls: Partial<Stubs> = {},
) {
  window.history.replaceState(null, '', path);
  const { turbos = [], links = [], scope = 'admin' } = given;
  const context = testContext(
    { station: { ...station(), turbos, links, user: userOf('Ann', scope) } },
    {
      listTurbos: () => Promise.resolve(turbos),
      listTurboTraffic: () => Promise.resolve([TRAFFIC]),
      ...calls,
    },
  );
  await act(async () => show(context, <GatewaysPage />));
  return context;
}

/** Frames and traffic counts are shown only with the Advanced switch on. */
beforeEach(() => advancedChoice.set('Ann', true));

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));

test('a simulated gateway shows no port', async () => {
  await open('/connections', {
    turbos: [TURBO, { ...TURBO, serial_number: 'SIM-1', transport: 'simulated', port: 'loopback' }],
  });
  expect(screen.queryByText('loopback')).toBeNull();
  expect(screen.getAllByText('Port')).toHaveLength(1);
});

test('a card shows the state, traffic and errors of its turbo', async () => {
  await open('/connections', { turbos: [TURBO] });
  const card = screen.getByRole('listitem', { name: 'Hall 2' }).textContent;
  for (const part of ['Online', 'USB or serial', '/dev/ttyACM0', 'T-1', '1,200 frames, 45 kB', '2 frames', '12 ms']) {
    expect(card).toContain(part);
  }
  expect(card).toContain('5 sent again (0.5 %), 1 received again');
  expect(card).toContain('Nothing heard for 15 s');
});

test('a card shows placeholders until its counts have loaded', async () => {
  await open('/connections', { turbos: [TURBO] }, { listTurboTraffic: () => new Promise(() => undefined) });
  const traffic = within(screen.getByRole('region', { name: 'Traffic' }));
  expect(traffic.getAllByText('–')).toHaveLength(5);
  expect(traffic.getByText('Counting…')).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Last errors' })).toBeTruthy();
});

test('a working turbo shows a conflict over its serial number', async () => {
  const problem = 'Another turbo with the serial number T-1 is at 10.0.0.9:50111 and was refused.';
  await open('/connections', { turbos: [{ ...TURBO, problem }] });
  const card = screen.getByRole('listitem', { name: 'Hall 2' });
  expect(within(card).getByText('Online')).toBeTruthy();
  expect(within(card).getByText(problem)).toBeTruthy();
});

test('reloads the errors as soon as a turbo changes', async () => {
  let asked = 0;
  const listTurboTraffic = () => {
    asked += 1;
    return Promise.resolve([{ ...TRAFFIC, errors: asked === 1 ? [] : TRAFFIC.errors }]);
  };
  const { store } = await open('/connections', { turbos: [TURBO] }, { listTurboTraffic });
  expect(screen.getByText('No errors.')).toBeTruthy();
  const before = store.getState().station;
  if (before === null) throw new Error('unreachable');
  await act(async () => store.setState({ station: { ...before, turbos: [{ ...TURBO, status: 'offline' }] } }));
  expect(screen.getByText('Nothing heard for 15 s')).toBeTruthy();
  expect(asked).toBe(2);
});

test('a port without a turbo shows the cause, and can be retried, or disconnected after a confirmation', async () => {
  const asked: string[] = [];
  const note =
    (what: string) =>
    async ({ path }: { path: { id: string | number } }) =>
      void asked.push(`${what} ${path.id}`);
  await open('/connections', { links: [LINK] }, { retryTurboLink: note('retry'), removeTurboLink: note('remove') });
  expect(screen.getByText('No connection')).toBeTruthy();
  expect(screen.getByText('/dev/ttyUSB3 cannot be opened: Permission denied')).toBeTruthy();
  await press('Try now: /dev/ttyUSB3');
  await press('Disconnect…');
  expect(asked).toEqual(['retry 4']);
  await press('Disconnect');
  expect(asked).toEqual(['retry 4', 'remove 4']);
});

test('without a turbo, shows a message and offers to connect one', async () => {
  await open('/connections', {});
  expect(screen.getByText('No gateway yet')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Connect a gateway' })).toBeTruthy();
});

test('a user who is not an admin cannot connect a turbo or see its frames', async () => {
  await open('/connections', { turbos: [TURBO], scope: 'control' });
  await press('Connect a gateway');
  expect(screen.queryByRole('menuitem')).toBeNull();
  expect(screen.getByRole('dialog', { name: 'Not allowed' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Frames of Hall 2' })).toBeNull();
});

test('frames can be listed, searched and cleared', async () => {
  await open(
    '/connections/gateways/T-1/frames',
    { turbos: [TURBO] },
    { listTurboFrames: () => Promise.resolve([HEARTBEAT, SHOW]) },
  );
  const list = () => within(screen.getByRole('list', { name: 'Frames, newest first' })).getAllByRole('listitem');
  expect(list().map(({ textContent }) => /show|heartbeat/.exec(textContent)?.[0])).toEqual(['show', 'heartbeat']);
  await act(async () => fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'blink' } }));
  expect(list()).toHaveLength(1);
  await press('Pause');
  await press('Clear');
  expect(screen.getByText('No frames yet')).toBeTruthy();
});

test('heartbeats and their answers can be hidden', () => {
  const answer = { ...HEARTBEAT, number: 3, message: 'ack', answers: 'heartbeat' };
  expect(findFrames([answer, SHOW, HEARTBEAT], { kind: 'work', search: '' })).toEqual([SHOW]);
});

test('combines an offline turbo with its last port, and lists other ports separately', () => {
  const gone = { ...TURBO, status: 'offline' as const };
  const own = { ...LINK, path: '/dev/ttyACM0', step: 'absent' as const };
  expect(joinLinks([gone], [own, LINK])).toEqual([
    { kind: 'turbo', turbo: gone, link: own },
    { kind: 'link', link: LINK },
  ]);
});
