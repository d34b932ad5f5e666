import type { Clock, HttpClient, Ids, Log, Multicast, NetworkWish } from '../ports.ts';
import type { Controller, ControllerParts } from './types.ts';
import { createOpenDisplay } from './openDisplay/openDisplayController.ts';
import { createOpenEPaper } from './openEPaper/openEPaperController.ts';
import { createWled } from './wled/wledConnection.ts';

type KindParts = ControllerParts & { http: HttpClient; clock: Clock; ids: Ids; log: Log; multicast: Multicast };

/** The controller of each kind of link in the network. */
const KINDS: Partial<Record<NetworkWish['kind'], (parts: KindParts) => Controller>> = {
  openepaperlink: createOpenEPaper,
  wled: createWled,
  opendisplay: createOpenDisplay,
};

export function createController(parts: KindParts): Controller {
  const create = KINDS[parts.wish.kind];
  if (create === undefined) throw new Error(`There is no link of the kind ${parts.wish.kind}.`);
  return create(parts);
}
