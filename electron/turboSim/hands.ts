import type { SimulatedHardware } from '../server/simulator/simulator.ts';

/** Button and length of a press, by the first word of the command line. */
const PRESSES = {
  press: ['front', 'short'],
  hold: ['front', 'long'],
  plus: ['plus', 'short'],
  minus: ['minus', 'short'],
} as const;
/** Whether the device is in radio range after a command, by the first word of the command. */
const MOVES = { away: false, back: true } as const;

const WORDS = [...Object.keys(PRESSES), ...Object.keys(MOVES)].map((word) => `${word} ID`).join(', ');

/** Executes a line of standard input and returns the result as text. */
export function obey(hardware: SimulatedHardware, serialNumber: string, line: string): string {
  const [word = '', id = ''] = line.trim().split(/\s+/);
  if (word === 'restart' && id === '') {
    switchOffAndOn(hardware, serialNumber);
    return `${serialNumber} starts anew`;
  }
  const deviceId = id.toUpperCase();
  if (isOf(PRESSES, word)) return pressed(hardware, deviceId, ...PRESSES[word]);
  if (!isOf(MOVES, word)) return `A line says ${WORDS} or restart, not "${line.trim()}".`;
  if (!hardware.setDevice(deviceId, { reachable: MOVES[word] })) return noDevice(deviceId);
  return `${deviceId} is ${MOVES[word] ? 'within reach' : 'out of reach'}`;
}

/** Restarts the turbo and its connection. The devices keep running and hold their reports back. */
function switchOffAndOn(hardware: SimulatedHardware, serialNumber: string): void {
  hardware.setTurbo(serialNumber, { connected: false });
  hardware.restartTurbo(serialNumber);
  hardware.setTurbo(serialNumber, { connected: true });
}

function pressed(
  hardware: SimulatedHardware,
  deviceId: string,
  ...[button, hold]: (typeof PRESSES)[keyof typeof PRESSES]
): string {
  const before = hardware.look(deviceId);
  if (before === undefined) return noDevice(deviceId);
  if (!hardware.press(deviceId, button, hold)) return `${deviceId} has no ${button} button`;
  const isRefused = hardware.look(deviceId)?.refusedPresses !== before.refusedPresses;
  return isRefused ? `${deviceId} is full and refuses the press` : `${deviceId} ${button} of ${before.token}`;
}

const noDevice = (deviceId: string): string => `No device of this turbo: ${deviceId}`;

function isOf<Table extends object>(table: Table, word: string): word is Extract<keyof Table, string> {
  return Object.hasOwn(table, word);
}
