import type { Fact } from '#shared/api/station.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import {
  fillLine,
  type ScreenTemplate,
  TEMPLATE_LINES,
  type TemplateField,
} from '#shared/lib/requests/screenTemplate.ts';
import type { StaticChanges } from '#shared/lib/requests/deviceRequest.ts';
import { cutLine } from '#shared/lib/text/text.ts';
import { createAlarm } from '../scheduling/alarm.ts';
import type { Core } from '../core.ts';
import type { DeviceRow } from '../db/repositories/devices.ts';
import type { Transaction } from '../db/writer.ts';
import { type Devices, findByLocation } from './devices/index.ts';

type TemplateCore = Core<'aliases' | 'articles' | 'devices' | 'placeNames' | 'stock' | 'templateScreens'>;
type TemplateContext = TemplateCore & { devices: Pick<Devices, 'change' | 'byId'> };

/** Minimum time between updates of a device that only change a number. */
const FIGURE_MS = 10 * 60_000;
/** Number of devices to write per commit. */
const AT_ONCE = 50;
const RETRY_MS = 60_000;
const EMPTY = TEMPLATE_LINES.map(() => '');

/** The fields of an article at a place of a device. */
type Shown = Record<TemplateField, string | number | null>;

/**
 * Fills static lines of devices with article data, according to the setting `screen_template`. Keeps lines that did not come from the
 * template. Contract, section 20.
 */
export function createScreenTemplates(core: TemplateCore, { devices }: { devices: Pick<Devices, 'change' | 'byId'> }) {
  const context: TemplateContext = { ...core, devices };
  const { reads, writer, bus, log, clock } = core;
  const dirty = new Set<string>();
  /** Earliest time to redraw the numbers on a device, in epoch milliseconds. */
  const later = new Map<string, number>();
  /** Devices that show each article. Entries may be outdated. */
  const devicesOf = new Map<number, Set<string>>();
  const alarm = createAlarm(clock, () => void writeSome());
  let template = '';
  /** Whether any device has a line from the template. */
  let isUsed = false;
  let isWriting = false;

  function mark(ids: Iterable<string>): void {
    for (const id of ids) dirty.add(id);
    if (dirty.size > 0) alarm.within(0);
  }

  function markAll(): void {
    const named = reads.stock.listPlaceNames().flatMap(({ place }) => findByLocation(reads, place)?.deviceId ?? []);
    mark([...named, ...reads.templateScreens.listIds()]);
  }

  /** Whether changed articles and places can be ignored, because the template is empty and no device shows a line from a template. */
  function isIdle(): boolean {
    return !isUsed && template === JSON.stringify(EMPTY);
  }

  function onFact(fact: Fact): void {
    if (fact.type === 'settings.changed') {
      const now = JSON.stringify(linesOf(core.settings.current().screen_template));
      if (now === template) return;
      template = now;
      return markAll();
    }
    if (fact.type === 'article.changed') {
      const { id, places } = fact.article;
      const found = places.flatMap(({ location }) => findByLocation(reads, location)?.deviceId ?? []);
      mark([...found, ...(devicesOf.get(id) ?? [])]);
      devicesOf.set(id, new Set(found));
    } else if (fact.type === 'article.removed') {
      mark(devicesOf.get(fact.id) ?? []);
      devicesOf.delete(fact.id);
    } else if (fact.type === 'device.changed' && 'locationoverride' in fact.changed) mark([fact.deviceid]);
    else if (fact.type === 'alias.changed') mark([fact.alias.deviceid]);
    else if (fact.type === 'alias.removed') markAll();
  }

  async function writeSome(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    const now = clock.now();
    for (const [id, at] of later) if (at <= now) dirty.add(id);
    const some = [...dirty].slice(0, AT_ONCE);
    for (const id of some) {
      dirty.delete(id);
      later.delete(id);
    }
    try {
      const waits = await writer.writeSoon((tx) => some.map((id) => [id, write(context, tx, id, false)] as const));
      for (const [id, at] of waits) if (at !== undefined) later.set(id, at);
    } catch (error) {
      log.warn({ err: error }, 'could not write article screens');
      for (const id of some) later.set(id, clock.now() + RETRY_MS);
    }
    isWriting = false;
    isUsed = reads.templateScreens.listIds().length > 0;
    if (dirty.size > 0) alarm.within(0);
    else if (later.size > 0) alarm.within(Math.max(0, Math.min(...later.values()) - clock.now()));
  }

  const unsubscribe = bus.subscribe({
    commit({ facts }) {
      const isRelevant = facts.some(({ type }) => type === 'settings.changed') || !isIdle();
      if (isRelevant) for (const fact of facts) onFact(fact);
    },
  });
  core.onStop(unsubscribe);
  core.onStop(() => alarm.stop());
  core.onStart(() => {
    template = JSON.stringify(linesOf(core.settings.current().screen_template));
    isUsed = reads.templateScreens.listIds().length > 0;
    if (!isIdle()) markAll();
  });
  return {
    /** Fills all static lines of a device from the template, and returns them. Throws `not_found`. */
    use: (deviceId: string): Promise<string[]> =>
      writer.write((tx) => {
        devices.byId(deviceId);
        tx.apply(() => void (isUsed = true));
        write(context, tx, deviceId, true);
        return staticsOf(core.repositories.devices.find(deviceId));
      }),
  };
}

