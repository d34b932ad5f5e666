import type { CommandEntry, DeviceRequest } from '#shared/api/device.ts';
import type { Api } from '../../station/api.ts';
import { ApiError } from '../../station/apiError.ts';

/** What became of sending. */
export type Outcome =
  | { kind: 'one'; commandId: string; answered: CommandEntry['delivery']; warnings: readonly string[] }
  | { kind: 'many'; sent: number; warnings: readonly string[]; refused: readonly Refusal[] };
export type Refusal = { deviceid: string; detail: string };

/** Sends a command to one device, or to each of many in one call. Rejects where no device got it. */
export async function sendCommand(
  api: Pick<Api, 'send' | 'sendMany'>,
  deviceids: readonly string[],
  request: DeviceRequest,
): Promise<Outcome | undefined> {
  const [only] = deviceids;
  if (deviceids.length === 1 && only !== undefined) {
    const result = await api.send(only, request);
    if (!('command_id' in result)) return undefined;
    return { kind: 'one', commandId: result.command_id, answered: result.delivery, warnings: result.warnings };
  }
  const results = await api.sendMany(deviceids.map((deviceid) => ({ ...request, deviceid })));
  const failed = results.filter(({ status }) => status !== 200);
  const [first] = failed;
  if (first !== undefined && failed.length === results.length) {
    throw new ApiError('invalid', first.detail ?? '', first.errors ?? []);
  }
  return {
    kind: 'many',
    sent: results.length - failed.length,
    // The same command is cut in the same way for each.
    warnings: [...new Set(results.flatMap(({ warnings }) => warnings ?? []))],
    refused: failed.map(({ deviceid, detail = '' }) => ({ deviceid, detail })),
  };
}
