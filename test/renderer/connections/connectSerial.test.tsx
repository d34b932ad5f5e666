import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { SerialPortEntry } from '#shared/api/turbo.ts';
import { ConnectSerial } from '../../../renderer/src/shop/connect/ConnectSerial.tsx';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { show, station, testContext, type Stubs } from '../support.tsx';
import { LINK } from './turboSupport.ts';

const PORT: SerialPortEntry = {
  path: '/dev/ttyS0',
  name: 'Board',
  vendor_id: '',
  product_id: '',
  serial_number: '',
  is_usb: false,
  link: null,
};
const USB: SerialPortEntry = { ...PORT, path: '/dev/ttyUSB0', name: 'Turbo', is_usb: true };
const ANOTHER: SerialPortEntry = { ...USB, path: '/dev/ttyUSB1', name: 'Spare' };
const TAKEN: SerialPortEntry = { ...USB, path: '/dev/ttyUSB9', name: 'Taken', link: '4' };

type Asked = Parameters<Stubs['addTurboLink']>[0]['body'];

afterEach(() => void vi.useRealTimers());

/** Opens the dialog with these ports. The test can plug ports in and pull them out later. */
async function open(ports: SerialPortEntry[], addTurboLink?: Stubs['addTurboLink']) {
  vi.useFakeTimers();
  const asked: Asked[] = [];
  let closed = 0;
  let now = ports;
  const context = testContext(
    { station: station() },
    {
      listSerialPorts: () => Promise.resolve(now),
      addTurboLink:
        addTurboLink ??
        (async ({ body: link }) => {
          asked.push(link);
          return LINK;
        }),
    },
  );
  await act(async () => show(context, <ConnectSerial onClose={() => (closed += 1)} />));
  return {
    asked,
    closed: () => closed,
    async plug(next: SerialPortEntry[]) {
      now = next;
      await act(() => vi.advanceTimersByTimeAsync(2_000));
    },
  };
}

const connect = () => act(async () => fireEvent.click(screen.getByRole('button', { name: 'Connect' })));
const choose = (name: RegExp) => act(async () => fireEvent.click(screen.getByRole('radio', { name })));
const chosen = () => screen.getAllByRole<HTMLInputElement>('radio').find(({ checked }) => checked)?.value;

test('preselects the USB port and hides connected ports', async () => {
  const { asked, closed } = await open([PORT, TAKEN, USB]);
  expect(chosen()).toBe('/dev/ttyUSB0');
  expect(screen.queryByRole('radio', { name: /Taken/ })).toBeNull();
  expect(screen.getByText('1 more port is already connected.')).toBeTruthy();
  await connect();
  expect(asked).toEqual([{ path: '/dev/ttyUSB0', flow_control: false }]);
  expect(closed()).toBe(1);
});

test('does not preselect a port that is not USB, and sends nothing without a path', async () => {
  const { asked, closed } = await open([PORT]);
  expect(chosen()).toBe('other');
  const path = screen.getByRole('textbox', { name: /^Path/ });
  for (const typed of ['', '   ']) {
    fireEvent.change(path, { target: { value: typed } });
    await connect();
    expect(screen.getByText('Enter the path of the port.')).toBeTruthy();
  }
  expect([asked, closed()]).toEqual([[], 0]);
  fireEvent.change(path, { target: { value: ' COM3 ' } });
  await connect();
  expect(asked).toEqual([{ path: 'COM3', flow_control: false }]);
});

test('deselects the selected port when it is unplugged, and selects it again when it returns', async () => {
  const { asked, plug } = await open([USB, ANOTHER]);
  await choose(/Spare/);
  expect(chosen()).toBe('/dev/ttyUSB1');
  await plug([USB]);
  expect(chosen()).toBe('/dev/ttyUSB0');
  await plug([USB, ANOTHER]);
  expect(chosen()).toBe('/dev/ttyUSB1');
  await plug([]);
  expect(chosen()).toBe('other');
  expect(screen.getByText('The station’s machine has no serial ports.')).toBeTruthy();
  await connect();
  expect(asked).toEqual([]);
});

test('if a port is refused, the dialog stays open and shows the reason', async () => {
  const problem = new ApiError('conflict', '/dev/ttyUSB0 is kept open already.', [
    { path: '/path', message: 'Kept open already.' },
  ]);
  const { closed } = await open([USB], () => Promise.reject(problem));
  await connect();
  expect(screen.getByText('/dev/ttyUSB0 is kept open already.')).toBeTruthy();
  expect(closed()).toBe(0);
});
