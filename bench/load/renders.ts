import type { Page } from 'playwright-core';

/** Work of React since the counters were reset. */
export type Renders = { commits: number; tiles: Record<string, number>; others: number };

/**
 * Script that takes the place of React's developer tools. It counts commits, renders of each device's tile (the component whose outermost
 * element has data-deviceid), and renders outside tiles. The page itself contains no code for this.
 */
export const COUNTER = `(() => {
  const counts = { on: false, commits: 0, tiles: {}, others: 0 };
  const PERFORMED_WORK = 1;
  const COMPONENTS = new Set([0, 1, 11, 14, 15]);
  const tileOf = (fiber) => (fiber.tag === 5 ? fiber.memoizedProps['data-deviceid'] : undefined);
  function tileBelow(fiber) {
    for (let below = fiber; below !== null; below = below.child) if (tileOf(below)) return true;
    return false;
  }
  function visit(fiber, insideTile) {
    const before = fiber.alternate;
    const tile = tileOf(fiber);
    if (tile !== undefined && (before === null || before.memoizedProps !== fiber.memoizedProps))
      counts.tiles[tile] = (counts.tiles[tile] ?? 0) + 1;
    const inside = insideTile || tile !== undefined || tileBelow(fiber);
    if (!inside && COMPONENTS.has(fiber.tag) && (before === null || (fiber.flags & PERFORMED_WORK) !== 0)) counts.others += 1;
    if (before !== null && before.child === fiber.child) return;
    for (let child = fiber.child; child !== null; child = child.sibling) visit(child, insideTile || tile !== undefined);
  }
  window.benchCounts = counts;
  window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberUnmount() {},
    onPostCommitFiberRoot() {},
    onCommitFiberRoot(_id, root) {
      if (!counts.on) return;
      counts.commits += 1;
      visit(root.current, false);
    },
  };
})()`;

export async function startCounting(page: Page): Promise<void> {
  await page.evaluate(`Object.assign(window.benchCounts, { on: true, commits: 0, tiles: {}, others: 0 })`);
}

export function stopCounting(page: Page): Promise<Renders> {
  return page.evaluate<Renders>(`(window.benchCounts.on = false, window.benchCounts)`);
}

/**
 * Clicks the front button of a device's tile, which must be on the page. Resolves to the milliseconds until the tile shows the light as
 * off.
 */
export function pressToDark(page: Page, deviceid: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    const tile = document.querySelector('[data-deviceid="${deviceid}"]:has(canvas)');
    const button = [...tile.querySelectorAll('button')].find((each) => /^Front button/.test(each.getAttribute('aria-label')));
    if (!('lit' in tile.dataset)) return reject(new Error('${deviceid} is not lit'));
    const startedAt = performance.now();
    new MutationObserver((_changes, observer) => {
      if ('lit' in tile.dataset) return;
      observer.disconnect();
      requestAnimationFrame(() => resolve(performance.now() - startedAt));
    }).observe(tile, { attributes: true });
    button.click();
  })`);
}

/** Presses a simulated device. Resolves to the milliseconds until the heading of the Pick page changes. */
export function pressToNext(page: Page, deviceid: string): Promise<number> {
  return page.evaluate<number>(`new Promise((done, fail) => {
    const heading = () => document.querySelector('main h2')?.textContent;
    const before = heading();
    const token = /pickstation-csrf[^=]*=([^;]+)/.exec(document.cookie)?.[1] ?? '';
    const startedAt = performance.now();
    new MutationObserver((_, observer) => {
      if (heading() === before) return;
      observer.disconnect();
      done(performance.now() - startedAt);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    fetch('/api/simulator/devices/${deviceid}/press/', { method: 'POST', headers: { 'x-csrf-token': token } })
      .then((answer) => answer.ok || fail(new Error('The press was refused: ' + answer.status)));
  })`);
}
