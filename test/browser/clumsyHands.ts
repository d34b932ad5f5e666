import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import type { HistoryEntry } from '#shared/api/history.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import { until } from '../shells/until.ts';
import type { ClumsyLine } from './clumsyPlan.ts';
import type { useShop } from './shop.ts';
import { restingBox } from './window.ts';

/** Time in milliseconds for which a person looks before a move. Longer than the page ignores touches after a change. */
const LOOK_MS = 1_000;
const ENTER_BOUNCE_MS = 80;
const BOUNCE_MS = 110;
const REACTION_MS = 250;
const FRAME_MS = 16;
const HONEST_MS = 300;
/** Time in milliseconds within which the station counts a second press as a bounce of the first. */
const COUNTS_AS_BOUNCE_MS = 220;

export type ClumsyHands = ReturnType<typeof handsOf>;

/**
 * Creates a picker's hands, which act on the page and at the shelf. The page's clock advances only with moves on the
 * page, so that the rhythm is exact even on a busy machine. The shelf runs in real time.
 */
export function handsOf(shop: ReturnType<typeof useShop>, name: string, page: Page) {
  const { clock, keyboard, mouse } = page;
  const picked = page.getByRole('button', { name: /^Picked/ });

  /** Looks at the page, then makes the move. */
  async function move<T>(how: () => Promise<T>): Promise<T> {
    await stop();
    try {
      return await how();
    } finally {
      await clock.resume();
    }
  }

  /** Stops the page's clock once the person has looked. */
  async function stop(): Promise<void> {
    await until('the clock of the page to stop', async () => {
      const now = await page.evaluate<number>('Date.now()');
      // Rejects if the page's clock has already passed this time, so try again.
      return clock.pauseAt(now + LOOK_MS).then(
        () => true,
        () => false,
      );
    });
  }

  async function middleOf(button: Locator): Promise<[number, number]> {
    const { x, y, width, height } = await restingBox(button);
    return [x + width / 2, y + height / 2];
  }

  /** Touches the position of the button `times` times, `everyMs` milliseconds apart. */
  async function touch(button: Locator = picked, times = 1, everyMs = 0): Promise<void> {
    await button.waitFor();
    const spot = await middleOf(button);
    await move(async () => {
      for (let done = 0; done < times; done += 1) {
        if (done > 0) await clock.runFor(everyMs);
        await mouse.click(...spot);
      }
    });
  }

  const button = (words: string | RegExp) => page.getByRole('button', { name: words });

  /** Types the text and Enter. With `lf`, a second Enter follows, as from scanners that send CR and LF. */
  async function keys(text: string, everyMs: number, lf = false): Promise<void> {
    await move(async () => {
      for (const key of text) {
        await keyboard.type(key);
        await clock.runFor(everyMs);
      }
      await keyboard.press('Enter');
      if (!lf) return;
      await clock.runFor(everyMs);
      await keyboard.press('Enter');
    });
  }

  /** Finds the line in the picker's work, if its light is on in the picker's color. */
  async function lit(line: ClumsyLine): Promise<WorkLine | undefined> {
    const mine = await shop.call<WorkLine[]>('GET', `/api/work/?picker=${name}`);
    return mine.find(({ text, waiting, shown_at: at }) => text === line.name && !waiting && at !== null);
  }

  /** Waits until the picker's own light is on, and still on after a human reaction time. */
  async function untilLit(line: ClumsyLine): Promise<void> {
    await until(`${name}'s light for ${line.name}`, async () => {
      if ((await lit(line)) === undefined) return false;
      await pause(REACTION_MS);
      return (await lit(line)) !== undefined;
    });
  }

  const pressButton = (line: ClumsyLine, front: 'front' | 'minus' = 'front') =>
    shop.call('POST', `/api/simulator/devices/${line.deviceid}/press/`, { button: front });

  const recorded = ({ deviceid }: ClumsyLine, kinds: string) =>
    shop.call<HistoryEntry[]>('GET', `/api/history/?kind=${kinds}&limit=1000&deviceid=${deviceid}`);
  const early = async (line: ClumsyLine) => (await recorded(line, 'early')).length;

  /**
   * Waits for the picker's own light and presses the button. Presses again if the station reports that the press was
   * too early.
   */
  async function pressShelf(line: ClumsyLine, isOver: () => Promise<boolean>): Promise<void> {
    let refused = await early(line);
    await untilLit(line);
    await pressButton(line);
    await until(`the press for ${line.name}`, async () => {
      if (await isOver()) return true;
      const now = await early(line);
      if (now > refused) {
        refused = now;
        await untilLit(line);
        await pressButton(line);
      }
      return false;
    });
  }

  /** Returns the name of the line on the page, or undefined if there is none. */
  async function shown(): Promise<string | undefined> {
    const heading = `document.querySelector('main section h2')`;
    return page.evaluate<string | undefined>(`/Part \\S+/.exec(${heading}?.closest('section').innerText ?? '')?.[0]`);
  }

  const reach = (line: ClumsyLine, reachable: boolean) =>
    shop.call('PATCH', `/api/simulator/devices/${line.deviceid}/`, { reachable });

  return {
    page,
    button,
    touch,
    keys,
    untilLit,
    pressButton,
    pressShelf,
    touchTwice: () => touch(picked, 2, BOUNCE_MS),
    touchEach: (lines: number) => touch(picked, lines, HONEST_MS),
    async enterTwice(): Promise<void> {
      await move(async () => {
        await keyboard.press('Enter');
        await clock.runFor(ENTER_BOUNCE_MS);
        await keyboard.press('Enter');
      });
    },
    /** Presses at the shelf and touches Picked right after the press has changed the page. */
    async pressAndTouch(line: ClumsyLine): Promise<void> {
      const spot = await middleOf(picked);
      await untilLit(line);
      await move(async () => {
        await pressButton(line);
        await until('the page to go on', async () => {
          await clock.runFor(FRAME_MS);
          return (await shown()) !== line.name;
        });
        await clock.runFor(BOUNCE_MS);
        await mouse.click(...spot);
      });
    },
    /** Presses while the device is out of reach. The device holds the press until `meanwhile` has finished. */
    async pressOutOfReach(line: ClumsyLine, meanwhile: () => Promise<unknown>): Promise<void> {
      await untilLit(line);
      await reach(line, false);
      await pressButton(line);
      await meanwhile();
      await reach(line, true);
    },
    /**
     * Presses twice, fast enough for a bounce. `twin` is another line at the place. Resolves to whether the second press counted for the
     * twin, which is right only if the station measured a longer time between the presses, because the machine is slow.
     */
    async pressTwice(line: ClumsyLine, twin: ClumsyLine | undefined, isOver: () => Promise<boolean>): Promise<boolean> {
      await untilLit(line);
      const reports = async () => (await recorded(line, 'acknowledged,early,late')).length;
      const before = await reports();
      const from = performance.now();
      await pressButton(line);
      await pause(Math.max(0, BOUNCE_MS - (performance.now() - from)));
      await pressButton(line);
      if (twin === undefined) return false;
      // A press at an idle device is not recorded. Then, the twin stays lit.
      const staysLit = async () => {
        if ((await lit(twin)) === undefined) return false;
        await pause(LOOK_MS);
        return (await lit(twin)) !== undefined;
      };
      await until('the second press', async () => (await reports()) >= before + 2 || staysLit());
      if (!(await isOver())) return false;
      const [second = NaN, first = NaN] = (await recorded(line, 'acknowledged')).map(({ at }) => Date.parse(at));
      if (!(second - first >= COUNTS_AS_BOUNCE_MS))
        throw new Error(`A bounce of ${second - first} ms was booked for ${twin.name}.`);
      return true;
    },
    /** Touches Picked, and then Undo as soon as the station has recorded the line. */
    async touchAndUndo(isOver: () => Promise<boolean>): Promise<void> {
      const spot = await middleOf(picked);
      await move(async () => {
        await mouse.click(...spot);
        await until('the line to be booked', isOver);
        await clock.runFor(HONEST_MS);
        const { x, y, width, height } = (await button('Undo').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
        await mouse.click(x + width / 2, y + height / 2);
      });
    },
    /** Presses minus at the shelf until the line shows the quantity taken. */
    async countDown(line: ClumsyLine): Promise<void> {
      await untilLit(line);
      for (let count = line.ordered - 1; count >= line.taken; count -= 1) {
        await pressButton(line, 'minus');
        await until(`${count} at the shelf`, async () => (await lit(line))?.quantity === count);
      }
    },
    /** Lets the tablet sleep for an hour while `meanwhile` runs. */
    async sleep(meanwhile: () => Promise<void>): Promise<void> {
      await move(async () => {
        await meanwhile();
        await clock.fastForward(3_600_000);
      });
    },
    shown,
  };
}
