import { expect, test } from 'vitest';
import { startChipBoard } from '../../helpers/boards/chipBoard.ts';

/** Returns the bytes that our driver sends to the panel for a full refresh and for a partial one. */
async function said(board: string, more = ''): Promise<[full: string[], other: string[]]> {
  const say = await startChipBoard(board);
  const lines = say(`
from boards.board import open_board
panel = open_board({"profile": "${board}", "transport": "usb"}).panel
${more}
for is_full in (True, False):
    wired.PANELS[0].said = []
    panel.start(bytearray(4736), is_full)
    while panel.busy():
        time.sleep_ms(10)
    wired.PANELS[0].pin(wired.PANELS[0].wires["cs"], 1, chip.NOW[0])
    print("; ".join(wired.PANELS[0].said))
`);
  const [full = '', other = ''] = lines;
  return [full.split('; '), other.split('; ')];
}

const hex = (...bytes: number[]): string => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');

/** Bits of the panel setting register PSR (0x00) of the UC8151, as Pimoroni's uc8151.hpp names them. */
const PSR = {
  RES_128x296: 0b1000_0000,
  LUT_REG: 0b0010_0000,
  FORMAT_BW: 0b0001_0000,
  SCAN_DOWN: 0b0000_0000,
  SCAN_UP: 0b0000_1000,
  SHIFT_LEFT: 0b0000_0000,
  SHIFT_RIGHT: 0b0000_0100,
  BOOSTER_ON: 0b0000_0010,
  RESET_NONE: 0b0000_0001,
};
const PANEL = PSR.RES_128x296 | PSR.FORMAT_BW | PSR.BOOSTER_ON | PSR.RESET_NONE;
const UPRIGHT = PANEL | PSR.SHIFT_RIGHT | PSR.SCAN_DOWN;
/** Writes the register PWR: VDS and VDG internal, VCOM from VD, gates of 16 V, three voltages of 11 V. */
const PWR = hex(0x01, 0b10 | 0b01, 0, 0b101011, 0b101011, 0b101011);
/** Writes the register BTST, three times with START_10MS, STRENGTH_3 and OFF_6_58US. */
const BTST = hex(0x06, 0x10 | 0x07, 0x10 | 0x07, 0x10 | 0x07);
/** Writes PFS with FRAMES_1, TSE with TEMP_INTERNAL and OFFSET_0, TCON, CDI with VBD 10, DDX 01 and 12, and PLL with HZ_100. */
const REST = [hex(0x03, 0), hex(0x41, 0), hex(0x60, 0x22), hex(0x50, 0b10_01_1100), hex(0x30, 0b0011_1010)];
/** Commands that draw a picture: PTOU, DTM2, DSP and DRF. Unlike the manufacturer's driver, ours then powers the panel off. */
const DRAW = ['92', '13 [4736]', '11', '12', '02'];

test.each(['badger2040', 'badger2040w'])(
  "the panel of a %s gets the register writes of the manufacturer's driver",
  async (board) => {
    const [full, fast] = await said(board);
    expect(UPRIGHT).toBe(0x97);
    const setUp = [PWR, '04', BTST, ...REST];
    expect(full).toEqual(['reset', hex(0x00, UPRIGHT), ...setUp, ...DRAW]);
    const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);
    // fast_luts(): three phases of six bytes, the other four phases are empty.
    const table = (number: number, one: number, two: number, three: number): string =>
      hex(number, one, 4, 4, 7, 0, 1, two, 12, 12, 0, 0, 2, three, 4, 4, 7, 0, 2, ...zeros(number === 0x20 ? 26 : 24));
    const tables = [
      table(0x20, 0, 0, 0),
      table(0x21, 0x54, 0x60, 0xa8),
      table(0x22, 0x54, 0x60, 0xa8),
      table(0x23, 0xa8, 0x60, 0x54),
      table(0x24, 0xa8, 0x60, 0x54),
    ];
    expect(fast).toEqual(['reset', hex(0x00, UPRIGHT | PSR.LUT_REG), ...tables, ...setUp, ...DRAW]);
  },
);

test("a rotated UC8151 scans up and shifts left, like ROTATE_180 in the manufacturer's driver", async () => {
  const [[, setting]] = await said(
    'badger2040',
    'from boards.uc8151 import UC8151\npanel = UC8151(panel.bus, flip=True)',
  );
  expect(setting).toBe(hex(0x00, PANEL | PSR.SCAN_UP | PSR.SHIFT_LEFT));
});

