import { framesOf, type FleetPageFigures, type Smoothness } from './fleetPage.ts';
import type { FleetFigures } from './fleetRun.ts';
import type { Goal } from './goals.ts';

const MAX_PAGE_MB = 300;
const MAX_FRAME_MS = 50;

const figure = (name: string, unit: string, ...values: number[]): Goal => ({ name, unit, values });
const none = (name: string, value: number): Goal => ({ name, unit: '', values: [value], atMost: 0 });

/** The worst of all rounds. */
const most = (name: string, unit: string, values: readonly number[], atMost?: number): Goal => ({
  name,
  unit,
  values: [Math.max(...values)],
  ...(atMost === undefined ? {} : { atMost }),
});

/** By the clock: without a graphics card other threads draw, on cores that the whole fleet shares. */
function frames(name: string, of: Smoothness): Goal[] {
  const { p99, longest } = framesOf(of);
  return [figure(`${name}, by the clock, p99`, 'ms', p99), figure(`${name}, by the clock, longest`, 'ms', longest)];
}

export function goalsOfFleet(figures: FleetFigures): Goal[] {
  const { perSecond, cores, memory, verdict, restart, delayMs, answer } = figures;
  return [
    figure('picks', '/s', figures.picksPerSecond),
    figure('a pick came late by at most', 'ms', figures.lateMs),
    figure('messages of the stations', '/s', figures.published),
    figure('packets to the broker', '/s', perSecond.packetsIn),
    figure('packets from the broker', '/s', perSecond.packetsOut),
    figure('to the broker', 'kB/s', perSecond.bytesIn / 1_000),
    figure('from the broker', 'kB/s', perSecond.bytesOut / 1_000),
    figure('retained messages', '', figures.retained),
    figure('saved by the broker when it stops', 'MB', figures.savedBytes / 1e6),
    figure('processor: mosquitto, of one core', '%', cores.mosquitto),
    figure('processor: the station that watches, of one core', '%', cores.watcher),
    figure('processor: the clients of the stations, of one core', '%', cores.clients),
    figure('memory: mosquitto', 'MB', memory.mosquitto / 1e6),
    figure('memory: the station that watches', 'MB', memory.watcher / 1e6),
    figure('press → receiver, median', 'ms', delayMs.p50),
    figure('press → receiver, p99', 'ms', delayMs.p99),
    figure('light → GET /api/fleet/', 'ms', ...figures.ageMs),
    figure('GET /api/fleet/', 'ms', ...answer.ms),
    figure('its body', 'kB', answer.bytes / 1_000),
    figure('the broker is away', 's', restart.brokerMs / 1_000),
    figure('meanwhile half of the stations are killed, which owe callbacks', '', restart.owed),
    figure('broker runs again → the other half is back, the killed half away', 's', restart.backMs / 1_000),
    figure('the killed half started again: until all are online', 's', restart.returnedMs / 1_000),
    none('messages that the broker dropped', figures.dropped),
    figure('callbacks', '', verdict.booked),
    none('callbacks lost', verdict.lost),
    none('picks with two ids', verdict.doubled),
    none('callbacks that nobody booked', verdict.invented),
    figure('callbacks received again with their id', '', figures.repeated),
    none('stations that are not shown as they are, at rest', figures.wrong),
    ...(figures.harsh === undefined
      ? []
      : [
          figure('the receiver, back after 20 s, takes', '/s', figures.harsh.catchUpPerSecond),
          figure('lost when mosquitto is killed, kill -9', '', figures.harsh.lost),
          figure('doubled when mosquitto is killed, kill -9', '', figures.harsh.doubled),
        ]),
  ];
}

export function goalsOfPage(page: FleetPageFigures, { restart }: FleetFigures): Goal[] {
  const smoothness = (what: 'update' | 'scroll' | 'search', words: string): Goal[] => [
    most(`page: longest task ${words}, its own time`, 'ms', page[what].taskMs.own, MAX_FRAME_MS),
    most('page: the same by the clock', 'ms', page[what].taskMs.wall),
    ...frames(`page: frames ${words}`, page[what]),
  ];
  return [
    most(
      'page: memory of its processes',
      'MB',
      page.memory.map((bytes) => bytes / 1e6),
      MAX_PAGE_MB,
    ),
    figure('page: objects of the script', 'MB', ...page.heap.map((bytes) => bytes / 1e6)),
    ...smoothness('update', 'while it updates'),
    ...smoothness('scroll', 'while it scrolls'),
    ...smoothness('search', 'while somebody searches'),
    ...frames('page: frames of scroll and search, nobody picks', page.rest),
    ...frames('an empty page: frames under the load', page.empty),
    figure('light → page', 'ms', ...page.ageMs),
    figure('broker runs again → page shows the killed half as away', 's', restart.awayMs / 1_000),
  ];
}
