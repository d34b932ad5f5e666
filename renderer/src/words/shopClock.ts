import { isTimeZone } from '#shared/lib/text/locale.ts';
import { type ShopDays, shopDaysIn } from '#shared/lib/station/shopDay.ts';

let shopDays: ShopDays | undefined;

/**
 * Sets the time zone of the shop, an IANA name. Until then, and for a zone that this browser does not know, days are those of the browser.
 * The page has one shop, so the zone is kept here instead of being passed to each text.
 */
export function setShopZone(zone: string): void {
  if (zone !== shopDays?.zone) shopDays = shopDaysIn(isTimeZone(zone) ? zone : null);
}

/** Returns the calendar of the shop. The page shows days and times of day of the shop, not of the browser. */
export function shopClock(): ShopDays {
  shopDays ??= shopDaysIn(null);
  return shopDays;
}

/** Returns the name of the shop's time zone if this browser shows another time now; otherwise undefined. */
export function otherZone(): string | undefined {
  const now = Date.now();
  return shopClock().clockOf(now) === shopDaysIn(null).clockOf(now) ? undefined : shopClock().zone;
}

/** Whether two times, in epoch milliseconds, are on the same day in the shop. */
export function isSameDay(one: number, other: number): boolean {
  return shopClock().dayOf(one) === shopClock().dayOf(other);
}

/** Returns a time as the value of a datetime-local field, such as `2026-11-20T14:30`, or an empty text for an undefined time. */
export function fieldTime(at: number | undefined): string {
  if (at === undefined || Number.isNaN(at)) return '';
  return new Date(shopClock().clockOf(at)).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
}

/** Parses the value of a datetime-local field. Returns undefined if it is empty or unfinished. */
export function typedTime(value: string): number | undefined {
  const clock = Date.parse(`${value}Z`);
  return Number.isNaN(clock) ? undefined : shopClock().momentOf(clock);
}