test.each([
  ['medium', 2_540],
  ['fast', 930],
  ['turbo', 260],
])('the waveform %s takes as many frames as the published table: %d ms at 100 Hz', async (waveform, ms) => {
  const say = await startChipBoard('badger2040');
  expect(
    say(`
from boards.board import open_board
from boards.uc8151 import UC8151
panel = UC8151(open_board({"profile": "badger2040", "transport": "usb"}).panel.bus, waveform="${waveform}")
panel.start(bytearray(4736), False)
print(wired.PANELS[0].refreshes)
`),
  ).toEqual([`[${ms}]`]);
});

test("the panel of a CrowPanel gets the register writes of the manufacturer's driver, and is powered off after each refresh", async () => {
  const [full, partial] = await said('esp32s3');
  // EPD_Init(): software reset, 296 gates from G0 in order, the border of white, the internal sensor. Elecrow writes with AM 0, X and Y
  // up (0x11: 03) and turns the picture in memory; we write with AM 1, Y down and X up, from gate 295.
  const setUp = ['reset', '12', '01 27 01 00', '11 05', '44 00 0f', '45 27 01 00 00', '3c 01', '18 80'];
  const write = (number: string): string[] => ['4e 00', '4f 27 01', `${number} [4736]`];
  // 0x22: the manufacturer's F4 and FC, plus bits 1 and 0, which turn off power and clock at the end.
  expect(full).toEqual([...setUp, ...write('24'), ...write('26'), hex(0x22, 0xf4 | 0b11), '20', ...write('26')]);
  expect(partial).toEqual([...setUp, ...write('24'), hex(0x22, 0xfc | 0b11), '20', ...write('26')]);
});

test('a bare SSD1680 panel is driven from S8, as GxEPD2 does for the GDEY029T94', async () => {
  const [full] = await said('generic');
  expect(full).toContain('21 00 80');
});

test.each([
  ['upright', 'badger2040', ''],
  ['upright', 'esp32s3', ''],
  ['turned', 'badger2040', 'from boards.uc8151 import UC8151\npanel = UC8151(panel.bus, flip=True)'],
  ['turned', 'esp32s3', 'from boards.ssd1680 import SSD1680\npanel = SSD1680(panel.bus, flip=True)'],
] as const)(
  'each pixel of a picture (%s) is where the manufacturer’s driver of a %s puts it',
  async (_way, board, more) => {
    const say = await startChipBoard(board);
    expect(
      say(`
from boards.board import open_board
panel = open_board({"profile": "${board}", "transport": "usb"}).panel
${more}
picture, seed = bytearray(4736), 1
for at in range(4736):
    seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
    picture[at] = seed >> 16 & 255
is_turned = ${more === '' ? 'False' : 'True'}
turned = bytes(int("".join(reversed("{:08b}".format(byte))), 2) for byte in reversed(picture))
for is_full in (True, False):
    panel.start(picture, is_full)
    print(bytes(wired.seen()) == (turned if is_turned else bytes(picture)))
    while panel.busy():
        time.sleep_ms(10)
`),
    ).toEqual(['True', 'True']);
  },
);

test('the models detect a wrong pin, a wrong bus and a wrong direction', async () => {
  const say = await startChipBoard('badger2040w');
  const attempt = (change: string): string =>
    say(`
from boards.board import panel_of
PINS.clear()
OWNERS.clear()
use("badger2040w")
profile = json.load(open("/boards/badger2040w.json"))
machine_pin(10, 1)
pins = profile["panel"]["pins"]
${change}
picture = bytearray(4736)
picture[0] = 128
try:
    panel = panel_of(profile["panel"])
    panel.setting = profile["panel"].get("setting", panel.setting)
    panel.start(picture, True)
    print("upright" if bytes(wired.seen()) == bytes(picture) else "wrong")
except (ValueError, OSError, AssertionError) as error:
    print(error)
`).join();
  say('def machine_pin(number, value): Pin(number, Pin.OUT, value=value)');
  expect(attempt('')).toBe('upright');
  expect(attempt('pins["spi"] = 1')).toBe('bad SCK pin');
  expect(attempt('pins["spi"] = 2')).toBe("SPI(2) doesn't exist");
  expect(attempt('pins["mosi"] = 23')).toBe('wrong');
  expect(attempt('pins["miso"] = 20')).toBe('pin 20 belongs to SPI');
  expect(attempt('pins["dc"], pins["reset"] = pins["reset"], pins["dc"]')).not.toBe('upright');
  expect(attempt('profile["panel"]["setting"] = 0x9F')).toBe('wrong');
  expect(attempt('profile["panel"]["setting"] = 0x93')).toBe('wrong');
  const first = await startChipBoard('esp32s3');
  expect(first('try:\n    SPI(0, 1000000, Pin(12), Pin(11))\nexcept ValueError as error:\n    print(error)')).toEqual([
    "SPI(0) doesn't exist",
  ]);
});
