import type { BulkResult, DeviceRequest, DeviceResult } from '#shared/api/device.ts';
import type { FieldError } from '#shared/api/problem.ts';
import type { Settings } from '#shared/api/settings.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { parseDeviceRequest, type Instruction } from '#shared/lib/requests/deviceRequest.ts';
import { given, quote } from '#shared/lib/requests/screenElements.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { StationError } from '../../errors.ts';
import type { Audit, By } from '../base/index.ts';
import type { Commands } from './commands.ts';
import { type Devices, type Target, unseenWarnings, pointed } from '../devices/index.ts';
import type { SentCommand } from './types.ts';

/**
 * A request in canonical form, with its unknown fields. `faults` are invalid fields, which were dropped. `strict` tells whether to reject
 * the request instead of ignoring fields.
 */
export type Asked = {
  request: DeviceRequest;
  unknown: readonly FieldError[];
  faults: readonly FieldError[];
  strict: boolean;
};

export type RequestDefaults = Pick<Settings, 'default_seconds' | 'default_color'>;

type Understood = { instruction: Instruction; warnings: string[]; leftOut: readonly FieldError[] };

/** A parsed element of a bulk request, or its error. */
export type BulkElement = ({ ok: true } & Asked) | { ok: false; error: StationError; deviceid: string };

type RequestsParts = {
  writer: Pick<Writer, 'write' | 'writeEach'>;
  commands: Pick<Commands, 'send' | 'kill'>;
  devices: Pick<Devices, 'byId' | 'byLocation' | 'change'>;
  settings: { current(): RequestDefaults };
  audit: Pick<Audit, 'record'>;
};

/** State shared by the functions that handle device requests. */
type RequestsContext = RequestsParts;

/** Handles requests from callers: commands, kills and statics. */
export function createRequests(parts: RequestsParts) {
  const { writer, commands, devices, settings, audit } = parts;
  const context: RequestsContext = { writer, commands, devices, settings, audit };
  return {
    toDevice: (deviceId: string, asked: Asked, by: By) => toDevice(context, deviceId, asked, by),
    addressed: (asked: Asked, by: By) => addressed(context, asked, by),
    bulk: (elements: readonly BulkElement[], by: By) => bulk(context, elements, by),
  };
}

export type Requests = ReturnType<typeof createRequests>;

/** Handles a request for the device with this DeviceID. Throws `not_found` or `invalid`. */
async function toDevice(context: RequestsContext, deviceId: string, asked: Asked, by: By): Promise<DeviceResult> {
  const { writer, devices } = context;
  const understood = read(context, asked);
  return writer.write((tx) => {
    const target = devices.byId(deviceId);
    const ignored = ignoredPlaces(asked.request, target);
    if (asked.strict) refuseFaults(ignored);
    const warnings = [...understood.warnings, ...ignored.map(({ message }) => message)];
    return carryOut(context, tx, target, { ...asked, ...understood, warnings }, by);
  });
}

/** Handles a request that names its device by `deviceid` or `location`. Throws `not_found` or `invalid`. */
async function addressed(context: RequestsContext, asked: Asked, by: By): Promise<DeviceResult> {
  const { writer } = context;
  const understood = readAddressed(context, asked);
  return writer.write((tx) => carryOut(context, tx, find(context, asked.request), { ...asked, ...understood }, by));
}

/** Handles the elements of a bulk request separately, in order. */
function bulk(context: RequestsContext, elements: readonly BulkElement[], by: By): Promise<BulkResult[]> {
  const { writer } = context;
  const sentBy = new Map<string, number>();
  return writer.writeEach(
    elements,
    (tx, element) =>
      one(context, tx, element, by, ({ commandId, replacedId }) => {
        const earlier = replacedId === null ? undefined : sentBy.get(replacedId);
        sentBy.set(commandId, elements.indexOf(element));
        return earlier === undefined ? [] : [replacesWords(earlier)];
      }),
    (error, element) => {
      const isRefusal = error instanceof StationError && (error.code === 'invalid' || error.code === 'not_found');
      if (!isRefusal || !element.ok) throw error;
      return refused(error, element.request.deviceid ?? '');
    },
  );
}

