/** A firmware file. `path` starts at the root of a board and contains slashes. */
export type FirmwareFile = { path: string; bytes: Uint8Array };

/** What a MicroPython board reports about itself. `platform` is its chip, such as `rp2` or `esp32`. */
export type BoardFacts = {
  platform: string;
  machine: string;
  deviceId: string;
  /** Serial number of the turbo that the board will become. */
  serialNumber: string;
  freeBytes: number;
};

/** The config.json of a board. Example: resources/firmware/config.example.json. */
export type BoardConfig = { profile: string; transport: 'usb' | 'wifi'; name: string } & Partial<
  Record<'station' | 'user' | 'key' | 'ssid' | 'password' | 'ca' | 'ca_name', string>
>;

export type InstallStep = 'connecting' | 'checking' | 'writing' | 'verifying' | 'restarting';

export type InstallWatch = { step(step: InstallStep, progress: number): void; signal: AbortSignal };

export type BoardInstaller = {
  /**
   * Writes the firmware to the board at this port and restarts the board. `prepare` gets the facts about the board and returns the files to
   * write. Both `prepare` and this call reject with an Error whose message is for the user; if this call rejects, the board may have lost
   * its previous program.
   */
  install(
    path: string,
    prepare: (facts: BoardFacts) => Promise<{ files: readonly FirmwareFile[]; config: BoardConfig }>,
    watch: InstallWatch,
  ): Promise<BoardFacts>;
};

export type UpdateStep = 'connecting' | 'in_use' | 'writing' | 'restarting' | 'waiting';

export type UpdateWatch = { step(step: UpdateStep, progress: number): void; signal: AbortSignal };

/** The files of a firmware version. `version` is what boards with this firmware report. */
export type Firmware = { version: string; files: readonly FirmwareFile[] };

export type BoardUpdater = {
  /**
   * Sends the firmware to the board over its own connection, and waits for a hello from the new version. If this rejects, with an Error
   * whose message is for the user, the board still runs its previous firmware.
   */
  update(serialNumber: string, firmware: Firmware, watch: UpdateWatch): Promise<void>;
};
