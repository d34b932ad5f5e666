/**
 * A program that tests can kill. It runs boards with our firmware in real MicroPython. Lines on standard input operate the buttons, as in
 * docs/examples/turbo.py.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { systemSerialPorts } from '../../../electron/server/network/serialPorts.ts';
import { dialTcp, startLiveBoard, type Dial, type LiveBoard } from './liveBoard.ts';
import { FlashChip, type BoardOptions } from './microPythonBoard.ts';

// Print only the message: the stack would include the whole interpreter.
process.on('uncaughtException', ({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
});

const { values } = parseArgs({
  options: {
    tcp: { type: 'string' },
    websocket: { type: 'string' },
    /** Serial ports, one per board. */
    serial: { type: 'string', multiple: true, default: [] },
    ca: { type: 'string' },
    user: { type: 'string' },
    board: { type: 'string', multiple: true, default: ['board-1'] },
    state: { type: 'string', default: '.' },
    'refresh-ms': { type: 'string', default: '50' },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const boards = new Map<string, Promise<LiveBoard>>();

function wayOf(index: number): { dial: Dial; config: BoardOptions['config'] } {
  const sign = { user: values.user ?? '', key: process.env['PICKSTATION_TURBO_SECRET'] ?? '' };
  const trust = values.ca === undefined ? {} : { ca: values.ca };
  const address = values.tcp ?? values.websocket;
  if (address === undefined) {
    const path = values.serial[index] ?? '';
    return {
      dial: () => systemSerialPorts().open({ path, baudRate: 921_600, flowControl: false }),
      config: { transport: 'usb' },
    };
  }
  const [host = '', port = ''] = address.split(':');
  const dial = dialTcp(host, Number(port), values.ca === undefined ? undefined : readFileSync(values.ca, 'utf8'));
  if (values.tcp !== undefined) return { dial, config: { transport: 'tcp', ...sign, ...trust } };
  return { dial, config: { transport: 'wifi', host: address, path: '/turbo/', ...sign, ...trust } };
}

async function open(uniqueId: string, index: number): Promise<LiveBoard> {
  const live = await startLiveBoard({
    uniqueId,
    ...wayOf(index),
    flash: FlashChip.inFolder(join(values.state, uniqueId)),
    refreshMs: Number(values['refresh-ms']),
    log: (text) => say(`${uniqueId}: ${text}`),
  });
  boards.set(live.board.deviceId, Promise.resolve(live));
  // A worker presses only after the screen has been drawn.
  await live.ready;
  return live;
}

const opened = Promise.all(values.board.map((uniqueId, index) => open(uniqueId, index)));

async function obey(line: string): Promise<void> {
  await opened;
  const [hand = '', device = ''] = line.trim().split(' ');
  const live = await boards.get(device);
  if (live === undefined) return say(`No board of mine: ${line}`);
  if (hand === 'away' || hand === 'back') return live.move(hand === 'back');
  const button = hand === 'plus' || hand === 'minus' ? hand : 'front';
  const counter = live.work((board) => board.press(button, hand === 'hold' ? 'long' : 'short'));
  say(counter > 0 ? `${device} ${button} of a token, report ${counter}` : `${device} is full and refuses the press`);
}

createInterface({ input: process.stdin }).on('line', (line) => void obey(line));
