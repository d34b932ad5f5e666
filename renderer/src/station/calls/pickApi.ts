import type { Confirm, Reopen, Short, Verify } from '#shared/api/order.ts';
import type { InputOf } from '#shared/api/routes.ts';
import { type ApiCall, done } from './call.ts';

/** Actions of pickers, except launches and acknowledgements. `key` identifies a confirmation that may be sent repeatedly. */
export function pickApi(call: ApiCall) {
  return {
    loadWork: (order: string, picker: string) => call('listWork', { query: { order, picker } }),
    /** The lines of a batch in walking order. */
    loadBatchWork: (batch: number) => call('listWork', { query: { batch } }),
    getNextOrder: () => call('getNextOrder'),
    listPickers: () => call('listPickers'),
    listShortReasons: () => call('listShortReasons'),
    getShortNumbers: () => call('getShortNumbers'),
    setOwnColor: (color: string) => call('setOwnColor', { body: { color } }),
    /** Sets or, with null, removes your own PIN for kiosks. */
    setOwnPin: (body: { pin: string | null; password: string }) => done(call('setOwnColor', { body })),
    scan: (scan: InputOf<'scan'>['body']) => call('scan', { body: scan }),
    /** `color`: default is the picker's color. */
    joinOrder: (order_number: string, picker: string, color?: string) =>
      call('joinOrder', { path: { order_number }, body: { picker, color } }),
    leaveOrder: (order_number: string) => done(call('leaveOrder', { path: { order_number }, body: {} })),
    pauseOrder: (order_number: string) => done(call('pauseOrder', { path: { order_number }, body: {} })),
    handOverOrder: (order_number: string, picker: string) =>
      done(call('handOverOrder', { path: { order_number }, body: { picker } })),
    closeItemShort: (order_number: string, id: number, short: Short) =>
      call('closeItemShort', { path: { order_number, id }, body: short }),
    /** Tells the station which line the page shows. Null: none. */
    setCurrentLine: (item_id: number | null) => done(call('setCurrentLine', { body: { item_id } })),
    /** Confirms a line without a light. */
    confirmItem: (order_number: string, id: number, confirm: Confirm) =>
      call('confirmItem', { path: { order_number, id }, body: confirm }),
    /** Relights one line whose light went out. */
    lightItem: (order_number: string, id: number) => call('lightItem', { path: { order_number, id } }),
    reopenItem: (order_number: string, id: number, reopen: Reopen) =>
      call('reopenItem', { path: { order_number, id }, body: reopen }),
    /** Completes a picked item without a scan of its article. */
    verifyItem: (order_number: string, id: number, verify: Verify) =>
      call('verifyItem', { path: { order_number, id }, body: verify }),
  };
}
