export type Button = 'front' | 'plus' | 'minus';

export type Hold = 'short' | 'long';

/** Identifies a report: a device counts its reports, and a reset of the counter begins a new epoch. */
export type ReportId = { deviceId: string; epoch: number; counter: number };

/** A button press. `quantity`: the device's count after it, null without a quantity on the screen. */
export type ButtonReport = ReportId & {
  token: number;
  button: Button;
  hold: Hold;
  /** Milliseconds between the press and now. */
  ageMs: number;
  quantity: number | null;
};

/** The time of what the device showed ran out, and the device ended it. */
export type EndedReport = ReportId & { token: number; ageMs: number; quantity: number | null };

export type ShownReport = { deviceId: string; token: number; checksum: number; ageMs: number };
