import type { BulkResult, DeviceRequest, DeviceResult } from '#shared/api/device.ts';
import type { Settings } from '#shared/api/settings.ts';
import type { Unit, Writer } from '../db/writer.ts';
import { parseDeviceRequest, type Instruction } from '#shared/lib/deviceRequest.ts';
import { StationError } from '../errors.ts';
import type { Commands } from './commands.ts';
import type { Devices, Target } from './devices.ts';

/** A request in canonical form, and the names of its fields that mean nothing here. */
export type Asked = { request: DeviceRequest; unknown: readonly string[] };

/** One element of a bulk request, as the edge understood it. */
export type BulkElement = ({ ok: true } & Asked) | { ok: false; error: StationError; deviceid: string };

/** Commands, kills and statics, as callers ask for them. */
export type Requests = {
  /** To one device by DeviceID. Throws `not_found` and `invalid`. */
  toDevice(deviceId: string, asked: Asked, sender: string): Promise<DeviceResult>;
  /** Addressed by the request's own deviceid or location. */
  addressed(asked: Asked, sender: string): Promise<DeviceResult>;
  /** Each element by itself, in order, in one commit. */
  bulk(elements: readonly BulkElement[], sender: string): Promise<BulkResult[]>;
};

export function createRequests(parts: {
  writer: Pick<Writer, 'write'>;
  commands: Pick<Commands, 'send' | 'kill'>;
  devices: Pick<Devices, 'byId' | 'byLocation' | 'change'>;
  settings: { current(): Pick<Settings, 'default_seconds' | 'default_color'> };
}): Requests {
  const { writer, commands, devices, settings } = parts;

  function understand({ request, unknown }: Asked): { instruction: Instruction; warnings: string[] } {
    const { default_seconds, default_color } = settings.current();
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
        const { content, nonce } = instruction;
        const sent = commands.send(unit, {
          deviceId,
          target: target.target,
          alias: target.alias,
          label: target.label,
          nonce,
          content,
          sender,
        });
        return { deviceid: deviceId, command_id: sent.commandId, state: sent.state, warnings: told };
      }
      case 'kill': {
        const killed = commands.kill(unit, { deviceId, target: undefined, nonce: instruction.nonce, by: sender });
        return { deviceid: deviceId, killed, warnings: told };
      }
      case 'statics':
        return { deviceid: deviceId, updated: devices.change(unit, deviceId, instruction.changes), warnings: told };
    }
  }

  function find(request: DeviceRequest): Target {
    if (request.deviceid !== undefined && request.deviceid !== '') return devices.byId(request.deviceid.toUpperCase());
    if (request.location !== undefined && request.location !== '') return devices.byLocation(request.location);
    throw new StationError('invalid', 'The request names no device.', [
      { path: '', message: 'Give deviceid or location.' },
    ]);
  }

  async function one(element: BulkElement, sender: string): Promise<BulkResult> {
    if (!element.ok) return refused(element.error, element.deviceid);
    try {
      const { instruction, warnings } = understand(element);
      const result = await writer.write((unit) => carryOut(unit, find(element.request), instruction, warnings, sender));
      return { status: 200, ...result };
    } catch (error) {
      if (!(error instanceof StationError) || !(error.code === 'invalid' || error.code === 'not_found')) throw error;
      return refused(error, element.request.deviceid ?? '');
    }
  }

  return {
    async toDevice(deviceId, asked, sender) {
      const { instruction, warnings } = understand(asked);
      return writer.write((unit) => carryOut(unit, devices.byId(deviceId), instruction, warnings, sender));
    },
    async addressed(asked, sender) {
      const { instruction, warnings } = understand(asked);
      return writer.write((unit) => carryOut(unit, find(asked.request), instruction, warnings, sender));
    },
    // All in this turn of the event loop: one commit, a savepoint each.
    bulk: (elements, sender) => Promise.all(elements.map((element) => one(element, sender))),
  };
}

function refused(error: StationError, deviceid: string): BulkResult {
  const result = { deviceid, code: error.code, detail: error.message, errors: [...error.errors] };
  return { status: error.code === 'not_found' ? 404 : 400, ...result };
}