/** Interprets a request. Throws `invalid` for an invalid request, and for one that changes nothing. */
function read({ settings }: RequestsContext, asked: Asked): Understood {
  const understood = understand(asked, settings.current());
  const { instruction } = understood;
  const isNothing = instruction.kind === 'statics' && Object.keys(instruction.changes).length === 0;
  if (isNothing) refuseFaults([...asked.unknown, NOTHING_TO_DO]);
  return understood;
}

/** Like `read`, but for a request that must name its device. */
function readAddressed(context: RequestsContext, asked: Asked): Understood {
  const { request, faults } = asked;
  const isNamed = given(request.deviceid) || given(request.location);
  if (isNamed || faults.some(({ path }) => path === '/deviceid' || path === '/location')) return read(context, asked);
  return read(context, { ...asked, faults: [...faults, NO_DEVICE] });
}

function carryOut(
  context: RequestsContext,
  tx: Transaction,
  target: Target,
  { request, strict, instruction, warnings }: Asked & Understood,
  by: By,
  repeated: (sent: SentCommand) => string[] = () => [],
): DeviceResult {
  const { commands, devices } = context;
  const { deviceId } = target;
  if (strict && target.warning !== undefined) refuseFaults([{ path: '/location', message: target.warning }]);
  const allWarnings = target.warning === undefined ? [...warnings] : [...warnings, target.warning];
  switch (instruction.kind) {
    case 'command': {
      const { content, arrowAdded, warnings: ofArrow } = pointed(instruction.content, target);
      const sent = commands.send(tx, {
        deviceId,
        target: target.target,
        alias: target.alias,
        label: target.label,
        nonce: instruction.nonce,
        content,
        arrowAdded,
        sender: by.name,
      });
      return {
        deviceid: deviceId,
        command_id: sent.commandId,
        state: sent.state,
        delivery: sent.delivery,
        ...(sent.expectedAt === null ? {} : { expected_at: isoTime(sent.expectedAt) }),
        warnings: [...allWarnings, ...ofArrow, ...unseenWarnings(content, target), ...repeated(sent)],
      };
    }
    case 'kill': {
      // A kill by alias removes only commands to that alias; a kill by label or DeviceID removes all commands of the device.
      const which = target.alias === '' ? undefined : target.target;
      const killed = commands.kill(tx, { deviceId, target: which, nonce: instruction.nonce, by: by.name });
      return {
        deviceid: deviceId,
        killed,
        warnings: [...allWarnings, ...nothingKilled(killed, target, instruction.nonce)],
      };
    }
    case 'statics': {
      const { changes } = instruction;
      const said = devices.change(tx, deviceId, changes, by.name);
      if (strict) refuseFaults(within(request, said.leftOut));
      recordLabel(context, tx, target, changes.locationoverride, by);
      return { deviceid: deviceId, updated: Object.keys(changes), warnings: [...allWarnings, ...said.warnings] };
    }
  }
}

/** Returns a warning if `kill` removed nothing. */
function nothingKilled(killed: number, { deviceId, alias }: Target, nonce: string | undefined): string[] {
  if (killed > 0) return [];
  const at = alias === '' ? `at ${deviceId}` : `for the alias ${alias} at ${deviceId}`;
  const which = nonce === undefined ? 'No command' : `No command with the nonce ${quote(nonce)}`;
  return [`${which} is open ${at}. Nothing was removed.`];
}

function recordLabel(
  { audit }: RequestsContext,
  tx: Transaction,
  { deviceId, label: before }: Target,
  name: string | undefined,
  by: By,
): void {
  if (name === undefined || name === before) return;
  audit.record(tx, { action: 'label.changed', by, subject: deviceId, detail: { name, before } });
}

function find({ devices }: RequestsContext, request: DeviceRequest): Target {
  const found = findAddressee(request, devices);
  if (found !== undefined) return found;
  throw new StationError('invalid', NO_DEVICE.message, [NO_DEVICE]);
}

