import type { Clock } from '../../ports.ts';
import type { Body } from '../frames/protocol/messages.ts';
import type { DevicePaper } from '../shelf/shelfDevice.ts';
import type { DisplayParts } from './displayConfig.ts';
import { RefusedCommand } from './displayError.ts';
import { compressPicture, drawDisplayPicture, isDrawable, type DisplayPicture } from './displayPicture.ts';
import type { DisplaySocket } from './displaySocket.ts';
import { buzzerProgram } from './displaySound.ts';
import { MAX_PAYLOAD_BYTES } from './displayFrames.ts';
import { ledProgram, LONGEST_PROGRAM_MS } from '../controllers/ledProgram.ts';
import { contentOf } from '../controllers/shownContent.ts';

const [START, DATA, END, LED, REFRESHED, LED_STOP, NOT_REFRESHED, BUZZER] = [
  0x70, 0x71, 0x72, 0x73, 0x73, 0x75, 0x74, 0x77,
];
const OPCODE_BYTES = 2;
/** Number of image bytes that fit into a START command after the image size. */
const FIRST_BYTES = 180;
/** Time limit for a refresh. Color panels take 30 s, and the display waits for them at most a minute. */
const REFRESH_MS = 90_000;
const FULL_EVERY = 10;
/** Delays before drawing an image again; the last delay repeats. */
const RETRY_MS = [2_000, 5_000, 10_000, 30_000] as const;
const [FULL, FAST] = [0, 1];

type Show = Body<'show'>;
type Task = { show: Show | undefined; count: number | undefined };

export type ScreenHost = {
  clock: Clock;
  batteryMv(): number;
  /** Called when `work` has something to do. */
  ready(): void;
  drawn(): void;
  undrawn(): void;
  /** Called with the message of a problem, or undefined when the problem has ended. */
  troubled(problem: string | undefined): void;
};

/** The panel, the LED and the buzzer of a display. Survives reconnects. */
export class DisplayScreen implements DevicePaper {
  count: number | undefined;
  private readonly host: ScreenHost;
  private readonly parts: DisplayParts;
  private task: Task | undefined;
  /** Id of the image on the screen; undefined if unknown. */
  private pictureId: number | undefined;
  private untilFull = 0;
  private failures = 0;
  private isFailed = false;
  private retryMs = 0;
  private program: string | undefined;
  /** The LED program in the display: null if none, undefined if unknown. */
  private sentProgram: string | null | undefined;
  private renewMs = Infinity;
  /** The tune that has not been sent to the buzzer yet. */
  private melody: Buffer | undefined;
  private token = 0;

  constructor(parts: DisplayParts, host: ScreenHost) {
    this.parts = parts;
    this.host = host;
  }

  draw(show: Show | undefined, count: number | undefined): void {
    this.task = { show, count };
    this.count = count;
    const isLit = show !== undefined && show.token !== 0;
    this.program = isLit && this.parts.leds > 0 ? ledProgram(show) : undefined;
    const token = show?.token ?? 0;
    if (isLit && token !== this.token && this.parts.buzzers > 0) this.melody = buzzerProgram(show.sound);
    this.token = token;
    this.host.ready();
  }

  /** Forgets the state of the display, which may have restarted. Must be called for a new connection. */
  forget(): void {
    this.pictureId = undefined;
    this.untilFull = 0;
    this.sentProgram = undefined;
  }

  stop(): void {
    this.task = undefined;
    this.isFailed = false;
  }

  /** Whether `work` has something to do now. */
  hasWork(): boolean {
    const nowMs = this.host.clock.monotonic();
    return this.hasLightToSend(nowMs) || this.melody !== undefined || this.isDue(nowMs);
  }

  /**
   * Sends all due changes, light and sound first. After a refresh, calls `listen` before the screen counts as drawn, because people who
   * pressed during the refresh had not seen the new screen. Rejects with a `DisplayError` when the connection has ended.
   */
  async work(socket: DisplaySocket, listen: () => Promise<void>): Promise<void> {
    await this.light(socket);
    await this.play(socket);
    if (this.isFailed) {
      if (!this.isDue(this.host.clock.monotonic())) return;
      // Do not retry the failed task: the content or light to show may have changed since.
      this.isFailed = false;
      return this.host.undrawn();
    }
    const { task } = this;
    if (task === undefined) return;
    const problem = await this.show(socket, task);
    await listen();
    // Ignore the result if different content is wanted by now.
    // oxlint-disable-next-line typescript/no-unnecessary-condition -- it may have been stopped in the meantime
    if (this.task !== task) return;
    this.task = undefined;
    if (problem === undefined) this.drawn();
    else this.failed(problem);
  }

