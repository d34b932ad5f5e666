/** Thresholds at which alerts are raised and a device needs care. 0: off. */
export type CareLimits = {
  /** Percent: change the battery at this charge or below. */
  alert_battery_percent: number;
  /** dBm: at this strength or below, one more shelf or a rainy day can take the device offline. */
  alert_weak_dbm: number;
};

/** Why a device needs care, most urgent first. */
export const CARES = ['silent', 'lowBattery', 'weakSignal'] as const;
export type Care = (typeof CARES)[number];

type Condition = { online: boolean; battery: number | null; rssi: number | null };

const WANTS: Record<Care, (device: Condition, limits: CareLimits) => boolean> = {
  silent: ({ online }) => !online,
  lowBattery: ({ battery }, { alert_battery_percent: limit }) => limit !== 0 && battery !== null && battery <= limit,
  // The last signal of an offline device says nothing about now.
  weakSignal: ({ online, rssi }, { alert_weak_dbm: limit }) => limit !== 0 && online && rssi !== null && rssi <= limit,
};

/** Whether a device needs this care, by its last report. */
export function wantsCare(device: Condition, care: Care, limits: CareLimits): boolean {
  return WANTS[care](device, limits);
}

/** The most urgent care that a device needs; undefined: none. */
export function firstCare(device: Condition, limits: CareLimits): Care | undefined {
  return CARES.find((care) => WANTS[care](device, limits));
}
