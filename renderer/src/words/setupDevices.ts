import { countText } from '#shared/lib/text/locale.ts';
import type { PatternProblem } from '#shared/lib/places/placePattern.ts';
import { plural } from './plural.ts';

const placesOf = (many: number) => `${countText(many)} ${many === 1 ? 'place' : 'places'}`;
const SHOWN = 3;

/** Texts for the page that assigns places to devices. Only that page loads them. */
export const setupDevices = {
  title: 'Set up devices',
  note: (done: number, left: number) =>
    left === 0 ? `${countText(done)} set up` : `${countText(done)} set up · ${countText(left)} without a place`,
  stop: 'Stop',
  /** Results of actions, including failures. */
  done: (place: string, deviceid: string) => `${deviceid} is now ${place}.`,
  undone: (place: string, deviceid: string) => `Undone: ${deviceid} is no longer ${place}.`,
  left: (name: string) => `${name} is unchanged.`,
  gone: (deviceid: string) => `${deviceid} has since been removed from the station. Press another device.`,
  goneBack: (deviceid: string) => `${deviceid} has since been removed from the station: there is nothing to undo.`,
  setElsewhere: (deviceid: string, label: string) => `${deviceid} got the label ${label} in another window.`,
  changedSince: (deviceid: string, label: string) =>
    `${deviceid} has changed since${label === '' ? '' : ` and is now ${label}`}. It was not undone.`,
  notWritten: (deviceid: string) => `The place of ${deviceid} was not saved.`,
  notUndone: (place: string) => `${place} could not be undone.`,
  notFlashing: (deviceid: string) => `${deviceid} did not flash.`,
  notAccepted: (deviceid: string) => `${deviceid} is not accepted yet. Ask an admin to accept it on the Places page.`,
  labelKept: (other: string, place: string) => `${other} also still has the label ${place}:`,
  notPlaced: (place: string) => `The label ${place} is set, but its place on the map is not:`,
  notRestored: (other: string, label: string) => `The label ${label} of ${other} was not restored:`,
  mapNotRestored: (deviceid: string) => `The label of ${deviceid} is restored, but its place on the map is not:`,
  wasWork: (name: string, work: string) =>
    `That press counted for ${work} at ${name}. Press again to set up the device.`,
  ofOrder: (order: string) => `order ${order}`,
  ofSequence: (id: string) => `sequence ${id}`,
  ofCommand: (line: string) => (line === '' ? 'the lit work' : `the lit work “${line}”`),
  pressFirst: 'Press a device first. Then scan or type its place.',
  unknownScan: (code: string) => `No device is called ${code}. Press a device first, then scan its place.`,
  notUsed: (code: string) => `${code} was not used.`,
  noPlace: 'Enter a place or a pattern of places.',
  isDevice: (deviceid: string) => `${deviceid} is another device. Scan or type a place.`,
  isAlias: (name: string, deviceid: string) =>
    `${name} is already an alias for ${deviceid}. Choose another place, or remove the alias on the Places page.`,
  double: (place: string, deviceids: readonly string[]) =>
    `${place} is the label of ${deviceids.join(' and ')}. Set up one of them again.`,
  away: 'The station does not answer. Nothing is lost: continue when it answers again.',
  idle: {
    title: 'Press any device',
    again: 'Press the next device',
    body: 'It flashes and appears here. You can also scan its DeviceID.',
    choose: 'Choose from the list',
  },
  device: {
    region: 'Device',
    isNew: 'A new device. Giving it a place accepts it.',
    label: 'Label',
    noLabel: 'none yet',
    place: 'On the map',
    noPlace: 'not yet',
    offline: 'Offline: it shows its new label when it is online again.',
    lit: 'Lit for work, so it does not flash.',
  },
  place: {
    form: 'Its place',
    field: 'Another place',
    hint: 'Scan or type it',
    take: (place: string) => `Take ${place}`,
    keep: (label: string) => `Keep ${label}`,
    change: (place: string) => `Change to ${place}`,
    none: 'Scan or type a place',
    enter: 'Enter',
    replaces: (label: string) => `The new label replaces ${label}.`,
    saving: 'Saving…',
    back: 'Back',
    backHint: (place: string) => `Undo ${place}`,
    skip: 'Skip',
    skipHint: 'No change',
  },
  queue: (names: readonly string[], more: number) =>
    `Waiting: ${names.join(', ')}${more === 0 ? '' : ` and ${countText(more)} more`}`,
  question: {
    title: (place: string) => `${place} is taken`,
    label: (deviceids: readonly string[], place: string) =>
      `${deviceids.join(' and ')} ${deviceids.length === 1 ? 'has' : 'have'} the label ${place} and will lose it.`,
    cell: (name: string, place: string) => `On the map, ${name} is at ${place} and will be removed from there.`,
    stay: (before: string) => `The articles of ${before} and their stock stay there.`,
    from: (before: string, place: string) => `From ${before} to ${place}`,
    choose: 'Choose one of the two',
    scan: 'With a scanner: scan this place again to move it, or scan another place.',
    move: (place: string) => `Move ${place} here`,
    other: 'Choose another place',
  },
  pattern: {
    title: 'Pattern of places',
    field: 'Pattern',
    placeholder: 'A-{1..4}-{1..10}',
    help: 'A-{1..4}-{1..10}, {a..f} or {01..12}. The page suggests the next free place.',
    helpOnMap:
      'Leave this empty to fill your racks in order. Or enter other places: A-{1..4}-{1..10}, {a..f} or {01..12}.',
    preview: (places: readonly string[]) =>
      places.length <= SHOWN + 1
        ? `${placesOf(places.length)}: ${places.join(', ')}`
        : `${placesOf(places.length)}: ${places.slice(0, SHOWN).join(', ')}, … ${places.at(-1) ?? ''}`,
    taken: (taken: number, all: number) =>
      taken === all
        ? 'All of them are taken. Enter another pattern, or scan or type a place.'
        : `${placesOf(taken)} ${taken === 1 ? 'is' : 'are'} already taken and will be skipped.`,
    makeRacks: 'Add racks for these places',
    makingRacks: 'Adding racks…',
    racksHint: 'Some of them have no shelf on the map.',
    racksMade: 'Every place now has a shelf on the map.',
    racksFailed: 'No racks were added.',
    problem: (problem: PatternProblem): string =>
      PROBLEMS[problem.kind](problem.part, 'count' in problem ? problem.count : 0),
  },
  list: {
    title: 'Choose a device',
    search: 'Find a device or label',
    none: 'No device matches.',
    more: (many: number) => `${countText(many)} more. Type part of the DeviceID or label.`,
    noLabel: 'no label',
    isNew: 'new, not accepted yet',
  },
  summary: {
    title: (done: number) => (done === 0 ? 'No device was set up' : `${plural(done, 'device', 'devices')} set up`),
    figures: (seconds: number) => `${seconds} s per device`,
    none: 'Press a device to set it up, or come back later.',
    print: 'Print the labels',
    go: 'Continue',
    finish: 'Finish',
    list: 'Devices that were set up',
    took: (seconds: number) => `${seconds} s`,
    was: (label: string) => `was ${label}`,
    back: 'Set up devices',
  },
} as const;

const PROBLEMS: Record<PatternProblem['kind'], (part: string, count: number) => string> = {
  empty: () => '',
  unclosed: (part) => `“${part}” has no closing brace. Write a range such as {1..4}.`,
  unopened: (part) => `“${part}” has a closing brace without an opening one. Write a range such as {1..4}.`,
  noRange: (part) => `“${part}” is not a range. Put two dots between its ends, such as {1..4}.`,
  noStart: (part) => `“${part}” has no start. Write a range such as {1..4}.`,
  noEnd: (part) => `“${part}” has no end. Write a range such as {1..4}.`,
  mixed: (part) => `“${part}” needs two numbers, two lowercase or two uppercase letters, such as {1..4} or {a..f}.`,
  tooLong: (part) => `“${part}” has a number that is too long.`,
  tooMany: (part, many) => `“${part}” gives ${placesOf(many)}, but a station has at most 50,000 devices.`,
  double: (part) => `The pattern gives ${part} twice.  Put a separator between the ranges, such as {1..4}-{1..10}.`,
};
