/** From where on a device wants care. */
export type CareLimits = {
  /** Percent: from here down a battery is to be changed. */
  lowBatteryPercent: number;
  /** dBm: from here down one more shelf in between, or a rainy day, makes it silent. */
  weakSignalDbm: number;
};

export const CARE_LIMITS: CareLimits = { lowBatteryPercent: 15, weakSignalDbm: -85 };

/** Why a device wants care, the most urgent first. */
export const CARES = ['silent', 'lowBattery', 'weakSignal'] as const;
export type Care = (typeof CARES)[number];

type Condition = { online: boolean; battery: number | null; rssi: number | null };

const WANTS: Record<Care, (device: Condition, limits: CareLimits) => boolean> = {
  silent: ({ online }) => !online,
  lowBattery: ({ battery }, { lowBatteryPercent }) => battery !== null && battery <= lowBatteryPercent,
  // How strong it was heard before it fell silent says nothing of now.
  weakSignal: ({ online, rssi }, { weakSignalDbm }) => online && rssi !== null && rssi <= weakSignalDbm,
};

/** Whether a device, as last heard, wants this care. */
export function wantsCare(device: Condition, care: Care, limits = CARE_LIMITS): boolean {
  return WANTS[care](device, limits);
}

/** The most urgent care that a device wants; undefined: it is well. */
export function firstCare(device: Condition, limits = CARE_LIMITS): Care | undefined {
  return CARES.find((care) => WANTS[care](device, limits));
}
