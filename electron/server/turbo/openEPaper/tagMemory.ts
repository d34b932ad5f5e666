import type { LinkMemory } from '../../ports.ts';
import { parseObject } from './accessPointAnswers.ts';
import { rememberTag, type Face, type QueuedFace, type RememberedTag, type TagState } from './tagState.ts';

/** Loads the saved state of tags, by MAC. Ignores entries that cannot be read. */
export function recallTags(memory: LinkMemory): Map<string, RememberedTag> {
  const tags = new Map<string, RememberedTag>();
  for (const [mac, text] of memory.load()) {
    const tag = recall(text);
    if (tag !== undefined) tags.set(mac, tag);
  }
  return tags;
}

/** Saves the state of a tag if it has changed. */
export function keepTag(memory: LinkMemory, tag: TagState): void {
  const text = JSON.stringify(rememberTag(tag));
  if (text === tag.kept) return;
  tag.kept = text;
  memory.save(tag.mac, text);
}

function recall(text: string): RememberedTag | undefined {
  // Check the fields, because the text may not have been written by `keepTag`.
  const { shown, queued, pressedAt, bootedAt, program } = (parseObject(text) ?? {}) as Partial<RememberedTag>;
  if (!isFace(shown) || typeof pressedAt !== 'number' || typeof bootedAt !== 'number') return undefined;
  return {
    shown,
    queued: isQueued(queued) ? queued : undefined,
    pressedAt,
    bootedAt,
    program: typeof program === 'string' ? program : undefined,
  };
}

function isFace(face: Partial<Face> | undefined): face is Face {
  return typeof face?.token === 'number';
}

function isQueued(face: Partial<QueuedFace> | undefined): face is QueuedFace {
  return isFace(face) && typeof face.checksum === 'number' && 'countBefore' in face;
}