function one(
  context: RequestsContext,
  tx: Transaction,
  element: BulkElement,
  by: By,
  repeated: (sent: SentCommand) => string[],
): BulkResult {
  if (!element.ok) return refused(element.error, element.deviceid);
  const understood = readAddressed(context, element);
  return {
    status: 200,
    ...carryOut(context, tx, find(context, element.request), { ...element, ...understood }, by, repeated),
  };
}

const NOTHING_TO_DO: FieldError = {
  path: '',
  message:
    'The request changes nothing. To light a device, give command or line1. To change its static screen, give a field such as statica.',
};
/**
 * Returns a warning that an element replaces an earlier one, such as in a pick list with duplicate lines or with one nonce for all lines.
 */
const replacesWords = (index: number): string =>
  `This replaces element ${index} of the same call, which has the same place and nonce. Give each its own nonce to light both.`;

const NO_DEVICE: FieldError = { path: '', message: 'The request names no device. Give deviceid or location.' };

/** Interprets a request and returns warnings. Throws `invalid`. */
export function understand({ request, unknown, faults, strict }: Asked, defaults: RequestDefaults): Understood {
  const { default_seconds, default_color } = defaults;
  const parsed = parseDeviceRequest(request, { seconds: default_seconds, color: default_color });
  const doubtful = strict ? [...parsed.leftOut, ...unknown] : [];
  refuseFaults([...faults, ...(parsed.ok ? [] : parsed.errors), ...doubtful]);
  if (!parsed.ok) throw new Error('A request was refused without a reason.');
  return unknown.length === 0 ? parsed : { ...parsed, warnings: [...parsed.warnings, ...unknown.map(inWords)] };
}

/** Formats a warning as the path of its field and the message. */
export function inWords({ path, message }: FieldError): string {
  return `${path}: ${message}`;
}

/** Throws `invalid` with all these faults, if there are any. */
export function refuseFaults(faults: readonly FieldError[]): void {
  const [first] = faults;
  if (first === undefined) return;
  const isNamed = first.message.startsWith(first.path.slice(1));
  const where = isNamed ? '' : `${first.path}: `;
  const more = faults.length > 1 ? ` And ${faults.length - 1} more.` : '';
  throw new StationError('invalid', `${where}${first.message}${more}`, [...faults]);
}

/** Clears the path of each fault whose field is not in the request. */
function within(request: DeviceRequest, faults: readonly FieldError[]): FieldError[] {
  return faults.map(({ path, message }) => ({ path: Object.hasOwn(request, path.slice(1)) ? path : '', message }));
}

/** Finds the device that a request names by `deviceid` or `location`. Returns undefined if the request names no device. */
export function findAddressee(request: DeviceRequest, by: Pick<Devices, 'byId' | 'byLocation'>): Target | undefined {
  if (request.deviceid !== undefined && request.deviceid !== '') {
    const target = by.byId(request.deviceid.trim().toUpperCase());
    const [ignored] = ignoredPlaces(request, target);
    return ignored === undefined ? target : { ...target, warning: ignored.message };
  }
  if (request.location !== undefined && request.location !== '') return by.byLocation(request.location);
  return undefined;
}

/** Returns warnings about other places that the request names in addition to this device, because they are ignored. */
function ignoredPlaces(request: DeviceRequest, { deviceId, label }: Target): FieldError[] {
  const isSame = (place: string): boolean => [deviceId, label].map(nameKey).includes(nameKey(place));
  const ignored: FieldError[] = [];
  for (const field of ['deviceid', 'location'] as const) {
    const place = request[field] ?? '';
    if (place === '' || place === deviceId || isSame(place)) continue;
    const message = `${field} ${quote(place)} is ignored: the request goes to ${deviceId}.`;
    ignored.push({ path: `/${field}`, message });
  }
  return ignored;
}

function refused(error: StationError, deviceid: string): BulkResult {
  const result = { deviceid, code: error.code, detail: error.message, errors: [...error.errors] };
  return { status: error.code === 'not_found' ? 404 : 400, ...result };
}
