import { isDeepStrictEqual } from 'node:util';
import type { Body } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import type { Entry } from './journal.ts';
import { countOf, LED_COLORS, screenOf, type ModelDevice, type ModelScreen } from './state.ts';

type Sent = Extract<Entry, { kind: 'show' }>;
/** A bitmap as sent to a device. `quantity` is the count drawn into it. */
type Bitmap = { packing: 'raw' | 'packBits'; pixels: Uint8Array; quantity: number | undefined };

/** Checks every screen sent to devices: it must match the request and must already be on disk. */
export class Shows {
  /** Time at which a screen was last sent to any device. */
  lastMono = 0;
  private readonly seconds = new Map<number, number>();
  /** Times at which the commands were first sent to their devices. */
  private readonly firstMono = new Map<number, number>();
  private readonly last = new Map<string, { rest: { token: number }; monoMs: number }>();
  private readonly contents = new Map<number, ModelScreen>();
  private readonly bitmaps = new Map<number, Bitmap>();
  /** The quantity in the last picture sent to a device, by device and checksum. */
  private readonly counts = new Map<string, number | undefined>();

  /** Returns the display time that was sent with a command, in seconds. 0 means no limit. */
  secondsOf(token: number): number {
    return this.seconds.get(token) ?? 0;
  }

  /** Returns the content for a checksum, or undefined if that content was never sent as fields. */
  content(checksum: number): ModelScreen | undefined {
    return this.contents.get(checksum);
  }

  bitmap(checksum: number): Bitmap | undefined {
    return this.bitmaps.get(checksum);
  }

  /** Starts a new session. Screens sent in the previous session may be lost. */
  begin(): void {
    this.last.clear();
  }

  /** Makes a command wait again. Its display time restarts when it is shown. */
  putBack(token: number): void {
    this.firstMono.delete(token);
  }

  /** Must be called when the turbo refused the screen. The station may then send it again. */
  refused(deviceId: string): void {
    this.last.delete(deviceId);
  }

  /**
   * Must be called when the device reports that it shows something else, perhaps because the report crossed the last screen. The station
   * may then repeat that screen.
   */
  contradicted(deviceId: string, token: number): void {
    if (this.last.get(deviceId)?.rest.token !== token) this.last.delete(deviceId);
  }

  check(device: ModelDevice, { show, firstOnDisk, writing, writingOther, monoMs }: Sent): void {
    const [command] = device.queue;
    const light = command === undefined ? undefined : LED_COLORS[command.color];
    const wanted = {
      token: command?.id ?? 0,
      quantity: countOf(device),
      led: command === undefined ? 'off' : command.word === 'flash' ? 'blink' : 'steady',
      color: light?.color ?? 0,
      brightness: device.brightness,
      fixedBrightness: light?.fixedBrightness ?? false,
      sound: '',
    };
    const { token, quantity, led, color, brightness, fixedBrightness, sound, seconds } = show;
    const sent = { token, quantity, led, color, brightness, fixedBrightness, sound };
    const isRight = isDeepStrictEqual(sent, wanted);
    this.note(show, monoMs);
    // The report is not on disk yet, so the station sends the older state, which the turbo ignores.
    if (!isRight && (writing || writingOther) && token === firstOnDisk) {
      if (token === 0) this.learn(show, quantity);
      else if (token === command?.id) this.learn(show, screenOf(device).quantity);
      return this.refused(device.id);
    }
    if (!isRight) {
      throw new Error(`${device.id} is sent ${JSON.stringify(sent)}, and should be sent ${JSON.stringify(wanted)}`);
    }
    this.checkNews(device, show, monoMs);
    if (token !== firstOnDisk) throw new Error(`${device.id} is sent ${token} while ${firstOnDisk} is first on disk`);
    this.checkSeconds(device, seconds, monoMs);
    this.checkScreen(device, show);
  }

  private note({ token, seconds }: Sent['show'], monoMs: number): void {
    this.lastMono = monoMs;
    this.seconds.set(token, seconds);
    if (!this.firstMono.has(token)) this.firstMono.set(token, monoMs);
  }

  /** Checks that a screen sent over a good link is not sent again, which would waste radio time and battery. */
  private checkNews(device: ModelDevice, show: Sent['show'], monoMs: number): void {
    const { seconds: _, quantity: __, screen: ___, ...rest } = show;
    const last = this.last.get(device.id);
    this.last.set(device.id, { rest, monoMs });
    if (last === undefined || device.goodSinceMono > last.monoMs || !isDeepStrictEqual(last.rest, rest)) return;
    throw new Error(`${device.id} is sent the same again: ${JSON.stringify(rest)}`);
  }

  /** Checks the seconds sent with a command. They count from when the command was first shown, so a restarted device gets the remainder. */
  private checkSeconds(device: ModelDevice, seconds: number, monoMs: number): void {
    const [command] = device.queue;
    if (command === undefined || (command.seconds === 0) !== (seconds === 0) || seconds > command.seconds) {
      if (command !== undefined || seconds !== 0) throw new Error(`${device.id} is sent ${seconds} s`);
    }
    if (command === undefined || command.seconds === 0) return;
    const shownMono = Math.min(command.shownMono ?? Infinity, command.trulyShownMono ?? Infinity);
    const sinceMono = shownMono < Infinity ? shownMono : (this.firstMono.get(command.id) ?? monoMs);
    const leftMs = sinceMono + command.seconds * 1_000 - monoMs;
    if (seconds * 1_000 >= leftMs) return;
    throw new Error(`${device.id} is sent ${seconds} s for command ${command.id}, which has ${leftMs} ms left`);
  }

  /** Records the background that a device returns to. */
  kept(device: ModelDevice, { checksum, screen }: Body<'keep'>): void {
    const quantity = device.quantity ?? undefined;
    this.learn({ checksum, screen, quantity }, quantity);
  }

  /** Records the content for a checksum. `quantity` is the requested quantity, from which the device itself counts. */
  private learn(
    { checksum, screen, quantity: count }: Pick<Sent['show'], 'checksum' | 'screen' | 'quantity'>,
    quantity: number | undefined,
  ): void {
    if (screen.form === 'bitmap') this.bitmaps.set(checksum, { ...screen, quantity: count });
    if (screen.form !== 'fields') return;
    const { form: _, ...fields } = screen;
    const content: ModelScreen = { ...fields, lines: [...fields.lines], quantity };
    const known = this.contents.get(checksum) ?? content;
    if (!isDeepStrictEqual(known, content)) throw new Error(`Two contents have the checksum ${checksum}`);
    this.contents.set(checksum, content);
  }

  private checkScreen(device: ModelDevice, show: Sent['show']): void {
    const { checksum, screen, quantity } = show;
    const wanted = screenOf(device);
    if (screen.form === 'fields' && screen.quantity !== quantity) {
      throw new Error(`${device.id} is sent two quantities`);
    }
    const picture = `${device.id} ${checksum}`;
    if (screen.form === 'bitmap') this.counts.set(picture, quantity);
    if (screen.form === 'same' && this.counts.has(picture) && this.counts.get(picture) !== quantity) {
      throw new Error(`${device.id} is to keep a picture of ${this.counts.get(picture)} for ${quantity}`);
    }
    this.learn(show, wanted.quantity);
    const content = this.contents.get(checksum);
    if (content === undefined ? this.bitmaps.has(checksum) : isDeepStrictEqual(content, wanted)) return;
    throw new Error(`${device.id} is sent ${JSON.stringify(content)} instead of ${JSON.stringify(wanted)}`);
  }
}
