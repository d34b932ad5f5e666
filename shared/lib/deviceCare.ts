/** From where on a device wants care: where alerts of it are raised. 0: it is never meant. */
export type CareLimits = {
  /** Percent: from here down a battery is to be changed. */
  alert_battery_percent: number;
  /** dBm: from here down one more shelf in between, or a rainy day, makes it silent. */
  alert_weak_dbm: number;
};

/** Why a device wants care, the most urgent first. */
export const CARES = ['silent', 'lowBattery', 'weakSignal'] as const;
export type Care = (typeof CARES)[number];

type Condition = { online: boolean; battery: number | null; rssi: number | null };

const WANTS: Record<Care, (device: Condition, limits: CareLimits) => boolean> = {
  silent: ({ online }) => !online,
  lowBattery: ({ battery }, { alert_battery_percent: limit }) => limit !== 0 && battery !== null && battery <= limit,
  // How strong it was heard before it fell silent says nothing of now.
  weakSignal: ({ online, rssi }, { alert_weak_dbm: limit }) => limit !== 0 && online && rssi !== null && rssi <= limit,
};

/** Whether a device, as last heard, wants this care. */
export function wantsCare(device: Condition, care: Care, limits: CareLimits): boolean {
  return WANTS[care](device, limits);
}

/** The most urgent care that a device wants; undefined: it is well. */
export function firstCare(device: Condition, limits: CareLimits): Care | undefined {
  return CARES.find((care) => WANTS[care](device, limits));
}
