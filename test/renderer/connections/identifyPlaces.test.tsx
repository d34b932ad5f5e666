import { act, fireEvent, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import type { TurboLink } from '#shared/api/turbo.ts';
import { ConnectController, EditPlaces } from '../../../renderer/src/shop/connect/ConnectController.tsx';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { device, show, station, testContext, type Stubs } from '../support.tsx';
import { LINK } from './turboSupport.ts';

const ONE = 'AABBCC:000001';
const TWO = 'AABBCC:000002';
const PLACES = [
  { number: 1, label: 'A-1', start: 0, count: 5, ranges: [{ start: 0, count: 5 }], deviceid: null },
  { number: 2, label: 'A-2', start: 5, count: 1, ranges: [{ start: 5, count: 1 }], deviceid: null },
];
const STRIP: TurboLink = { ...LINK, kind: 'wled', url: 'http://192.168.1.30/', name: 'Rack 3', problem: null };
const SAVED: TurboLink = { ...STRIP, places: PLACES };
const CONNECTED = {
  ...STRIP,
  places: PLACES.map((place) => ({ ...place, deviceid: [ONE, TWO][place.number - 1] ?? null })),
};

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const said = () =>
  screen
    .getAllByRole('status')
    .map(({ textContent }) => textContent)
    .join(' ');

/** Shows a dialog for the strip, and records the calls that flash its places. */
async function open(
  dialog: (onClose: () => void) => ReactNode,
  links: TurboLink[],
  identify?: Stubs['identifyDevice'],
) {
  const calls: string[] = [];
  let closed = 0;
  const context = testContext(
    { station: { ...station(device(ONE), device(TWO)), links } },
    {
      changeTurboLink: async () => SAVED,
      addTurboLink: async () => SAVED,
      identifyDevice:
        identify ??
        (async ({ path: { DeviceID: deviceid } }) => {
          calls.push(`flash ${deviceid}`);
          return { deviceid, command_id: `${calls.length}`, state: 'queued', delivery: 'queued', warnings: [] };
        }),
      removeCommand: async ({ path: { DeviceID: deviceid, command_id: command } }) => {
        calls.push(`end ${deviceid} ${command}`);
      },
    },
  );
  await act(async () =>
    show(
      context,
      dialog(() => (closed += 1)),
    ),
  );
  return { calls, context, closed: () => closed };
}

test('flashes each place of a strip in turn after its places were saved', async () => {
  const { calls, closed } = await open((onClose) => <EditPlaces link={CONNECTED} onClose={onClose} />, [CONNECTED]);
  await press('Save');
  expect(screen.getByRole('dialog', { name: 'Check places on Rack 3' })).toBeTruthy();
  expect(said()).toContain('A-1, LEDs 0-4 (1 of 2)');
  expect(calls).toEqual([`flash ${ONE}`]);
  await press('Next');
  expect(said()).toContain('A-2, LEDs 5 (2 of 2)');
  expect(calls).toEqual([`flash ${ONE}`, `flash ${TWO}`, `end ${ONE} 1`]);
  await press('Flash again');
  expect(calls.slice(3)).toEqual([`flash ${TWO}`, `end ${TWO} 2`]);
  await press('Done');
  expect(closed()).toBe(1);
});

test('a new strip flashes its first place as soon as it is online, and stops on request', async () => {
  const offline = { ...SAVED, problem: 'The controller does not answer.' };
  const { calls, context, closed } = await open(
    (onClose) => <ConnectController kind="wled" onClose={onClose} />,
    [offline],
  );
  fireEvent.change(screen.getByRole('textbox', { name: /^Address/ }), { target: { value: '192.168.1.30' } });
  fireEvent.change(screen.getByRole('textbox', { name: /^Places/ }), { target: { value: 'A-1 0-4\nA-2 5' } });
  await press('Connect');
  expect(said()).toContain('This place is offline. It flashes once it is online.The controller does not answer.');
  expect(calls).toEqual([]);
  await act(async () => {
    const { station: known } = context.store.getState();
    if (known !== null) context.store.setState({ station: { ...known, links: [CONNECTED] } });
  });
  expect(calls).toEqual([`flash ${ONE}`]);
  expect(said()).toContain('These LEDs flash for five seconds.');
  await press('Stop');
  expect(closed()).toBe(1);
});

test('says why a place does not flash, and continues', async () => {
  await open(
    (onClose) => <EditPlaces link={CONNECTED} onClose={onClose} />,
    [CONNECTED],
    ({ path: { DeviceID: deviceid } }) => Promise.reject(new ApiError('conflict', `The queue of ${deviceid} is full.`)),
  );
  await press('Save');
  expect(screen.getByText(`The queue of ${ONE} is full.`)).toBeTruthy();
  await press('Next');
  expect(screen.getByText(`The queue of ${TWO} is full.`)).toBeTruthy();
});
