/** Controls whether the system starts this program when the user logs in. On Linux and macOS, the system also starts it after a crash. */
export type LoginItem = { isOn(): boolean; set(isOn: boolean): void };
