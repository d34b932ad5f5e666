/** A file of the firmware; `path` with slashes, from the root of a board. */
export type FirmwareFile = { path: string; bytes: Uint8Array };

/** What a board with MicroPython said of itself. `platform`: its chip, such as `rp2` or `esp32`. */
export type BoardFacts = {
  platform: string;
  machine: string;
  deviceId: string;
  /** Of the turbo that it will be. */
  serialNumber: string;
  freeBytes: number;
};

/** The config.json of a board: resources/firmware/config.example.json. */
export type BoardConfig = { profile: string; transport: 'usb' | 'wifi'; name: string } & Partial<
  Record<'station' | 'user' | 'key' | 'ssid' | 'password' | 'ca' | 'ca_name', string>
>;

export type InstallStep = 'connecting' | 'checking' | 'writing' | 'verifying' | 'restarting';

export type InstallWatch = { step(step: InstallStep, progress: number): void; signal: AbortSignal };

export type BoardInstaller = {
  /**
   * Writes the firmware to the board at this port and restarts it. `prepare` gets the facts of the board and returns the files
   * to write, or rejects with a sentence. Rejects with a sentence; the earlier program of the board may then be lost.
   */
  install(
    path: string,
    prepare: (facts: BoardFacts) => Promise<{ files: readonly FirmwareFile[]; config: BoardConfig }>,
    watch: InstallWatch,
  ): Promise<BoardFacts>;
};

export type UpdateStep = 'connecting' | 'in_use' | 'writing' | 'restarting' | 'waiting';

export type UpdateWatch = { step(step: UpdateStep, progress: number): void; signal: AbortSignal };

/** Files of a version of the firmware with the name that boards of this version give it. */
export type Firmware = { version: string; files: readonly FirmwareFile[] };

export type BoardUpdater = {
  /**
   * Brings the firmware to the board of this serial number over its own connection, and waits until it says hello with it.
   * Rejects with a sentence; the board then runs what it ran before.
   */
  update(serialNumber: string, firmware: Firmware, watch: UpdateWatch): Promise<void>;
};
