/** Whether the system starts this program when this person signs in, and on Linux and macOS again after a crash. */
export type LoginItem = { isOn(): boolean; set(isOn: boolean): void };
