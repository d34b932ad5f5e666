// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { DeviceRequest, DeviceResult } from '#shared/api/device.ts';
import { DevicePanel } from '../../renderer/src/features/devicePanel/DevicePanel.tsx';
import { ApiError } from '../../renderer/src/station/apiError.ts';
import { StationProvider } from '../../renderer/src/station/context.ts';
import { applyMessages } from '../../renderer/src/station/store.ts';
import { command, device, show, station, testContext } from './support.tsx';

const ID = '51D000:000002';
const OTHER = '51D000:000003';
const busy = device(ID, { locationoverride: 'A-3-2', state: 'active', commands: [command('1')] });

async function showPanel(send: (deviceid: string, request: DeviceRequest) => Promise<DeviceResult>) {
  const context = testContext({ station: station(busy, device(OTHER)) }, { send });
  const shown = show(context, <DevicePanel deviceid={ID} close={() => undefined} />);
  await act(async () => undefined);
  return { context, ...shown };
}

async function typeAndSend(line: string): Promise<void> {
  fireEvent.change(screen.getByLabelText('Line 1'), { target: { value: line } });
  await act(async () => fireEvent.submit(screen.getByLabelText('Line 1')));
}

test('a problem of a field is said at that field, also at one that was out of sight', async () => {
  const problems = [
    { path: '/color', message: 'There is no such colour.' },
    { path: '/line4', message: 'This line is odd.' },
  ];
  await showPanel(() => Promise.reject(new ApiError('invalid', 'Two fields are wrong.', problems)));
  expect(screen.queryByLabelText('Line 4')).toBeNull();
  await typeAndSend('Cable tie');
  for (const [label, message] of [
    ['Colour', 'There is no such colour.'],
    ['Line 4', 'This line is odd.'],
  ] as const) {
    const field = screen.getByLabelText(label, { selector: 'input' });
    expect(field.getAttribute('aria-invalid')).toBe('true');
    const described = (field.getAttribute('aria-describedby') ?? '').split(' ');
    expect(described.map((id) => document.getElementById(id)?.textContent)).toContain(message);
  }
  expect(screen.getByLabelText('Line 1')).toHaveProperty('value', 'Cable tie');
});

test('what belongs to no field is said at the button, for this device alone', async () => {
  const { context, container, rerender } = await showPanel(() =>
    Promise.reject(new ApiError('storage', 'The disk is full.')),
  );
  await typeAndSend('Cable tie');
  expect(container.textContent).toContain('The command was not sent. The disk is full.');
  rerender(
    <StationProvider value={context}>
      <DevicePanel deviceid={OTHER} close={() => undefined} />
    </StationProvider>,
  );
  expect(container.textContent).not.toContain('The disk is full.');
  expect(screen.getByLabelText('Line 1')).toHaveProperty('value', 'Cable tie');
});

test('a sent command is followed until it is done', async () => {
  const requests: DeviceRequest[] = [];
  const { context, container } = await showPanel((deviceid, request) => {
    requests.push(request);
    return Promise.resolve({ deviceid, command_id: '7', state: 'queued', warnings: ['line1 was cut.'] });
  });
  await typeAndSend('Cable tie');
  expect(requests).toEqual([{ command: 'pick', line1: 'Cable tie' }]);
  expect(container.textContent).toContain('Queued.');
  expect(container.textContent).toContain('line1 was cut.');
  const facts = (revision: number, fact: Parameters<typeof applyMessages>[1][number] & { kind: 'facts' }) =>
    act(() => applyMessages(context.store, [{ ...fact, revision }]));
  facts(6, {
    kind: 'facts',
    revision: 6,
    facts: [
      { type: 'command.queued', deviceid: ID, command: command('7', { state: 'queued' }) },
      {
        type: 'command.shown',
        deviceid: ID,
        command_id: '7',
        sent_at: null,
        at: busy.last_seen ?? '',
        expires_at: null,
      },
    ],
  });
  expect(container.textContent).toContain('Shown on the device.');
  facts(7, {
    kind: 'facts',
    revision: 7,
    facts: [
      { type: 'command.acknowledged', deviceid: ID, command_id: '7', at: busy.last_seen ?? '', qty: 1, by: 'device' },
    ],
  });
  expect(container.textContent).toContain('Done: it is no longer in the queue.');
});

test('taking work away asks once', async () => {
  const requests: DeviceRequest[] = [];
  await showPanel((deviceid, request) => {
    requests.push(request);
    return Promise.resolve({ deviceid, killed: 1, warnings: [] });
  });
  fireEvent.click(screen.getByRole('button', { name: 'Clear all…' }));
  expect(requests).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Keep' }));
  fireEvent.click(screen.getByRole('button', { name: 'Clear all…' }));
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Clear' })));
  expect(requests).toEqual([{ command: 'kill' }]);
});

test('who may only look is told so', async () => {
  const readOnly = { ...station(busy), user: { name: 'eva', scope: 'read' } as const };
  show(testContext({ station: readOnly }), <DevicePanel deviceid={ID} close={() => undefined} />);
  await act(async () => undefined);
  expect(screen.queryByLabelText('Line 1')).toBeNull();
  expect(screen.getByText(/You may look here/)).toBeTruthy();
});

test('a device that is not there is said', () => {
  show(testContext({ station: station(busy) }), <DevicePanel deviceid="51D000:000099" close={() => undefined} />);
  expect(screen.getByText('There is no device 51D000:000099 at this station.')).toBeTruthy();
});
