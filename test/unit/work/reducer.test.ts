import * as fc from '../../helpers/fastCheck.ts';
import { describe, expect, test } from 'vitest';
import type { CommandEntry, Device } from '#shared/api/device.ts';
import { applyEphemera, applyFacts, findDevice, placeOfDevice } from '#shared/api/reducer.ts';
import type { Fact } from '#shared/api/station.ts';
import { AT, command, device, station } from '../../helpers/snapshots.ts';

const LATER = '2026-11-20T08:01:00.000Z';
const A = '51D000:000001';
const B = '51D000:000002';
const C = '51D000:000003';

function busy(deviceid: string, ...commands: CommandEntry[]): Device {
  return device(deviceid, { commands, state: 'active' });
}

const shown = { state: 'shown', sent_at: AT, shown_at: AT, expires_at: LATER } as const;
const ended = { deviceid: A, command_id: '1', at: LATER, qty: 2 };

const cases: { title: string; before: Device; fact: Fact; after: Device }[] = [
  {
    title: 'a queued command is the last in the queue',
    before: busy(A, command('1', shown)),
    fact: { type: 'command.queued', deviceid: A, command: command('2') },
    after: busy(A, command('1', shown), command('2')),
  },
  {
    title: 'the first queued command makes the device active',
    before: device(A),
    fact: { type: 'command.queued', deviceid: A, command: command('1') },
    after: busy(A, command('1')),
  },
  {
    title: 'a replacing command takes the place of the earlier one',
    before: busy(A, command('1', shown), command('2')),
    fact: { type: 'command.replaced', deviceid: A, command_id: '1', command: command('3') },
    after: busy(A, command('3'), command('2')),
  },
  {
    title: 'a sent command has its time',
    before: busy(A, command('1')),
    fact: { type: 'command.sent', deviceid: A, command_id: '1', at: AT },
    after: busy(A, command('1', { state: 'sent', sent_at: AT })),
  },
  {
    title: 'a shown command has its time and its end',
    before: busy(A, command('1', { state: 'sent', sent_at: AT })),
    fact: { type: 'command.shown', deviceid: A, command_id: '1', sent_at: AT, at: AT, expires_at: LATER },
    after: busy(A, command('1', shown)),
  },
  {
    title: 'a command on a lost device has the time of the loss',
    before: busy(A, command('1', { state: 'sent', sent_at: AT })),
    fact: { type: 'command.unreachable', deviceid: A, command_id: '1', at: LATER },
    after: busy(A, command('1', { state: 'sent', sent_at: AT, delivery: 'unreachable', unreachable_since: LATER })),
  },
  {
    title: 'a command sent to a device that is already lost stays unreachable',
    before: busy(A, command('1', { delivery: 'unreachable', unreachable_since: LATER })),
    fact: { type: 'command.sent', deviceid: A, command_id: '1', at: AT },
    after: busy(A, command('1', { state: 'sent', sent_at: AT, delivery: 'unreachable', unreachable_since: LATER })),
  },
  {
    title: 'a command on a device that is reached again has its previous state',
    before: busy(A, command('1', { state: 'sent', sent_at: AT, delivery: 'unreachable', unreachable_since: AT })),
    fact: { type: 'command.reached', deviceid: A, command_id: '1', at: LATER },
    after: busy(A, command('1', { state: 'sent', sent_at: AT })),
  },
  {
    title: 'a shown command is no longer unreachable',
    before: busy(A, command('1', { state: 'sent', sent_at: AT, delivery: 'unreachable', unreachable_since: AT })),
    fact: { type: 'command.shown', deviceid: A, command_id: '1', sent_at: AT, at: AT, expires_at: LATER },
    after: busy(A, command('1', shown)),
  },
  {
    title: 'plus and minus change the quantity',
    before: busy(A, command('1', shown)),
    fact: { type: 'command.adjusted', deviceid: A, command_id: '1', quantity: 7 },
    after: busy(A, command('1', { ...shown, quantity: 7 })),
  },
  {
    title: 'another command becomes the first, and the shown one waits',
    before: busy(A, command('1', shown), command('2'), command('3')),
    fact: { type: 'command.first', deviceid: A, command_id: '3', waits: '1' },
    after: busy(A, command('3'), command('1'), command('2')),
  },
  {
    title: 'another command becomes the first on a device that does not show one',
    before: busy(A, command('1'), command('2')),
    fact: { type: 'command.first', deviceid: A, command_id: '2', waits: null },
    after: busy(A, command('2'), command('1')),
  },
  {
    title: 'an acknowledged command leaves the queue',
    before: busy(A, command('1', shown), command('2')),
    fact: { type: 'command.acknowledged', ...ended, by: 'device' },
    after: busy(A, command('2')),
  },
  {
    title: 'a device is static once its last command has timed out',
    before: busy(A, command('1', shown)),
    fact: { type: 'command.timedOut', ...ended },
    after: device(A),
  },
  {
    title: 'a killed command leaves the queue',
    before: busy(A, command('1')),
    fact: { type: 'command.killed', ...ended, by: 'admin' },
    after: device(A),
  },
  {
    title: 'a change is merged, even with an empty text',
    before: device(A, { statica: 'old', locationoverride: 'A-1' }),
    fact: { type: 'device.changed', deviceid: A, changed: { statica: '', quantity: 3, location: 'A-1' } },
    after: device(A, { statica: '', quantity: 3, location: 'A-1', locationoverride: 'A-1' }),
  },
  {
    title: 'a clock set back moves the times of shown commands',
    before: busy(A, command('1', shown), command('2')),
    fact: { type: 'deadlines.shifted', ms: -60_000 },
    after: busy(A, command('1', { ...shown, shown_at: '2026-11-20T07:59:00.000Z', expires_at: AT }), command('2')),
  },
];

