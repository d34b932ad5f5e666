import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HistoryEntry } from '#shared/api/history.ts';
import { dialTcp, startLiveBoard, type LiveBoard } from '../helpers/boards/liveBoard.ts';
import { deviceIdOf, FlashChip } from '../helpers/boards/microPythonBoard.ts';
import { seededFraction } from '../helpers/seeded.ts';
import { openShop, type TurboShop } from './turboShop.ts';
import { until } from './until.ts';

/**
 * `BOARDS=100 BOARD_SECONDS=60 BOARD_SEED=7` makes the test long and repeatable. `BOARD_KILLS=5` sets the number of times that the station
 * is killed.
 */
const BOARDS = Number(process.env['BOARDS'] ?? 10);
const SECONDS = Number(process.env['BOARD_SECONDS'] ?? 1);
const KILLS = Number(process.env['BOARD_KILLS'] ?? 0);
const random = seededFraction(Number(process.env['BOARD_SEED'] ?? 1));
/** Average number of commands per fault. A fault is a broken connection or a power cut. */
const FAULT_EVERY = 5;
const REFRESH_MS = 20;
const PATIENCE_MS = 120_000;

let shop: TurboShop;
let key: string;

beforeAll(async () => {
  shop = await openShop('boards');
  key = (await shop.ask<{ api_key: string }>('POST', '/api/api-users/', { name: 'boards', scope: 'turbo' })).api_key;
});

afterAll(() => shop.close());

/** A board and its worker, who presses when the board is lit. */
class Post {
  readonly device: string;
  /** Confirmed quantities by nonce, for the commands whose press the worker saw accepted. */
  readonly taken = new Map<string, number>();
  readonly litMs: number[] = [];
  live: LiveBoard | undefined;
  cuts = 0;
  frames = 0;
  private readonly uniqueId: string;
  private readonly flash = new FlashChip();

  constructor(index: number) {
    this.uniqueId = `chip-${index}`;
    this.device = deviceIdOf(this.uniqueId);
  }

  async boot(): Promise<void> {
    this.live?.stop();
    const [host = '', port = ''] = shop.tcp.split(':');
    this.live = await startLiveBoard({
      uniqueId: this.uniqueId,
      config: { transport: 'tcp', user: 'boards', key },
      flash: this.flash,
      refreshMs: REFRESH_MS,
      dial: dialTcp(host, Number(port)),
    });
    await this.live.ready;
  }

  isLit(): boolean {
    return this.live?.board.ask('token') !== '0' && (this.live?.board.led.some((part) => part > 0) ?? false);
  }

  /** Performs one command from the request to the press. Repeats the request while the station is offline. */
  async serve(nonce: string): Promise<void> {
    const begin = performance.now();
    const body = { line1: nonce, quantity: 2, nonce, seconds: 0 };
    await until('the station', () =>
      shop.ask('POST', `/api/device/${this.device}/`, body).then(
        () => true,
        () => false,
      ),
    );
    await until(`${nonce} to be lit`, () => this.isLit(), PATIENCE_MS);
    this.litMs.push(performance.now() - begin);
    const fault = random() * FAULT_EVERY;
    if (fault < 0.25) await this.cut();
    this.live?.work((board) => board.press('plus'));
    if (fault > 0.25 && fault < 0.5) this.live?.move(false);
    const counter = this.live?.work((board) => board.press('front')) ?? 0;
    expect(counter).toBeGreaterThan(0);
    this.taken.set(nonce, 3);
    if (fault > 0.25 && fault < 0.5) await pause(20);
    if (fault > 0.5 && fault < 1) await this.cut();
    this.live?.move(true);
  }

  /** Cuts the power at any moment by discarding the interpreter. */
  async cut(): Promise<void> {
    this.cuts += 1;
    this.frames += Number(this.live?.board.ask('frames'));
    await this.boot();
  }
}

test(
  `every press on ${BOARDS} boards arrives once during ${SECONDS} s with broken connections and power cuts`,
  { timeout: SECONDS * 1_000 + 600_000 },
  async () => {
    const posts = Array.from({ length: BOARDS }, (_, index) => new Post(index));
    for (const post of posts) await post.boot();
    await until('all boards', async () => {
      const known = await shop.ask<string[]>('GET', '/api/device/');
      return posts.every(({ device }) => known.includes(device));
    });
    const begin = performance.now();
    const isOver = (): boolean => performance.now() - begin > SECONDS * 1_000;
    async function kill(): Promise<void> {
      for (let killed = 0; killed < KILLS && !isOver(); killed += 1) {
        await pause((SECONDS * 1_000) / (KILLS + 1));
        await shop.restart();
      }
    }
    await Promise.all([
      kill(),
      ...posts.map(async (post) => {
        for (let count = 0; count === 0 || !isOver(); count += 1) await post.serve(`${post.device}-${count}`);
      }),
    ]);
    const seconds = (performance.now() - begin) / 1_000;
    const wanted = new Map(posts.flatMap(({ taken }) => [...taken]));
    let came: HistoryEntry[] = [];
    await until('all presses', async () => {
      came = await shop.acknowledged();
      return came.length >= wanted.size;
    });
    expect(came).toHaveLength(wanted.size);
    expect(new Map(came.map(({ nonce, qty }) => [nonce, qty]))).toEqual(wanted);
    for (const post of posts) post.frames += Number(post.live?.board.ask('frames'));
    const frames = posts.reduce((sum, post) => sum + post.frames, 0);
    const lit = posts.flatMap(({ litMs }) => litMs).toSorted((a, b) => a - b);
    const heap = Math.max(...posts.map(({ live }) => live?.board.heap() ?? 0));
    for (const { live } of posts) live?.stop();
    expect(heap).toBeLessThan(180 * 1_024);
    const cuts = posts.reduce((sum, post) => sum + post.cuts, 0);
    const figures = [
      `${BOARDS} boards, ${seconds.toFixed(1)} s: ${wanted.size} presses, ${cuts} power cuts`,
      `${(frames / seconds).toFixed(0)} frames/s to the boards`,
      `from POST to light ${lit[lit.length >> 1]?.toFixed(0)} ms in the middle, ${lit.at(-1)?.toFixed(0)} ms at most`,
      `largest heap ${heap} bytes`,
    ];
    process.stdout.write(`${figures.join('; ')}\n`);
  },
);
