/** Identifies a button by the byte of the display's telemetry that counts its presses, and by the button's number in that byte. */
export type DisplayButton = { byte: number; id: number };

/** The parts of a display's configuration that the station uses. */
export type DisplayParts = {
  /** Size of the panel as mounted, before rotation. */
  width: number;
  height: number;
  /** Number of clockwise quarter turns from the image to the panel. */
  turns: number;
  colorScheme: number;
  canInflate: boolean;
  leds: number;
  buzzers: number;
  buttons: readonly DisplayButton[];
  /** Telemetry bytes in which all buttons share one count, because the buttons are on a resistor ladder. */
  ladders: readonly number[];
};

const HEADER_BYTES = 3;
const CRC_BYTES = 2;
/** Number of bytes in each kind of configuration block. Blocks do not contain their length. */
const SIZES: Readonly<Record<number, number>> = {
  0x01: 22,
  0x02: 22,
  0x04: 30,
  0x20: 46,
  0x21: 22,
  0x23: 30,
  0x24: 30,
  0x25: 30,
  0x26: 160,
  0x27: 64,
  0x28: 32,
  0x29: 32,
  0x2a: 32,
  0x2b: 32,
  0x2c: 288,
};
const [DISPLAY, LED, INPUTS, BUZZER] = [0x20, 0x21, 0x25, 0x29];

const BUTTONS = 1;
const LADDER = 3;
const HIGHEST_BYTE = 10;
const NO_PIN = 0xff;
const PINS = 8;
/** Bits that indicate support for compressed images; either bit suffices. */
const INFLATES = 0b11;
const MAX_SIDE = 4_000;

/**
 * Parses the configuration of a display. Returns undefined if the display has no panel or the bytes are not a configuration. Does not read
 * secrets.
 */
export function parseDisplayConfig(bytes: Buffer): DisplayParts | undefined {
  let panel: Buffer | undefined;
  let [leds, buzzers] = [0, 0];
  const buttons: DisplayButton[] = [];
  const ladders: number[] = [];
  const end = bytes.length - CRC_BYTES;
  for (let at = HEADER_BYTES; at + 2 <= end;) {
    const kind = bytes[at + 1] ?? 0;
    const size = SIZES[kind];
    // Stop at an unknown kind: its length is not known, so nothing after it can be read.
    if (size === undefined || at + 2 + size > end) break;
    const block = bytes.subarray(at + 2, at + 2 + size);
    at += 2 + size;
    if (kind === DISPLAY) panel ??= block;
    if (kind === LED) leds += 1;
    if (kind === BUZZER) buzzers += 1;
    if (kind === INPUTS) {
      const found = buttonsOf(block);
      buttons.push(...found);
      if (block[1] === LADDER) ladders.push(...new Set(found.map(({ byte }) => byte)));
    }
  }
  if (panel === undefined) return undefined;
  const [width, height] = [panel.readUInt16LE(4), panel.readUInt16LE(6)];
  if (width === 0 || height === 0 || width > MAX_SIDE || height > MAX_SIDE) return undefined;
  return {
    width,
    height,
    turns: turnsOf(panel.readUInt8(14), width, height),
    colorScheme: panel.readUInt8(21),
    canInflate: (panel.readUInt8(22) & INFLATES) !== 0,
    leds,
    buzzers,
    buttons,
    ladders,
  };
}

/**
 * Returns the number of quarter turns. Accepts degrees, which older programs wrote. Turns a portrait image once more, because only
 * landscape images are readable.
 */
function turnsOf(rotation: number, width: number, height: number): number {
  const turns = rotation < 4 ? rotation : Math.round(rotation / 90) % 4;
  const isUpright = turns % 2 === 0 ? height > width : width > height;
  return isUpright ? (turns + 1) % 4 : turns;
}

function buttonsOf(block: Buffer): DisplayButton[] {
  const [instance = 0, type] = block;
  const byte = block.readUInt8(15);
  if (byte > HIGHEST_BYTE) return [];
  if (type === LADDER) {
    const [count, first] = [block.readUInt8(18), block.readUInt8(19)];
    return Array.from({ length: Math.min(count, PINS - first) }, (_, index) => ({ byte, id: first + index }));
  }
  if (type !== BUTTONS) return [];
  const used = block.readUInt8(11);
  return Array.from({ length: PINS }, (_, pin) => pin)
    .filter((pin) => block[3 + pin] !== NO_PIN && (used === 0 || (used & (1 << pin)) !== 0))
    .map((pin) => ({ byte, id: (instance * PINS + pin) % PINS }));
}
