export { type Audit, type By, STATION, createAudit } from './audit.ts';
export { type AuditTally, createAuditTally } from './auditTally.ts';
export { type Bus, createBus } from './bus.ts';
export { callerIdOf, personOf } from './callerIds.ts';
export { type ClockWatch, createClockWatch } from './clockWatch.ts';
export { contentText, fieldsInOrder, isEmptyContent } from './contentText.ts';
export { commandEntry, deviceEntry, deviceSettings, isoOrNull } from './deviceEntry.ts';
export { type KnownNames, createKnownNames } from './knownNames.ts';
export { createLoopWatch } from './loopWatch.ts';
export { createLogMemory } from './logMemory.ts';
export { jsonWithoutSecrets } from '../../domain/station/hiddenSecrets.ts';
export { actOnce, statusOfAct } from './keyedActs.ts';
export { pictureVersion } from './pictureVersion.ts';
export { type KeyedAnswer, type KeyedRequests, createKeyedRequests, KEYS_REMEMBERED_MS } from './keyedRequests.ts';
export { checkedKey, invalidKey, keyInBody } from './keyText.ts';
export {
  actedAt,
  bookedAt,
  refuseMoved,
  refuseOtherArticle,
  refuseOtherLine,
  refuseOutdated,
  type Waited,
} from './outdated.ts';
export {
  BODY_LIMIT,
  type KeptBody,
  type KeptRequest,
  type RequestLog,
  createRequestLog,
  HIDDEN,
  hiddenFor,
  isForm,
} from './requestLog.ts';
export { createSecretTags } from './secretTags.ts';
export { type StationMark, createStationMark } from './stationMark.ts';
export { type RunningClock, createRunningClock } from './runningTime.ts';
export {
  createTwinFinder,
  findCodeAlike,
  lineWarning,
  lookAlikeWarnings,
  refuseCommand,
  refuseReserved,
} from './lookAlikes.ts';
export { memoized } from './memoized.ts';