export type ScreenTemplates = ReturnType<typeof createScreenTemplates>;

/** Writes changed lines. Returns when to try again, in epoch milliseconds, or undefined to wait for the next change. */
function write(context: TemplateContext, tx: Transaction, deviceId: string, isForced: boolean): number | undefined {
  const { repositories, settings, devices, log } = context;
  const row = repositories.devices.find(deviceId);
  const known = repositories.templateScreens.find(deviceId);
  if (row === undefined) return undefined;
  const template = settings.current().screen_template;
  const shown = articlesAt(context, row);
  const wanted = screenOf(template, shown);
  const fixed = screenOf(
    template,
    shown.map((each) => ({ ...each, on_hand: null })),
  ).join('\n');
  const written = known?.lines.split('\n') ?? EMPTY;
  const now = staticsOf(row);
  const isOurs = now.map((line, index) => isForced || line === '' || line === written[index]);
  const changed = wanted.flatMap((line, index) => (isOurs[index] === true && line !== now[index] ? [index] : []));
  const isFigure = known !== undefined && known.fixed === fixed && !isForced;
  if (isFigure && changed.length > 0 && tx.now - known.writtenAt < FIGURE_MS) return known.writtenAt + FIGURE_MS;
  if (changed.length > 0) {
    try {
      devices.change(tx, deviceId, changesOf(changed, wanted));
    } catch (error) {
      log.warn({ err: error, deviceId }, 'the template does not fit on the screen');
      return undefined;
    }
  }
  const lines = wanted.map((line, index) => (isOurs[index] === true ? line : (written[index] ?? ''))).join('\n');
  const isNone = lines === EMPTY.join('\n');
  const writtenAt = changed.length > 0 || known === undefined ? tx.now : known.writtenAt;
  if (isNone) repositories.templateScreens.remove(deviceId);
  else if (lines !== known?.lines || fixed !== known.fixed || changed.length > 0)
    repositories.templateScreens.save({ deviceId, lines, fixed, writtenAt });
  return undefined;
}

function changesOf(changed: readonly number[], wanted: readonly string[]): StaticChanges {
  return Object.fromEntries(changed.map((index) => [`static${TEMPLATE_LINES[index] ?? 'a'}`, wanted[index] ?? '']));
}

function staticsOf(row: DeviceRow | undefined): string[] {
  return row === undefined ? EMPTY : [row.statica, row.staticb, row.staticc, row.staticd, row.statice];
}

function linesOf(template: ScreenTemplate): string[] {
  return TEMPLATE_LINES.map((letter) => template[letter]);
}

/** Fills the template with a single article, or lists several articles. */
function screenOf(template: ScreenTemplate, shown: readonly Shown[]): string[] {
  const lines = linesOf(template);
  const [only] = shown;
  if (only === undefined || lines.every((line) => line === '')) return EMPTY;
  if (shown.length === 1) return lines.map((line) => fitted(fillLine(line, only)));
  const names = shown.map(({ name, sku }) => fillLine('{name}', { ...only, name: name || sku }));
  return EMPTY.map((_, index) => fitted(names[index] ?? ''));
}

/** Truncates text to the width of a line, except elements such as barcodes. */
function fitted(line: string): string {
  const text = line.trim();
  return text.includes('\\') ? text : cutLine(text);
}

/** Returns the active articles at the device's places. */
function articlesAt({ repositories }: TemplateContext, row: DeviceRow): Shown[] {
  const { aliases, articles, stock } = repositories;
  const names = [row.label, ...aliases.listByDevice(row.device_id).map(({ name }) => name)];
  const served = names.filter((name) => name !== '' && findByLocation(repositories, name)?.deviceId === row.device_id);
  return served
    .flatMap((name) => stock.listAt(nameKey(name)))
    .flatMap(({ articleId, place, onHand, minimum }): Shown[] => {
      const article = articles.find(articleId);
      if (article === undefined || !article.isActive) return [];
      const { sku, name, description, unit } = article;
      const [barcode] = articles.listBarcodes(JSON.stringify([articleId]));
      const code = barcode?.code ?? null;
      return [{ name, sku, description, unit, location: place, barcode: code, on_hand: onHand, minimum }];
    });
}
