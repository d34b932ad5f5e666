import type { TurboFrame } from '#shared/api/turbo.ts';

export const KINDS = ['all', 'work'] as const;
export type Kind = (typeof KINDS)[number];

/** Frames that a person looks for: every word has to be in the message, the device or a value. */
export function findFrames(
  frames: readonly TurboFrame[],
  { kind, search }: { kind: Kind; search: string },
): readonly TurboFrame[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (kind === 'all' && wanted.length === 0) return frames;
  return frames.filter((frame) => {
    if (kind === 'work' && (frame.message === 'heartbeat' || frame.answers === 'heartbeat')) return false;
    if (wanted.length === 0) return true;
    const text = `${frame.message} ${frame.answers ?? ''} ${frame.device ?? ''} ${fieldWords(frame)}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** Its fields in one line, without the device, which stands in a place of its own. */
export function fieldWords({ fields }: Pick<TurboFrame, 'fields'>): string {
  return Object.entries(fields)
    .filter(([name]) => name !== 'device')
    .map(([name, value]) => `${name} ${valueWords(value)}`)
    .join(' · ');
}

/** A value as it stands in the message. */
export function valueWords(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
