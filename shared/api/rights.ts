import type { ApiUserScope, Role, Scope } from './access.ts';

/** The scope of a wall screen, which reads only what its board shows. */
export const BOARD = 'board';

/** The role of a person, the scope of a program's key, or the scope of a wall screen. */
export type Standing = Role | ApiUserScope | typeof BOARD;

/** Standing of a caller. A key with the scope `turbo` gives no access to the API. */
export const CALLER_STANDINGS = ['picker', 'read', 'control', 'admin'] as const;
export type CallerStanding = (typeof CALLER_STANDINGS)[number];

/** Rights that the setting `picker_rights` can give to every picker. */
export const PICKER_RIGHTS = ['create_orders', 'import_orders', 'edit_labels', 'send', 'count'] as const;
export type PickerRight = (typeof PICKER_RIGHTS)[number];

/** Circumstances that determine rights, in addition to the caller. */
export type Circumstances = {
  /** The value of the setting `picker_rights`. */
  pickerRights: readonly PickerRight[];
  /** Whether the station was started for a trial: with `--simulate` or the demo shop. May be an expensive getter. */
  readonly isTrial: boolean;
};

type Row = {
  /** Phrase that completes "is allowed to ...". */
  does: string;
  /** Standings that always have the right. */
  holders: readonly (CallerStanding | typeof BOARD)[];
  /** Standings that also have the right on a trial station. */
  onTrial?: readonly (CallerStanding | typeof BOARD)[];
};

const WORKERS = ['picker', 'control', 'admin'] as const;
const CONTROL = ['control', 'admin'] as const;
const ADMIN = ['admin'] as const;

/** The only table of rights and their holders. Every endpoint refers to it. See the contract, section 15, and docs/decisions/0003. */
export const RIGHTS = {
  read: { does: "read devices, places, work and history, and change one's own password", holders: CALLER_STANDINGS },
  see_board: { does: 'read the wall board', holders: [BOARD] },
  // Also covers locating, shorts, reopening, scans, taking an order, and batches of existing orders.
  work: {
    does: 'acknowledge, adjust, identify and locate, and launch and abort orders and sequences',
    holders: WORKERS,
  },
  send: { does: 'send commands to devices and remove them', holders: CONTROL },
  edit_labels: { does: 'change labels, statics and location aliases', holders: CONTROL },
  edit_sequences: { does: 'create, change and delete sequences', holders: CONTROL },
  create_orders: { does: 'create orders', holders: CONTROL },
  import_orders: { does: 'import order files and undo imports', holders: CONTROL },
  edit_orders: { does: 'correct and delete orders', holders: CONTROL },
  edit_stock: { does: 'change articles and post movements of stock', holders: CONTROL },
  count: { does: 'count places without being asked', holders: CONTROL },
  handle_alerts: { does: 'acknowledge and resolve alerts', holders: CONTROL },
  simulate: { does: 'add, press and change simulated devices', holders: ADMIN, onTrial: WORKERS },
  edit_map: { does: 'change the map, carts and walls', holders: ADMIN },
  import_locations: { does: 'import location files and undo imports', holders: ADMIN },
  manage_devices: { does: 'register, refuse, replace and remove devices', holders: ADMIN },
  // Also covers boards.
  manage_turbos: { does: 'connect, name and remove turbos, and read their frames', holders: ADMIN },
  manage_callbacks: { does: 'read, test and replay callbacks, and manage their receivers', holders: ADMIN },
  manage_people: { does: 'manage people', holders: ADMIN },
  manage_keys: { does: 'manage keys', holders: ADMIN },
  manage_backups: { does: 'manage backups', holders: ADMIN },
  change_settings: { does: 'read and change settings', holders: ADMIN },
  see_activity: { does: 'read the activity', holders: ADMIN },
  diagnose: { does: 'read the log of requests and the diagnostics', holders: ADMIN },
  set_up: { does: 'set up the station', holders: ADMIN },
} as const satisfies Record<string, Row>;

export type Right = keyof typeof RIGHTS;
export const RIGHT_NAMES = Object.keys(RIGHTS) as [Right, ...Right[]];

/** Whether a standing has a right. A pure function, which all decisions about rights use. */
export function hasRight(right: Right, standing: Standing, circumstances: Circumstances): boolean {
  if (standing === 'turbo') return false;
  const { holders, onTrial = [] }: Row = RIGHTS[right];
  if (holders.includes(standing)) return true;
  if (onTrial.includes(standing) && circumstances.isTrial) return true;
  return standing === 'picker' && circumstances.pickerRights.some((given) => given === right);
}

/** Returns all rights of a standing, in table order. */
export function rightsOf(standing: Standing, circumstances: Circumstances): Right[] {
  return RIGHT_NAMES.filter((right) => hasRight(right, standing, circumstances));
}

/** Whether the setting `picker_rights` can give the right. */
export function isPickerRight(right: Right): right is PickerRight {
  return PICKER_RIGHTS.some((each) => each === right);
}

const SCOPES = ['read', 'control', 'admin'] as const satisfies readonly Scope[];

/** Returns the lowest scope of a key that has the right. */
export function scopeFor(right: Right, isTrial: boolean): Scope {
  const { holders, onTrial = [] }: Row = RIGHTS[right];
  return SCOPES.find((scope) => holders.includes(scope) || (isTrial && onTrial.includes(scope))) ?? 'admin';
}

/** Returns a sentence for the API document about the rights that an endpoint needs and who has them. */
export function neededWords(rights: readonly Right[]): string {
  const named = rights.map((right) => `\`${right}\``).join(' or ');
  const [first] = rights;
  if (first === undefined) return '';
  const { holders, onTrial = [] }: Row = RIGHTS[first];
  const always = `Needs the right ${named}: ${holders.map((each) => `\`${each}\``).join(', ')}`;
  const more = [
    ...(rights.some(isPickerRight) ? ['`picker` where the setting `picker_rights` gives it'] : []),
    ...(onTrial.length > 0 ? ['every worker on a trial station'] : []),
  ];
  return `${[always, ...more].join('; ')}.`;
}

/** Returns sentences for the page about why a person lacks a right and who can give it. */
export function deniedWords(right: Right, standing: Standing): string {
  const byAdmin = standing === 'picker' && isPickerRight(right) ? ', or to give this right to all pickers' : '';
  return `Your role ${standing} does not allow you to ${RIGHTS[right].does}. Ask an admin for the role ${scopeFor(right, false)}${byAdmin}.`;
}

/** Returns sentences for a refused caller about the missing right and who can give it. */
export function missingWords(right: Right, { name, scope }: { name: string; scope: Standing }): string {
  const needed = scopeFor(right, false);
  const { onTrial }: Row = RIGHTS[right];
  const missing = `${name} is ${scope} and is not allowed to ${RIGHTS[right].does}.`;
  const ofPrograms = `A program needs a key from an admin with the scope ${needed}, for the right \`${right}\`.`;
  if (scope === 'read' || scope === 'turbo' || scope === BOARD) return `${missing} ${ofPrograms}`;
  const roles = needed === 'read' ? 'picker' : needed;
  const role = `Ask an admin for the role ${roles}. ${ofPrograms}`;
  const setting =
    scope === 'picker' && isPickerRight(right)
      ? ' An admin can also give this right to all pickers. The setting is `picker_rights`.'
      : '';
  const trial = onTrial === undefined ? '' : ' A station that was started with --simulate gives it to every worker.';
  return `${missing} ${role}${setting}${trial}`;
}