describe('one fact', () => {
  test.each(cases)('$title', ({ before, fact, after }) => {
    const start = station(before, device(B));
    const end = applyFacts(start, [fact], 6);
    expect(end).toEqual({ ...station(after, device(B)), revision: 6 });
    expect(end.devices[1]).toBe(start.devices[1]);
  });

  const harmless: Fact[] = [
    { type: 'device.called', deviceid: A, acknack: 'call', at: AT },
    { type: 'device.pressed', deviceid: A, button: 'front', hold: 'short', at: AT },
    { type: 'press.late', deviceid: A, at: AT, location: 'A-1', quantity: 5, picker: null },
    { type: 'press.early', deviceid: A, at: AT, location: 'A-1', item_id: 1, picker: null },
    { type: 'settings.changed' },
    { type: 'setup.done' },
    { type: 'waiting.changed' },
    { type: 'access.changed' },
    { type: 'map.racks', racks: [] },
    { type: 'device.removed', deviceid: C },
    { type: 'command.shown', deviceid: A, command_id: '99', sent_at: AT, at: AT, expires_at: null },
    { type: 'command.queued', deviceid: C, command: command('1') },
    { type: 'device.changed', deviceid: A, changed: { statica: '' } },
  ];
  test.each(harmless)('a harmless $type does not change any device', (fact) => {
    const start = station(busy(A, command('1')), device(B));
    const end = applyFacts(start, [fact], 6);
    expect(end.devices).toBe(start.devices);
    expect(end.revision).toBe(6);
  });

  test('a new device is inserted in the order of DeviceIDs', () => {
    const end = applyFacts(station(device(A), device(C)), [{ type: 'device.added', device: device(B) }], 6);
    expect(end.devices.map(({ deviceid }) => deviceid)).toEqual([A, B, C]);
  });
});

test('a commit that is not newer than the station changes nothing', () => {
  const start = station(device(A));
  const fact: Fact = { type: 'command.queued', deviceid: A, command: command('1') };
  expect(applyFacts(start, [fact], 5)).toBe(start);
});

test('the facts of one commit are applied in their order', () => {
  const facts: Fact[] = [
    { type: 'device.added', device: device(B) },
    { type: 'command.queued', deviceid: B, command: command('1') },
    { type: 'command.shown', deviceid: B, command_id: '1', sent_at: AT, at: AT, expires_at: LATER },
    { type: 'command.queued', deviceid: B, command: command('2') },
    { type: 'command.acknowledged', deviceid: B, command_id: '1', at: LATER, qty: 2, by: 'device' },
  ];
  const end = applyFacts(station(device(A)), facts, 6);
  expect(findDevice(end.devices, B)).toEqual(busy(B, command('2')));
});

