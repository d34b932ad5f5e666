import { createHash } from 'node:crypto';
import { displayDeviceId, displaySerialNumber, readDisplayUrl } from '#shared/lib/devices/openDisplayNames.ts';
import type { Clock, Ids, Log, Multicast } from '../../ports.ts';
import { createMessageTurns, type MessageTurns } from '../../scheduling/messageTurns.ts';
import type { Controller, ControllerParts } from '../types.ts';
import type { DisplayParts } from './displayConfig.ts';
import { PressCounter } from './displayPresses.ts';
import { DisplayScreen } from './displayScreen.ts';
import { DisplayShelf } from './displayShelf.ts';
import { findDisplays } from './findDisplays.ts';
import { OpenDisplayConnection, type DisplayMemory } from './openDisplayConnection.ts';

/** A display ends an unused connection after this time. Until then, it refuses other connections. */
const OWN_CONNECTION_MS = 35_000;
const DIGITS = /^[0-9A-F]{12}$/;
const NUMBER_OF_DIGITS = 12;

export type OpenDisplayOptions = ControllerParts & {
  clock: Clock;
  ids: Ids;
  log: Log;
  multicast: Multicast;
  /** The turns in which the connection is read. By default, it shares them with no other connection. */
  turns?: MessageTurns;
};

/** Creates the controller for the display at an address. Keeps its screen state and presses across connections. */
export function createOpenDisplay(options: OpenDisplayOptions): Controller & { idle(): boolean } {
  const { wish, clock, ids, log, multicast, claim, memory, turns = createMessageTurns() } = options;
  const { url } = wish;
  const place = readDisplayUrl(url, wish.key !== undefined);
  let connection: OpenDisplayConnection | undefined;
  let known: { description: string; memory: DisplayMemory } | undefined;
  let lostMs: number | undefined;
  /** Whether another program may have used the display since the last connection. */
  let isDoubtful = false;

  /**
   * Returns a permanent serial number and DeviceID for this link, from the MAC that the display announces on the network or, if none is
   * found, from a hash of the address.
   */
  async function identify(): Promise<{ serialNumber: string; deviceId: string }> {
    let digits = memory.load().get('digits') ?? '';
    if (!DIGITS.test(digits)) {
      digits = (await searchDigits()) ?? digitsOf(url);
      memory.save('digits', digits);
    }
    return { serialNumber: displaySerialNumber(digits), deviceId: displayDeviceId(digits) };
  }

  async function searchDigits(): Promise<string | undefined> {
    let digits: string | undefined;
    await findDisplays(multicast, (found) => {
      if (found.url === url && found.serialNumber !== '') digits = found.serialNumber.slice(-NUMBER_OF_DIGITS);
    }).catch(() => undefined);
    return digits;
  }

  function remember(deviceId: string, parts: DisplayParts): { memory: DisplayMemory; isNew: boolean } {
    const description = JSON.stringify([deviceId, parts]);
    const isNew = isDoubtful || known?.description !== description;
    isDoubtful = false;
    lostMs = undefined;
    if (known?.description !== description) {
      known?.memory.shelf.stop();
      known = { description, memory: create(deviceId, parts) };
    }
    return { memory: known.memory, isNew };
  }

  function create(deviceId: string, parts: DisplayParts): DisplayMemory {
    const screen = new DisplayScreen(parts, {
      clock,
      batteryMv: () => shelf.batteryMv,
      ready: () => connection?.ready(),
      drawn: () => shelf.device.drawn(),
      undrawn: () => shelf.device.undrawn(),
      troubled: (problem) => connection?.trouble(problem),
    });
    const shelf: DisplayShelf = new DisplayShelf(deviceId, parts, screen, { clock, ids });
    return { shelf, screen, presses: new PressCounter(parts) };
  }

  function ended(isRefusal: boolean): void {
    const nowMs = clock.monotonic();
    lostMs ??= nowMs;
    if (isRefusal && nowMs - lostMs > OWN_CONNECTION_MS) isDoubtful = true;
  }

  return {
    connect(host) {
      const address = { host: place?.host ?? '', port: place?.port ?? 0, key: wish.key };
      connection = new OpenDisplayConnection(host, {
        url,
        address,
        clock,
        log,
        turns,
        identify,
        claim,
        remember,
        ended,
      });
      return connection;
    },
    // Nothing to apply: a display has no LED places, and a new address or key gets a new controller.
    change: () => undefined,
    // Nothing to report here, because a display reports its problems as a turbo.
    problems: () => [],
    idle: () => connection?.idle() !== false,
  };
}

function digitsOf(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, NUMBER_OF_DIGITS).toUpperCase();
}
