import type { Repositories } from '../../db/repositories.ts';

/** Returns a warning if the name is also the code of a cart, a wall or one of their slots, because scans find the code first. */
export function carrierCodeWarnings(carriers: Repositories['carriers'], name: string): string[] {
  const found = name === '' ? undefined : carriers.findByCode(name);
  const carrier = found === undefined ? undefined : carriers.find(found.carrierId);
  if (found === undefined || carrier === undefined) return [];
  const of = found.slot === null ? '' : `slot ${found.slot} of `;
  return [`"${name}" is also the code of ${of}the ${carrier.kind} ${carrier.name}. A scan finds that.`];
}
