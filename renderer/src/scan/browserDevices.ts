/** The parts of Web Serial that the page uses. TypeScript's DOM types do not contain Web Serial. */
export type ScannerPort = {
  readonly readable: ReadableStream<Uint8Array> | null;
  open(options: { baudRate: number }): Promise<void>;
  close(): Promise<void>;
  getInfo(): { usbVendorId?: number; usbProductId?: number };
};

export type BrowserPorts = EventTarget & {
  /** Rejects with NotFoundError if the person chooses no port. */
  requestPort(): Promise<ScannerPort>;
  /** Returns the ports that a person has already allowed. */
  getPorts(): Promise<ScannerPort[]>;
};

/** The parts of WebHID that the page uses. */
export type ScannerDevice = EventTarget & {
  readonly opened: boolean;
  readonly productName: string;
  readonly vendorId: number;
  readonly collections: readonly { usagePage?: number; usage?: number }[];
  open(): Promise<void>;
  close(): Promise<void>;
  sendFeatureReport(id: number, bytes: BufferSource): Promise<void>;
};

export type HidDevices = EventTarget & {
  /** Resolves to an empty list if the person chooses no device. */
  requestDevice(options: { filters: { usagePage: number }[] }): Promise<ScannerDevice[]>;
  getDevices(): Promise<ScannerDevice[]>;
};
