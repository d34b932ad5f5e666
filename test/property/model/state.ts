import type { DeviceRequest } from '#shared/api/device.ts';
import type { ModelItem } from './orderState.ts';
import type { Address } from './naming.ts';
import type { ModelStep } from './sequences.ts';

/** The step or item that lit a command. */
export type ModelOwner = { isWithdrawn?: boolean } & (
  | { kind: 'step'; step: ModelStep }
  | { kind: 'item'; item: ModelItem }
);

/** Returns the state of a command that no device shows, or that will be shown again. */
export function nothingShown(): Pick<
  ModelCommand,
  'firstAt' | 'firstMono' | 'shownAt' | 'shownMono' | 'trulyShownMono' | 'heardMono' | 'forwardMs'
> {
  const never = { firstAt: null, firstMono: null, shownAt: null, shownMono: null };
  return { ...never, trulyShownMono: null, heardMono: null, forwardMs: 0 };
}

/** A command in the oracle. Wall times are as in the rows on disk. The `…Mono` fields are the same moments on the monotonic clock. */
export type ModelCommand = {
  id: number;
  /** The step or item that lit the command, or null for a caller's direct command. */
  owner: ModelOwner | null;
  /** What the command is for. Commands with different targets never replace each other. */
  target: 'device' | 'identify';
  /** How the caller, or the line, named the device. */
  address: Address;
  /** The name of a place that no device serves now; empty for all other commands. */
  alias: string;
  nonce: string;
  word: 'flash' | 'pick';
  lines: string[];
  barcode: string;
  quantity: number | null;
  color: string;
  seconds: number;
  createdAt: number;
  firstAt: number | null;
  firstMono: number | null;
  shownAt: number | null;
  shownMono: number | null;
  /** Time at which the device first showed the command, which the station may have learned only from a late report. */
  trulyShownMono: number | null;
  /** Time at which the station received the report `shown`. */
  heardMono: number | null;
  /** The quantity set by the worker or on a page, or null if it was never changed. */
  adjusted: number | null;
  /** Whether the worker made the last change of the count at the device. */
  byWorker: boolean;
  /** The caller who sent the command. */
  sender: string;
  /**
   * Time by which the wall clock has been set forward while the command was open. If the device cannot be asked, the command may end that
   * much earlier.
   */
  forwardMs: number;
};

/** What the device last did by itself, according to its turbo. */
export type Truth = {
  token: number;
  sinceMono: number;
  endsMono: number;
  ended: { token: number; sinceMono: number; atMono: number };
};

export type ModelDevice = {
  id: string;
  buttons: 1 | 3;
  firmware: number;
  label: string;
  /** How many labels had been given when the device got its label. Of several devices with a label, the first one is found by it. */
  labeledAt: number;
  lines: [string, string, string, string, string];
  quantity: number | null;
  arrow: string;
  unsolicitedNonce: string;
  brightness: number;
  queue: ModelCommand[];
  /** Accepted reports, by epoch and counter. */
  taken: Set<string>;
  truth: Truth;
  /** When the events of the reports happened that the turbo has already received from the device, by epoch and counter. */
  told: Map<string, number>;
  /** Time since which the device's radio has been undisturbed, or Infinity while it is disturbed. */
  goodSinceMono: number;
};

const NOTHING = { token: 0, sinceMono: 0, atMono: 0 };

export type ReceivedFields = Readonly<Record<string, string | number>>;

/** Does nothing. Used if no action follows. */
export const nothing = (): void => undefined;

export type ModelScreen = {
  label: string;
  lines: string[];
  quantity: number | undefined;
  arrow: string | undefined;
  barcode: string;
  qrcode: string;
  icon: string;
};

const STATIC_NAMES = ['statica', 'staticb', 'staticc', 'staticd', 'statice'] as const;
const LINE_NAMES = ['line1', 'line2', 'line3', 'line4', 'line5'] as const;

export function newDevice(id: string, buttons: 1 | 3, firmware: number): ModelDevice {
  return {
    id,
    buttons,
    firmware,
    label: '',
    labeledAt: 0,
    lines: ['', '', '', '', ''],
    quantity: null,
    arrow: '',
    unsolicitedNonce: '',
    brightness: 100,
    queue: [],
    taken: new Set(),
    truth: { token: 0, sinceMono: 0, endsMono: Infinity, ended: NOTHING },
    told: new Map(),
    goodSinceMono: Infinity,
  };
}

