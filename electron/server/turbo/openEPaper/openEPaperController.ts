import type { Controller, ControllerParts } from '../types.ts';
import { OpenEPaperConnection, type OpenEPaperConnectionOptions } from './openEPaperConnection.ts';

/** Creates the controller for the access point at an address. */
export function createOpenEPaper(
  parts: ControllerParts & Pick<OpenEPaperConnectionOptions, 'clock' | 'ids' | 'log'>,
): Controller {
  let connection: OpenEPaperConnection | undefined;
  return {
    connect(host) {
      connection = new OpenEPaperConnection(host, { ...parts, url: parts.wish.url });
      return connection;
    },
    // Nothing to apply: access points have no LED places, and a new address gets a new controller.
    change: () => undefined,
    problems: () => connection?.problems ?? [],
  };
}
