import type { BulkResult, DeviceRequest, DeviceResult } from '#shared/api/device.ts';
import type { Settings } from '#shared/api/settings.ts';
import type { Unit, Writer } from '../db/writer.ts';
import { parseDeviceRequest, type Instruction } from '#shared/lib/deviceRequest.ts';
import { quote } from '#shared/lib/screenElements.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import { StationError } from '../errors.ts';
import { pointed } from './aliasArrow.ts';
import type { Commands } from './commands.ts';
import type { Devices } from './devices.ts';
import { darkWarnings } from './display.ts';
import type { Target } from './targets.ts';

/** A request in canonical form, and the names of its fields that mean nothing here. */
export type Asked = { request: DeviceRequest; unknown: readonly string[] };

export type RequestDefaults = Pick<Settings, 'default_seconds' | 'default_color'>;

type Understood = { instruction: Instruction; warnings: string[] };

/** One element of a bulk request, as the edge understood it. */
export type BulkElement = ({ ok: true } & Asked) | { ok: false; error: StationError; deviceid: string };

/** Commands, kills and statics, as callers ask for them. */
export type Requests = {
  /** To one device by DeviceID. Throws `not_found` and `invalid`. */
  toDevice(deviceId: string, asked: Asked, sender: string): Promise<DeviceResult>;
  /** Addressed by the request's own deviceid or location. */
  addressed(asked: Asked, sender: string): Promise<DeviceResult>;
  /** Each element by itself, in order. */
  bulk(elements: readonly BulkElement[], sender: string): Promise<BulkResult[]>;
};

export function createRequests(parts: {
  writer: Pick<Writer, 'write' | 'writeEach'>;
  commands: Pick<Commands, 'send' | 'kill'>;
  devices: Pick<Devices, 'byId' | 'byLocation' | 'change'>;
  settings: { current(): RequestDefaults };
}): Requests {
  const { writer, commands, devices, settings } = parts;

  const read = (asked: Asked): Understood => understand(asked, settings.current());

  function carryOut(
    unit: Unit,
    target: Target,
    instruction: Instruction,
    warnings: readonly string[],
    sender: string,
  ): DeviceResult {
    const { deviceId } = target;
    const told = target.warning === undefined ? [...warnings] : [...warnings, target.warning];
    switch (instruction.kind) {
      case 'command': {
        const { content, arrowAdded, warnings: ofArrow } = pointed(instruction.content, target);
        const sent = commands.send(unit, {
          deviceId,
          target: target.target,
          alias: target.alias,
          label: target.label,
          nonce: instruction.nonce,
          content,
          arrowAdded,
          sender,
        });
        return {
          deviceid: deviceId,
          command_id: sent.commandId,
          state: sent.state,
          delivery: sent.delivery,
          warnings: [...told, ...ofArrow, ...darkWarnings(content, target)],
        };
      }
      case 'kill': {
        // By its alias a place loses its own only; by its label or DeviceID a device loses everything.
        const which = target.alias === '' ? undefined : target.target;
        const killed = commands.kill(unit, { deviceId, target: which, nonce: instruction.nonce, by: sender });
        return { deviceid: deviceId, killed, warnings: told };
      }
      case 'statics':
        return { deviceid: deviceId, updated: devices.change(unit, deviceId, instruction.changes), warnings: told };
    }
  }

  function find(request: DeviceRequest): Target {
    const found = findAddressee(request, devices);
    if (found !== undefined) return found;
    throw new StationError('invalid', 'The request names no device.', [
      { path: '', message: 'Give deviceid or location.' },
    ]);
  }

  function one(unit: Unit, element: BulkElement, sender: string): BulkResult {
    if (!element.ok) return refused(element.error, element.deviceid);
    const { instruction, warnings } = read(element);
    return { status: 200, ...carryOut(unit, find(element.request), instruction, warnings, sender) };
  }

  return {
    async toDevice(deviceId, asked, sender) {
      const { instruction, warnings } = read(asked);
      return writer.write((unit) => {
        const target = devices.byId(deviceId);
        const told = [...warnings, ...ignoredPlaces(asked.request, target)];
        return carryOut(unit, target, instruction, told, sender);
      });
    },
    async addressed(asked, sender) {
      const { instruction, warnings } = read(asked);
      return writer.write((unit) => carryOut(unit, find(asked.request), instruction, warnings, sender));
    },
    bulk: (elements, sender) =>
      writer.writeEach(
        elements,
        (unit, element) => one(unit, element, sender),
        (error, element) => {
          const isRefusal = error instanceof StationError && (error.code === 'invalid' || error.code === 'not_found');
          if (!isRefusal || !element.ok) throw error;
          return refused(error, element.request.deviceid ?? '');
        },
      ),
  };
}

/** What a request means, and what is to be said of it. Throws `invalid`. */
export function understand({ request, unknown }: Asked, defaults: RequestDefaults): Understood {
  const { default_seconds, default_color } = defaults;
  const parsed = parseDeviceRequest(request, { seconds: default_seconds, color: default_color });
  if (parsed.ok) {
    if (unknown.length === 0) return parsed;
    const ignored = `Ignored, since there is no such field: ${unknown.join(', ')}.`;
    return { instruction: parsed.instruction, warnings: [...parsed.warnings, ignored] };
  }
  const [first] = parsed.errors;
  const more = parsed.errors.length - 1;
  const detail = `${first?.message ?? 'The request is not valid.'}${more > 0 ? ` And ${more} more.` : ''}`;
  throw new StationError('invalid', detail, parsed.errors);
}

/** Whom a request names by its own deviceid or location; undefined: nobody. */
export function findAddressee(request: DeviceRequest, by: Pick<Devices, 'byId' | 'byLocation'>): Target | undefined {
  if (request.deviceid !== undefined && request.deviceid !== '') {
    const target = by.byId(request.deviceid.trim().toUpperCase());
    const [warning] = ignoredPlaces(request, target);
    return warning === undefined ? target : { ...target, warning };
  }
  if (request.location !== undefined && request.location !== '') return by.byLocation(request.location);
  return undefined;
}

/** What is to be said of the other places that a request to this device names: it does not go there. */
function ignoredPlaces(request: DeviceRequest, { deviceId, label }: Target): string[] {
  const isSame = (place: string): boolean => [deviceId, label].map(nameKey).includes(nameKey(place));
  const ignored: string[] = [];
  for (const field of ['deviceid', 'location'] as const) {
    const place = request[field] ?? '';
    if (place === '' || place === deviceId || isSame(place)) continue;
    ignored.push(`${field} ${quote(place)} is ignored: the request goes to ${deviceId}.`);
  }
  return ignored;
}

function refused(error: StationError, deviceid: string): BulkResult {
  const result = { deviceid, code: error.code, detail: error.message, errors: [...error.errors] };
  return { status: error.code === 'not_found' ? 404 : 400, ...result };
}
