import type { Clock, HttpClient, Ids, Log, Multicast, NetworkWish } from '../ports.ts';
import type { MessageTurns } from '../scheduling/messageTurns.ts';
import type { Controller, ControllerParts } from './types.ts';
import { createOpenDisplay } from './openDisplay/openDisplayController.ts';
import { createOpenEPaper } from './openEPaper/openEPaperController.ts';
import { createWled } from './wled/wledConnection.ts';

type KindParts = ControllerParts & {
  http: HttpClient;
  clock: Clock;
  ids: Ids;
  log: Log;
  multicast: Multicast;
  /** The turns in which connections are read. */
  turns: MessageTurns;
};

/** Functions that create the controller for each kind of network link. */
const KINDS: Readonly<Record<NetworkWish['kind'], (parts: KindParts) => Controller>> = {
  openepaperlink: createOpenEPaper,
  wled: createWled,
  opendisplay: createOpenDisplay,
};

export function createController(parts: KindParts): Controller {
  return KINDS[parts.wish.kind](parts);
}
