import { setTimeout as pause } from 'node:timers/promises';
import { API_KEY } from '../stationProcess.ts';
import { takeMessage, type KillLedger } from './ledger.ts';

const CALLERS = 6;
const LONGEST_PAUSE_MS = 12;
const BULK = 10;
/** Callers pause while this many commands wait for a press, because all of them must be pressed at the end. */
const MAX_OPEN = 400;

/** Devices on which simulated workers (WORKED) and requests (BY_HAND) press. In addition, each round has a device that nobody presses. */
export const WORKED = deviceIds(1, 8);
export const BY_HAND = deviceIds(9, 12);
const FIRST_TIMED = 13;

export function deviceIds(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => `51D000:${String(first + at).padStart(6, '0')}`);
}

export function timedDevice(round: number): string {
  return deviceIds(FIRST_TIMED + round, FIRST_TIMED + round)[0] ?? '';
}

/** Sends a request with the API key. Rejects if the station is killed before it answers. */
export async function call(url: string, method: string, path: string, body: unknown): Promise<Response> {
  return fetch(new URL(path, url), {
    method,
    headers: { 'api-key': API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Makes the e-paper of the devices fast and lets their simulated workers press. */
export async function employ(url: string, devices: readonly string[], pressAfterMs: () => number): Promise<void> {
  for (const device of devices) {
    const change = { refresh_ms: 0, press_after_ms: pressAfterMs() };
    const answer = await call(url, 'PATCH', `/api/simulator/devices/${device}/`, change);
    if (!answer.ok) throw new Error(`The simulated device ${device}: ${answer.status}`);
  }
}

/**
 * Runs callers, presses and a reader of the event stream in parallel until the station is killed. No request may fail before `killed`
 * returns true.
 */
export async function runTraffic(options: {
  url: string;
  round: number;
  fraction: () => number;
  ledger: KillLedger;
  /** Maximum display time in seconds of commands that nobody presses. */
  longestSeconds: number;
  /** Returns the approximate number of commands that wait for a press. */
  open: () => number;
  killed: () => boolean;
}): Promise<void> {
  const { url, round, fraction, ledger, longestSeconds, open, killed } = options;
  const oneOf = (devices: readonly string[]): string => devices[Math.floor(fraction() * devices.length)] ?? '';
  let count = 0;

  /** Returns a command with a unique nonce. */
  function command(device: string): { deviceid: string; nonce: string } & Record<string, unknown> {
    count += 1;
    const seconds = fraction() < 0.1 ? 0 : 600;
    return { deviceid: device, command: 'flash', line1: 'bin', quantity: 3, seconds, nonce: `${round}-${count}` };
  }

  async function send(device: string): Promise<void> {
    if (open() > MAX_OPEN) return;
    const commands = Array.from({ length: fraction() < 0.1 ? BULK : 1 }, () => command(device));
    const answer = await call(url, 'POST', '/api/devices/', commands);
    if (answer.status !== 200) throw new Error(`A command was answered ${answer.status}: ${await answer.text()}`);
    for (const { nonce } of commands) ledger.answered.add(nonce);
    // The promise is made when the status arrives, before the body.
    await answer.arrayBuffer();
    const [first] = commands;
    if (fraction() < 0.03) await call(url, 'POST', '/api/devices/', { ...first, command: 'kill' });
  }

  async function sendTimed(): Promise<void> {
    const device = timedDevice(round);
    const seconds = 1 + Math.floor(fraction() * longestSeconds);
    await call(url, 'PATCH', `/api/simulator/devices/${device}/`, { refresh_ms: 0 });
    const nonce = `${round}-timed`;
    const answer = await call(url, 'POST', `/api/device/${device}/`, { line1: 'nobody', quantity: 2, seconds, nonce });
    if (answer.status !== 200) throw new Error(`A command was answered ${answer.status}: ${await answer.text()}`);
    ledger.answered.add(nonce);
    ledger.timed.set(nonce, seconds);
  }

  async function press(): Promise<void> {
    const device = oneOf(BY_HAND);
    const hasThree = Number(device.slice(-1)) % 2 === 0;
    const button = hasThree ? oneOf(['front', 'front', 'plus', 'minus']) : 'front';
    await (await call(url, 'POST', `/api/simulator/devices/${device}/press/`, { button })).arrayBuffer();
  }

  async function read(): Promise<void> {
    const headers = { 'api-key': API_KEY, 'last-event-id': String(ledger.newestRevision) };
    const { body } = await fetch(new URL('/api/events/', url), { headers });
    if (body === null) throw new Error('The event stream has no body');
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      const messages = text.split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) takeMessage(ledger, message);
    }
  }

  /** Repeats the step until the kill interrupts it. */
  async function untilKilled(step: () => Promise<void>): Promise<void> {
    try {
      while (!killed()) {
        await step();
        await pause(fraction() * LONGEST_PAUSE_MS);
      }
    } catch (error) {
      if (!killed() || !isCutOff(error)) throw error;
    }
  }

  const devices = [...WORKED, ...BY_HAND];
  const once = async (): Promise<void> => {
    try {
      // On a bad link, turbo and station repeat messages.
      if (fraction() < 0.4) await call(url, 'PATCH', '/api/simulator/turbos/SIM-1/', { loss: fraction() * 0.1 });
      await employ(url, WORKED, () => Math.floor(fraction() * 30));
      await employ(url, BY_HAND, () => 86_400_000);
      await sendTimed();
    } catch (error) {
      if (!killed() || !isCutOff(error)) throw error;
    }
  };
  const callers = Array.from({ length: CALLERS }, () => untilKilled(() => send(oneOf(devices))));
  await Promise.all([once(), ...callers, untilKilled(press), untilKilled(press), untilKilled(read)]);
}

/** Returns whether a request failed because the station was killed, that is, the connection was refused or broken. */
function isCutOff(error: unknown): boolean {
  return error instanceof TypeError;
}
