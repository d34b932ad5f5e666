export type Button = 'front' | 'plus' | 'minus';

export type Hold = 'short' | 'long';

/** Identifies a report: a device counts its reports, and a reset of the counter begins a new epoch. */
export type ReportId = { deviceId: string; epoch: number; counter: number };

/** A button press. `quantity` is the device's quantity after the press, or null if the screen has no quantity. */
export type ButtonReport = ReportId & {
  token: number;
  button: Button;
  hold: Hold;
  /** Milliseconds between the press and now. */
  ageMs: number;
  /** Milliseconds since the previous press on the device in this epoch, as the device measured them; null if it did not. */
  sinceMs: number | null;
  quantity: number | null;
};

/** A report that a device ended what it showed because the time had run out. */
export type EndedReport = ReportId & { token: number; ageMs: number; quantity: number | null };

export type ShownReport = { deviceId: string; token: number; checksum: number; ageMs: number };