/** Returns the requested text lines, cut to 26 characters each, without empty lines at the end. */
export function linesOf(request: DeviceRequest): string[] {
  const lines = LINE_NAMES.map((name) => (request[name] ?? '').slice(0, 26));
  while (lines.length > 0 && lines.at(-1) === '') lines.pop();
  return lines;
}

/** Applies a request without command and lines. Returns the names of the fields in the request. */
export function changeStatics(device: ModelDevice, request: DeviceRequest): string[] {
  const updated: string[] = [];
  for (const [slot, name] of STATIC_NAMES.entries()) {
    const text = request[name];
    if (text === undefined) continue;
    device.lines[slot] = (text ?? '').slice(0, 26);
    updated.push(name);
  }
  if (request.arrow !== undefined) updated.push('arrow');
  device.arrow = request.arrow === undefined ? device.arrow : (request.arrow ?? '');
  if (request.quantity !== undefined) updated.push('quantity');
  device.quantity = request.quantity === undefined ? device.quantity : request.quantity;
  if (request.locationoverride !== undefined) updated.push('locationoverride');
  if (request.unsolicitedNonce !== undefined) updated.push('unsolicitedNonce');
  device.unsolicitedNonce = request.unsolicitedNonce ?? device.unsolicitedNonce;
  if (request.brightness !== undefined) updated.push('brightness');
  device.brightness = request.brightness ?? device.brightness;
  return updated;
}

/** Returns what a worker sees of a command, as text. Commands with the same look are indistinguishable. */
export function lookOf(command: Pick<ModelCommand, 'word' | 'lines' | 'quantity' | 'color'>): string {
  return JSON.stringify([command.word, command.lines, command.quantity, command.color]);
}

/** Returns the quantity from which plus and minus count: that of the first command, or of the static content if there is no command. */
export function countOf(device: ModelDevice): number | undefined {
  const [command] = device.queue;
  return (command === undefined ? device.quantity : (command.adjusted ?? command.quantity)) ?? undefined;
}

/**
 * Returns the screen of the first command, or of the static content if there is no command. For a command, it contains the requested
 * quantity, from which the device itself counts.
 */
export function screenOf(device: ModelDevice): ModelScreen {
  const [command] = device.queue;
  const { arrow, barcode, lines } = command === undefined ? staticsOf(device) : { ...command, arrow: '' };
  const drawn = [...lines];
  while (drawn.length > 0 && drawn.at(-1) === '') drawn.pop();
  return {
    label: command?.alias || device.label,
    lines: drawn,
    quantity: (command ?? device).quantity ?? undefined,
    arrow: arrow === '' ? undefined : arrow,
    barcode,
    qrcode: '',
    icon: '',
  };
}

/** Reads the static content. A line that starts with an element's mark is that element, and overrides the element's own field. */
function staticsOf({ lines, arrow }: ModelDevice): { lines: string[]; arrow: string; barcode: string } {
  const after = (mark: string): string | undefined => lines.find((line) => line.startsWith(mark))?.slice(mark.length);
  const texts = lines.map((line) => (line.startsWith('\\') ? '' : line));
  return { lines: texts, arrow: after('\\ic') ?? arrow, barcode: after('\\bc') ?? '' };
}

/** The LED color for each color name in requests. */
export const LED_COLORS: Readonly<Record<string, { color: number; fixedBrightness: boolean }>> = {
  green: { color: 0x00ff00, fixedBrightness: false },
  magenta: { color: 0xff00ff, fixedBrightness: false },
  red: { color: 0xff0000, fixedBrightness: false },
  r: { color: 0xff0000, fixedBrightness: false },
  blue: { color: 0x0000ff, fixedBrightness: false },
  yellow: { color: 0xffff00, fixedBrightness: false },
  cyan: { color: 0x00ffff, fixedBrightness: false },
  '#00ff80': { color: 0x00ff80, fixedBrightness: true },
};
