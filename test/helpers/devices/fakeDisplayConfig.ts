export type FakeDisplayOptions = {
  width?: number;
  height?: number;
  rotation?: number;
  scheme?: number;
  canInflate?: boolean;
  leds?: number;
  buzzers?: number;
  buttons?: number;
  /** Position of the button data in the telemetry. */
  byte?: number;
  isLadder?: boolean;
  /** Encryption key. If it is set, the display encrypts. */
  key?: string;
  /** Whether no panel is configured. */
  isEmpty?: boolean;
};

/** The WiFi password in the configuration, which must never leave the display. */
export const WIFI_PASSWORD = 'correct horse battery';

/** Returns a display configuration as the firmware stores it. */
export function configOf(options: FakeDisplayOptions): Buffer {
  const { width = 296, height = 128, rotation = 0, scheme = 0, canInflate = true, leds = 1, buzzers = 1 } = options;
  const { buttons = 3, byte = 2, isLadder = false, isEmpty = false } = options;
  const blocks: Buffer[] = [block(0x01, 22), block(0x02, 22), block(0x04, 30)];
  if (!isEmpty) {
    const display = block(0x20, 46);
    display[3] = 1;
    display.writeUInt16LE(width, 2 + 4);
    display.writeUInt16LE(height, 2 + 6);
    display[2 + 14] = rotation;
    display[2 + 21] = scheme;
    display[2 + 22] = canInflate ? 0b1011 : 0b1000;
    blocks.push(display);
  }
  for (let at = 0; at < leds; at += 1) blocks.push(block(0x21, 22));
  const wifi = block(0x26, 160);
  wifi.write(WIFI_PASSWORD, 2 + 32);
  blocks.push(wifi);
  if (buttons > 0) {
    const inputs = block(0x25, 30);
    inputs[2 + 1] = isLadder ? 3 : 1;
    inputs.fill(0xff, 2 + 3, 2 + 11);
    for (let pin = 0; pin < buttons; pin += 1) inputs[2 + 3 + pin] = 10 + pin;
    inputs[2 + 11] = (1 << buttons) - 1;
    inputs[2 + 15] = byte;
    if (isLadder) inputs[2 + 18] = buttons;
    blocks.push(inputs);
  }
  for (let at = 0; at < buzzers; at += 1) blocks.push(block(0x29, 32));
  for (const [number, one] of blocks.entries()) one[0] = number;
  const body = Buffer.concat([Buffer.from([0, 0, 1]), ...blocks, Buffer.alloc(2)]);
  body.writeUInt16LE(body.length);
  return body;
}

function block(kind: number, size: number): Buffer {
  const bytes = Buffer.alloc(2 + size);
  bytes[1] = kind;
  return bytes;
}
