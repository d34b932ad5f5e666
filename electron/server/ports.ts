/**
 * Interfaces for every effect that leaves the station. The composition root passes the real implementations (systemPorts.ts). Tests pass a
 * fake clock and keep everything else real.
 */
export type * from './ports/clock.ts';
export type * from './ports/ids.ts';
export type * from './ports/log.ts';
export type * from './ports/updater.ts';
export type * from './ports/httpClient.ts';
export type * from './ports/mailer.ts';
export type * from './ports/folders.ts';
export type * from './ports/shows.ts';
export type * from './ports/reports.ts';
export type * from './ports/turbos.ts';
export type * from './ports/traffic.ts';
export type * from './ports/admission.ts';
export type * from './ports/serialLinks.ts';
export type * from './ports/networkLinks.ts';
export type * from './ports/boards.ts';
export type * from './ports/keychain.ts';
export type * from './ports/serialPorts.ts';
export type * from './ports/multicast.ts';
export type * from './ports/simulator.ts';
export type * from './ports/sideProcess.ts';
export type * from './ports/copier.ts';
export type * from './ports/passwords.ts';
export type * from './ports/ranFolders.ts';
