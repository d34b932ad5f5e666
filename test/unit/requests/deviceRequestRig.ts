import type { DeviceRequest } from '#shared/api/device.ts';
import type { FieldError } from '#shared/api/problem.ts';
import { parseDeviceRequest, type CommandContent, type StaticChanges } from '#shared/lib/requests/deviceRequest.ts';

const DEFAULTS = { seconds: 60, color: 'red' };

export function parse(request: DeviceRequest) {
  return parseDeviceRequest(request, DEFAULTS);
}

/** Returns the command in a request. Throws if the request contains none. */
export function command(request: DeviceRequest): CommandContent & { warnings: string[]; nonce: string } {
  const parsed = parse(request);
  if (!parsed.ok || parsed.instruction.kind !== 'command') throw new Error(`No command: ${JSON.stringify(parsed)}`);
  return { ...parsed.instruction.content, nonce: parsed.instruction.nonce, warnings: parsed.warnings };
}

/** Returns the static content that a request changes. Throws if the request changes none. */
export function statics(request: DeviceRequest): { changes: StaticChanges; warnings: string[] } {
  const parsed = parse(request);
  if (!parsed.ok || parsed.instruction.kind !== 'statics') throw new Error(`No statics: ${JSON.stringify(parsed)}`);
  return { changes: parsed.instruction.changes, warnings: parsed.warnings };
}

/** Returns the errors of a refused request. Throws if the request is accepted. */
export function errors(request: DeviceRequest): FieldError[] {
  const parsed = parse(request);
  if (parsed.ok) throw new Error(`It was taken: ${JSON.stringify(parsed)}`);
  return parsed.errors;
}
