import { parseObject } from './accessPointAnswers.ts';
import { rememberTag, type Face, type QueuedFace, type RememberedTag, type TagState } from './tagState.ts';

/** Where a link keeps a text that must outlive the station; `load` gives '' before the first `save`. */
export type LinkMemory = { load(): string; save(text: string): void };

/** What is remembered of the tags of one access point, by MAC. A damaged text counts as none. */
export function recallTags(memory: LinkMemory): Map<string, RememberedTag> {
  const tags = parseObject(memory.load())?.['tags'];
  if (!Array.isArray(tags)) return new Map();
  // Written by `keepTags`; a text that something else has written is no object of this form.
  return new Map((tags as readonly Kept[]).flatMap((kept) => recall(kept)));
}

/** Notes what is to be remembered of these tags, beside what is remembered of others, and saves it if it has changed. */
export function keepTags(memory: LinkMemory, remembered: Map<string, RememberedTag>, tags: Iterable<TagState>): void {
  for (const tag of tags) remembered.set(tag.mac, rememberTag(tag));
  const kept = Array.from(remembered, ([mac, tag]): Kept => ({ mac, ...tag }));
  const text = JSON.stringify({ tags: kept });
  if (text !== memory.load()) memory.save(text);
}

type Kept = RememberedTag & { mac: string };

function recall(kept: Partial<Kept>): [string, RememberedTag][] {
  const { mac, shown, queued, pressedAt, bootedAt, program } = kept;
  if (typeof mac !== 'string' || !isFace(shown) || typeof pressedAt !== 'number' || typeof bootedAt !== 'number')
    return [];
  return [[mac, { shown, queued: isQueued(queued) ? queued : undefined, pressedAt, bootedAt, program }]];
}

function isFace(face: Partial<Face> | undefined): face is Face {
  return typeof face?.token === 'number';
}

function isQueued(face: Partial<QueuedFace> | undefined): face is QueuedFace {
  return isFace(face) && typeof face.checksum === 'number';
}
