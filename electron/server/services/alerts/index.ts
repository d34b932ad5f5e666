export { type Alerts, createAlerts } from './alerts.ts';
export { alertEntry, createAlertRecords } from './records.ts';
export { type RefusedCallers, createRefusedCallers } from './refusedCallers.ts';
export { type StationAlerts, createStationAlerts } from './stationAlerts.ts';
export { createTurboAlerts } from './turboAlerts.ts';
