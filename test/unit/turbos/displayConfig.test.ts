import { expect, test } from 'vitest';
import { parseDisplayConfig } from '../../../electron/server/turbo/openDisplay/displayConfig.ts';
import * as fc from '../../helpers/fastCheck.ts';
import { configOf } from '../../helpers/devices/fakeDisplayConfig.ts';

test('reads panel, LED, buzzer and buttons from a configuration', () => {
  expect(
    parseDisplayConfig(configOf({ width: 384, height: 168, scheme: 1, canInflate: false, buttons: 2, byte: 4 })),
  ).toEqual({
    width: 384,
    height: 168,
    turns: 0,
    colorScheme: 1,
    canInflate: false,
    leds: 1,
    buzzers: 1,
    buttons: [
      { byte: 4, id: 0 },
      { byte: 4, id: 1 },
    ],
    ladders: [],
  });
  expect(parseDisplayConfig(configOf({ isLadder: true, buttons: 3, leds: 0, buzzers: 0 }))).toMatchObject({
    leds: 0,
    buzzers: 0,
    buttons: [{ id: 0 }, { id: 1 }, { id: 2 }],
    ladders: [2],
  });
});

test('rotates the picture of an upright panel', () => {
  const turns = (width: number, height: number, rotation: number) =>
    parseDisplayConfig(configOf({ width, height, rotation }))?.turns;
  expect([turns(296, 128, 0), turns(296, 128, 2), turns(128, 296, 1), turns(128, 296, 3)]).toEqual([0, 2, 1, 3]);
  expect([turns(128, 296, 0), turns(296, 128, 1), turns(296, 128, 180)]).toEqual([1, 2, 2]);
});

test('ignores the unknown parts of a newer configuration, rejects an empty one, and never throws', () => {
  const whole = configOf({});
  expect(parseDisplayConfig(configOf({ isEmpty: true }))).toBeUndefined();
  expect(parseDisplayConfig(Buffer.alloc(0))).toBeUndefined();
  const future = Buffer.concat([whole.subarray(0, -2), Buffer.from([9, 0x7f, 1, 2, 3]), Buffer.alloc(2)]);
  expect(parseDisplayConfig(future)).toEqual(parseDisplayConfig(whole));
  for (let length = 0; length < whole.length; length += 1) parseDisplayConfig(whole.subarray(0, length));
  fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void parseDisplayConfig(Buffer.from(bytes))));
});