describe('conditions', () => {
  const displayed = {
    command_id: '1',
    screen: { label: 'A-1', lines: ['M8'], quantity: 2, arrow: null, barcode: '', qrcode: '', icon: '' },
    led: { mode: 'blink', hex: '#ff0000', letter: 'R' },
  } as const;

  test('are merged field by field', () => {
    const end = applyEphemera(station(device(A), device(B)), {
      devices: [{ deviceid: B, online: false, rssi: null }],
      turbos: [],
    });
    expect(end.devices[1]).toEqual(device(B, { online: false, rssi: null }));
  });

  test('that change nothing keep the same station object', () => {
    const start = station(
      device(A, { displayed: structuredClone({ ...displayed, screen: { ...displayed.screen, lines: ['M8'] } }) }),
    );
    const told = structuredClone({ ...displayed, screen: { ...displayed.screen, lines: ['M8'] } });
    expect(applyEphemera(start, { devices: [{ deviceid: A, displayed: told, online: true }], turbos: [] })).toBe(start);
  });

  test('of unknown devices are ignored, and turbos are added and replaced', () => {
    const turbo = {
      serial_number: 'T1',
      name: '',
      status: 'online',
      transport: 'simulated',
      port: '',
      firmware: 1,
      uptime: 1,
      last_seen: AT,
      device_count: 1,
      problem: null,
    } as const;
    const first = applyEphemera(station(device(A)), { devices: [{ deviceid: C, online: false }], turbos: [turbo] });
    expect(first.turbos).toEqual([turbo]);
    expect(first.devices).toHaveLength(1);
    const second = applyEphemera(first, { devices: [], turbos: [{ ...turbo, status: 'offline' }] });
    expect(second.turbos).toEqual([{ ...turbo, status: 'offline' }]);
    expect(second.devices).toBe(first.devices);
  });
});

describe('for any facts', () => {
  const ids = [A, B, C];
  const deviceid = fc.constantFrom(...ids);
  const command_id = fc.integer({ min: 1, max: 6 }).map(String);
  const fact: fc.Arbitrary<Fact> = fc.oneof(
    fc.record({ type: fc.constant('device.added' as const), device: deviceid.map((id) => device(id)) }),
    fc.record({
      type: fc.constant('device.changed' as const),
      deviceid,
      changed: fc.record({ statica: fc.string(), brightness: fc.nat(100) }, { requiredKeys: [] }),
    }),
    fc.record({ type: fc.constant('command.queued' as const), deviceid, command: command_id.map((id) => command(id)) }),
    fc.record({ type: fc.constant('command.sent' as const), deviceid, command_id, at: fc.constant(AT) }),
    fc.record({
      type: fc.constant('command.shown' as const),
      sent_at: fc.constant(AT),
      deviceid,
      command_id,
      at: fc.constant(AT),
      expires_at: fc.constantFrom(null, LATER),
    }),
    fc.record({
      type: fc.constant('command.timedOut' as const),
      deviceid,
      command_id,
      at: fc.constant(LATER),
      qty: fc.constant(0),
    }),
    fc.record({ type: fc.constant('device.removed' as const), deviceid }),
    fc.record({ type: fc.constant('deadlines.shifted' as const), ms: fc.integer({ min: -1_000, max: 0 }) }),
  );
  const commits = fc.array(fc.array(fact, { maxLength: 5 }), { maxLength: 12 });

  test('one commit of many facts equals many commits of one fact', () => {
    fc.assert(
      fc.property(commits, (all) => {
        const together = applyFacts(station(device(B)), all.flat(), 6);
        let oneByOne = station(device(B));
        for (const each of all.flat()) oneByOne = applyFacts(oneByOne, [each], oneByOne.revision + 1);
        expect({ ...oneByOne, revision: 6 }).toEqual(together);
      }),
    );
  });

  test('devices stay in order, states follow queues, and the earlier station stays unchanged', () => {
    fc.assert(
      fc.property(commits, (all) => {
        let now = station(device(B));
        for (const facts of all) {
          const before = now;
          const copy = structuredClone(before);
          now = applyFacts(before, facts, before.revision + 1);
          expect(before).toEqual(copy);
          expect(now.devices.map((each) => each.deviceid)).toEqual(now.devices.map((each) => each.deviceid).toSorted());
          for (const each of now.devices) expect(each.state).toBe(each.commands.length > 0 ? 'active' : 'static');
        }
      }),
    );
  });

  test('facts about different devices give the same result in either order', () => {
    fc.assert(
      fc.property(fact, fact, (one, other) => {
        if (!('deviceid' in one) || !('deviceid' in other) || one.deviceid === other.deviceid) return;
        const start = station(busy(A, command('1')), busy(B, command('2')), busy(C, command('3')));
        expect(applyFacts(start, [one, other], 6)).toEqual(applyFacts(start, [other, one], 6));
      }),
    );
  });

  test('placeOfDevice finds the place of a device, or where it belongs', () => {
    const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => value.toString(16).toUpperCase().padStart(6, '0'));
    const list = fc.uniqueArray(
      hex.map((digits) => `51D000:${digits}`),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(list, hex, (all, digits) => {
        const wanted = `51D000:${digits}`;
        const devices = all.toSorted().map((id) => device(id));
        const place = placeOfDevice(devices, wanted);
        const belongs = devices.filter((each) => each.deviceid < wanted).length;
        expect(place).toBe(all.includes(wanted) ? belongs : ~belongs);
      }),
    );
  });
});
