import { countText } from '#shared/lib/text/locale.ts';
import type { DeviceIs } from '#shared/lib/devices/deviceIs.ts';
import { plural } from './plural.ts';

export const locations = {
  alias: {
    addTitle: 'Add another place',
    lead: 'A device can also light for places nearby that have no device. It then shows the place’s name and an arrow.',
    editTitle: (name: string) => `Edit ${name}`,
    name: 'Place',
    nameHint: 'The location in requests',
    device: 'Device',
    devicePlaceholder: 'Label, place or DeviceID',
    deviceIs: 'Where is the device relative to the place?',
    place: 'the place',
    preview: 'What the device will show',
    sample: 'Your text',
    says: (deviceIs: DeviceIs, arrow: string) =>
      `The device is ${phrase(deviceIs)} the place, so its arrow points to the ${arrow}.`,
    save: 'Save',
    saving: 'Saving…',
    noDevice: 'Choose a device.',
    unknownDevice: (typed: string) => `No device is called “${typed}”. Choose one from the list.`,
    noName: 'Enter a place.',
    failed: 'The place was not saved.',
    isLabel: (name: string, deviceid: string) =>
      `“${name}” is also the label of ${deviceid}. Requests for it will go to the device chosen here.`,
    added: (name: string) => `Place ${name} added.`,
    changed: (name: string) => `Place ${name} changed.`,
    moves: (many: number) =>
      `${plural(many, 'open command moves', 'open commands move')} to the end of the new device’s queue.`,
  },
  meaning: {
    label: (before: string) => `What happens to ${before}?`,
    move: 'Move the device',
    moveHelp: (before: string) => `The device hangs elsewhere. The articles and their stock stay at ${before}.`,
    rename: 'Rename the place',
    renameHelp: (before: string, label: string) =>
      `The place ${before} is called ${label} now, with its articles, stock and open lines.`,
    none: 'Choose whether you move the device or rename the place.',
  },
  rename: {
    title: 'Rename the place',
    titleOf: (name: string) => `Rename the place ${name}`,
    lead: 'Its articles, stock, tasks, open lines and lights get the new name too. If a device already has the new name, but no articles are there, the device lights this place from now on.',
    from: 'Place',
    to: 'New name',
    save: 'Rename the place',
    saving: 'Renaming…',
    failed: 'The place was not renamed.',
    noFrom: 'Enter the place.',
    noTo: 'Enter the new name.',
    done: (from: string, to: string) => `${from} is called ${to} now.`,
    instead: 'Rename instead',
  },
  label: {
    title: (deviceid: string) => `Label of ${deviceid}`,
    moveTitle: (before: string) => `Move the device at ${before}`,
    moveLead: (before: string) =>
      `Enter the place where the device hangs now. The articles of ${before} and their stock stay there.`,
    name: 'Place of the device',
    nameHint: 'Shown in the corner of its screen',
    preview: 'What it shows',
    save: 'Save',
    saving: 'Saving…',
    failed: 'The label was not saved.',
    changed: (name: string) => (name === '' ? 'Label cleared.' : `Label ${name} saved.`),
  },
  importing: {
    title: 'Import places',
    back: 'Back to the places',
    lead: 'The file lists which device is at which place: one row per device, with its DeviceID and its place. A device can also light for other places (aliases): one row per alias, with its name, the device and the direction to the device. A row without a device is a place that waits for one. A column with articles (SKU) gives them the place. Columns for rack, shelf and column put the device on the map. Columns can be in any order and have other names. CSV and Excel (.xlsx).',
    example: 'Other places that a device lights for',
    exampleLabels: 'Places of devices',
    fields: {
      name: 'Place',
      deviceid: 'Device',
      deviceIs: 'Direction (above, below, …)',
      label: 'Label of the device',
      note: 'Note',
      article: 'Article',
      rack: 'Rack',
      shelf: 'Shelf',
      column: 'Column',
    },
    loses: (place: string) => `${place} has articles and would lose its light. Answer the question above.`,
    sheet: 'Which sheet has the places?',
    running: (rows: number) => `Importing ${plural(rows, 'place', 'places')}…`,
    outcomes: {
      all: 'All',
      new: 'New',
      changed: 'Changed',
      known: 'Unchanged',
      held: 'Held back',
      refused: 'Invalid',
      conflict: 'Conflict',
      left_out: 'Left out',
    },
    columns: {
      name: 'Place',
      device: 'Device',
      deviceIs: 'Where the device is',
      label: 'Label',
      note: 'Note',
      article: 'Article',
      rack: 'Rack',
      shelf: 'Shelf',
      column: 'Column',
    },
    submit: (many: number) => `Import ${plural(many, 'place', 'places')}`,
    added: (rows: number) => `${plural(rows, 'place is', 'places are')} new.`,
    changes: (rows: number) => `${plural(rows, 'row changes', 'rows change')} a place or a label.`,
    nothingNew: 'The file changes nothing.',
    done: (rows: number, when: string, by: string) =>
      `Imported ${plural(rows, 'row', 'rows')} ${/^\d\d:\d\d$/.test(when) ? 'at' : 'on'} ${when} by ${by}.`,
    doneParts: (news: number, changed: number, refused: number) =>
      [
        `${countText(news)} new, ${countText(changed)} changed.`,
        refused === 0 ? '' : `${plural(refused, 'row was', 'rows were')} left out.`,
      ]
        .join(' ')
        .trim(),
    undoLast: 'Undo the last import',
    kind: 'locations',
    things: (many: number) => plural(many, 'row', 'rows'),
    undone: (many: number, kept: number) =>
      `Undone: ${plural(many, 'row', 'rows')}.${kept === 0 ? '' : ` ${plural(kept, 'row', 'rows')} kept.`}`,
    keptTitle: 'Not undone, or only partly',
  },
  printing: {
    title: 'Print labels',
    back: 'Back to the places',
    note: (labels: number, sheets: number | undefined) =>
      sheets === undefined
        ? plural(labels, 'label', 'labels')
        : `${plural(labels, 'label', 'labels')} on ${plural(sheets, 'sheet', 'sheets')}`,
    go: 'Print',
    printed: (labels: number) => `${plural(labels, 'label was', 'labels were')} sent to the printer.`,
    columns: 'Labels per row',
    columnChoices: { 2: '2', 3: '3' },
    paper: 'Paper',
    papers: { a4: 'A4', letter: 'Letter', roll102: '102 × 51 mm', roll89: '89 × 36 mm', roll62: '62 × 29 mm' },
    template: 'Labels for',
    templates: { place: 'places', both: 'articles at their places', article: 'articles', slot: 'slots' },
    code: 'Code of',
    codes: { place: 'the place', device: 'the device', article: 'the article', slot: 'the slot', none: 'nothing' },
    sheet: (number: number) => `Sheet ${number}`,
    barcode: 'Barcode',
    qrcode: 'QR code',
    problem: 'No code: the text has more than 53 characters.',
    square: (many: number) =>
      `${plural(many, 'label has', 'labels have')} a QR code because the text is too long for a barcode.`,
    squareLetters: (many: number) =>
      `${plural(many, 'label has', 'labels have')} a QR code because a barcode cannot contain letters such as ä or é.`,
    without: (many: number) => `${plural(many, 'label has', 'labels have')} no code. The label says why.`,
    tooMany: (most: number) => `Only the first ${countText(most)} are shown. Select fewer, or search first.`,
    noSlots: 'The slots could not be loaded',
    nothing: {
      place: { title: 'No labels to print', body: 'Create a label or an alias first.' },
      both: { title: 'No labels to print', body: 'No article is at these places. Add places to articles first.' },
      article: { title: 'No labels to print', body: 'Add an article first, or search for another one.' },
      slot: { title: 'No labels to print', body: 'This cart or wall has no slots.' },
    },
  },
} as const;

/** Describes the device's position relative to its place, for use inside a sentence. */
function phrase(deviceIs: DeviceIs): string {
  return deviceIs.charAt(0).toLowerCase() + deviceIs.slice(1);
}
