export { type Devices, createDevices } from './devices.ts';
export { type Display, createDisplay, darkWarnings } from './display.ts';
export { IDENTIFY_TARGET, type OperatorActions, createOperatorActions } from './operatorActions.ts';
export { type Previews, createPreviews } from './previews.ts';
export { type Refusals, createRefusals } from './refusals.ts';
export { createRegistrations } from './registrations.ts';
export {
  type Asked,
  type BulkElement,
  type RequestDefaults,
  type Requests,
  createRequests,
  refuseFaults,
  understand,
} from './requests.ts';
export { BLANK_DEVICE } from './statics.ts';
export { type Telemetry, batteryPercent, createTelemetry } from './telemetry.ts';