  private hasLightToSend(nowMs: number): boolean {
    if (this.parts.leds === 0) return false;
    return (this.program ?? null) !== this.sentProgram || (this.program !== undefined && nowMs >= this.renewMs);
  }

  private isDue(nowMs: number): boolean {
    return this.isFailed ? nowMs >= this.retryMs : this.task !== undefined;
  }

  private drawn(): void {
    const wasTroubled = this.failures > 0;
    this.failures = 0;
    if (wasTroubled) this.host.troubled(undefined);
    this.host.drawn();
  }

  private failed(problem: string): void {
    const pauseMs = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)] ?? RETRY_MS[0];
    this.failures += 1;
    this.isFailed = true;
    this.retryMs = this.host.clock.monotonic() + pauseMs;
    this.host.troubled(`${problem} It is drawn again after ${pauseMs / 1_000} s.`);
  }

  private async light(socket: DisplaySocket): Promise<void> {
    const nowMs = this.host.clock.monotonic();
    if (!this.hasLightToSend(nowMs)) return;
    const { program } = this;
    try {
      if (program === undefined) await socket.ask(LED_STOP, Buffer.from([0]));
      else await socket.ask(LED, Buffer.concat([Buffer.from([0]), Buffer.from(program, 'hex')]));
    } catch (error) {
      if (!(error instanceof RefusedCommand)) throw error;
    }
    this.sentProgram = program ?? null;
    this.renewMs = program === undefined ? Infinity : nowMs + LONGEST_PROGRAM_MS;
  }

  private async play(socket: DisplaySocket): Promise<void> {
    const { melody } = this;
    this.melody = undefined;
    if (melody === undefined) return;
    await socket.ask(BUZZER, melody).catch((error: unknown) => {
      if (!(error instanceof RefusedCommand)) throw error;
    });
  }

  /** Draws an image. Resolves with a message if this failed, or with undefined if the screen shows the image. */
  private async show(socket: DisplaySocket, { show, count }: Task): Promise<string | undefined> {
    if (!isDrawable(this.parts)) return undefined;
    const screen = show?.screen;
    const content = screen?.form === 'fields' ? contentOf(screen) : undefined;
    // Without a quantity box, the count is part of a line of the picture.
    const hasBox = content !== undefined && content.quantity !== null;
    const drawn = hasBox ? { ...content, quantity: count ?? content.quantity } : content;
    const picture = drawDisplayPicture(drawn, this.parts, this.host.batteryMv());
    if (picture.id === this.pictureId) return undefined;
    this.pictureId = undefined;
    const isFast = this.parts.canInflate && this.parts.colorScheme === 0 && this.untilFull > 0;
    try {
      await this.transfer(socket, picture, isFast);
      const { command } = await socket.next([REFRESHED, NOT_REFRESHED], REFRESH_MS);
      if (command === NOT_REFRESHED) return 'The screen did not finish its refresh in time.';
    } catch (error) {
      if (error instanceof RefusedCommand) return `The display did not take a picture. (${error.message})`;
      throw error;
    }
    this.pictureId = picture.id;
    this.untilFull = isFast ? this.untilFull - 1 : FULL_EVERY - 1;
    return undefined;
  }

  /** Sends an image. Resolves when the display has received all of it. */
  private async transfer(socket: DisplaySocket, { pixels }: DisplayPicture, isFast: boolean): Promise<void> {
    const packed = this.parts.canInflate ? await compressPicture(pixels) : undefined;
    const size = Buffer.alloc(4);
    size.writeUInt32LE(pixels.length);
    const first = packed?.subarray(0, FIRST_BYTES) ?? Buffer.alloc(0);
    await socket.ask(START, packed === undefined ? first : Buffer.concat([size, first]));
    const rest = packed?.subarray(FIRST_BYTES) ?? pixels;
    for (let at = 0; at < rest.length; at += MAX_PAYLOAD_BYTES - OPCODE_BYTES) {
      const part = rest.subarray(at, at + MAX_PAYLOAD_BYTES - OPCODE_BYTES);
      // Without compression, a display starts a full refresh on its own when it has all pixels.
      const { command } = await socket.send(DATA, part, [DATA, END]);
      if (command === END) return;
    }
    await socket.ask(END, Buffer.from([isFast ? FAST : FULL]));
  }
}
