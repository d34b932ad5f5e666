import type { AckStatus } from '../frames/protocol/messages.ts';
import { AccessPointError, type AccessPointHttp } from './accessPointHttp.ts';
import type { TagPicture } from './tagPicture.ts';
import type { TagState, TagTask } from './tagState.ts';

/** Pause between commands, because an access point starts a command even while it is busy with the previous one. */
export const COMMAND_PAUSE_MS = 500;
export const UPLOAD_PAUSE_MS = 1_000;
const BAD_REQUEST = 400;
const CONFLICT = 409;

/** Error for an access point that has just started and does not accept images yet. */
export class NotReadyError extends AccessPointError {}

/** Result of sending work for a tag. `isThere` tells whether the tag already displays the image. */
export type Handed = { status: Extract<AckStatus, 'ok' | 'unknownDevice'>; isThere: boolean };

export type Sleep = (ms: number) => Promise<void>;

/**
 * Sends work for a tag. First empties the tag's queue, because a newer image does not replace a queued one. Then sends the LED program,
 * because some tags take one item per check-in, and then the image, unless the tag already shows it. Rejects with an Error for the user.
 */
export async function handOver(
  http: AccessPointHttp,
  tag: TagState,
  { work, picture }: { work: TagTask; picture: TagPicture },
  pause: Sleep,
): Promise<Handed> {
  if (tag.record.pending > 0 || tag.isTouched) {
    if ((await command(http, tag, 'clear')) === 'unknownDevice') return { status: 'unknownDevice', isThere: false };
    tag.queued = undefined;
    await pause(COMMAND_PAUSE_MS);
  }
  if (work.program !== undefined) {
    if ((await flash(http, tag, work.program)) === 'unknownDevice') return { status: 'unknownDevice', isThere: false };
    await pause(COMMAND_PAUSE_MS);
  }
  const isThere = tag.shown.checksum !== undefined && tag.shown.picture === picture.id;
  if (isThere) return { status: 'ok', isThere };
  tag.isTouched = true;
  const fields = { mac: tag.mac, dither: '0', lut: '0', contentmode: '24' };
  const answer = await http.upload('imgupload', fields, picture.jpeg);
  return { status: statusOf(answer.status), isThere };
}

/** Queues an LED program for a tag, without an image. */
export async function flash(http: AccessPointHttp, tag: TagState, program: string): Promise<Handed['status']> {
  tag.isTouched = true;
  return statusOf((await http.get(`led_flash?mac=${tag.mac}&pattern=${program}`)).status);
}

async function command(http: AccessPointHttp, tag: TagState, cmd: 'clear'): Promise<Handed['status']> {
  return statusOf((await http.post('tag_cmd', { mac: tag.mac, cmd })).status);
}

function statusOf(status: number): Handed['status'] {
  if (status === 200) return 'ok';
  if (status === BAD_REQUEST) return 'unknownDevice';
  if (status === CONFLICT) throw new NotReadyError('The access point was just switched on and takes no pictures yet.');
  throw new AccessPointError(`The access point answers ${status}.`);
}
