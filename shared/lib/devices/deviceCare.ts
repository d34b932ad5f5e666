/** Thresholds for alerts and for devices that need care. 0 disables a threshold. */
export type CareLimits = {
  /** Charge in percent at or below which the battery should be changed. */
  alert_battery_percent: number;
  /** Signal in dBm at or below which a device is at risk of going offline after a small change, such as a move to another shelf. */
  alert_weak_dbm: number;
};

/** Why a device needs care, most urgent first. */
export const CARES = ['silent', 'lowBattery', 'weakSignal'] as const;
export type Care = (typeof CARES)[number];

type Condition = { online: boolean; battery: number | null; rssi: number | null };

const WANTS: Record<Care, (device: Condition, limits: CareLimits) => boolean> = {
  silent: ({ online }) => !online,
  lowBattery: ({ battery }, { alert_battery_percent: limit }) => limit !== 0 && battery !== null && battery <= limit,
  // Ignore offline devices, whose last signal strength is outdated.
  weakSignal: ({ online, rssi }, { alert_weak_dbm: limit }) => limit !== 0 && online && rssi !== null && rssi <= limit,
};

/** Whether a device needs this kind of care, according to its last report. */
export function wantsCare(device: Condition, care: Care, limits: CareLimits): boolean {
  return WANTS[care](device, limits);
}

/** Returns the most urgent kind of care that a device needs, or undefined if it needs none. */
export function firstCare(device: Condition, limits: CareLimits): Care | undefined {
  return CARES.find((care) => WANTS[care](device, limits));
}
