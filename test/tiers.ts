import { basename } from 'node:path';

/**
 * Tiers of test files. Each file belongs to one tier, which determines the command that runs it: `core` is `npm test`, `core` and `rest`
 * together are `npm run test:all`, and every other tier is a section of `.ci/run`, because it needs more than npm.
 */
export const TIERS = ['core', 'rest', 'shells', 'browser', 'desktop', 'brokers', 'erp'] as const;
export type Tier = (typeof TIERS)[number];

/** Ways in which Vitest runs a file of the first two tiers (see vitest.config.ts). */
export const KINDS = ['pure', 'whole', 'pages', 'alone', 'programs'] as const;
export type TestKind = (typeof KINDS)[number];

/** Names of files in test/integration that belong to the first tier: the most important tests of each noun, over HTTP. */
export const CORE: Readonly<Record<string, readonly [string] | readonly [string, string]>> = {
  access: ['httpScopes', 'httpSession'],
  alerts: ['alertsDevices'],
  aliases: ['aliasesRequests'],
  backups: ['backupSchedule'],
  bodies: ['httpBodies'],
  callbacks: ['callbackPayloads'],
  commands: ['mainLoop', 'operatorActions'],
  devices: ['httpDevices'],
  events: ['eventsStream'],
  find: ['find'],
  folders: ['foldersOutbox'],
  history: ['historyList'],
  labels: ['httpLabels'],
  locations: ['locationImport'],
  map: ['mapPlaces'],
  orders: ['ordersRequests', 'ordersPicked'],
  picking: ['pickingScan'],
  problems: ['httpPaths', 'refusedCallers'],
  sequences: ['sequencesRun'],
  settings: ['httpSettings'],
  setup: ['setupDemoShop'],
  simulator: ['httpSimulator'],
  statics: ['staticsLines'],
  turbos: ['turboTraffic'],
  users: ['httpUsers', 'httpSignIn'],
};

/** Files in other folders that belong to the second tier, because they take long or cover a detail. */
export const LATER: readonly string[] = [
  'test/contract/openapiValid.test.ts',
  'test/renderer/connections/callbacksMqtt.test.tsx',
  'test/renderer/connections/connectController.test.tsx',
  'test/renderer/station/devicePanelComposer.test.tsx',
  'test/renderer/station/devicePanelEditors.test.tsx',
  'test/renderer/station/devicePanelForm.test.tsx',
  'test/renderer/station/devicePanelHistory.test.tsx',
  'test/renderer/station/devicePanelSound.test.tsx',
  'test/renderer/places/placesBulk.test.tsx',
  'test/renderer/places/placesNew.test.tsx',
  'test/renderer/places/placesImport.test.tsx',
  'test/renderer/places/labels.test.tsx',
  'test/renderer/places/placesNames.test.tsx',
  'test/renderer/orders/ordersImport.test.tsx',
  'test/renderer/live/queriesConcerned.test.tsx',
  'test/renderer/screen/screenDrawing.test.tsx',
  'test/renderer/screen/screenSigns.test.tsx',
  'test/renderer/settings/settingsAccount.test.tsx',
  'test/renderer/settings/settingsConnections.test.tsx',
  'test/renderer/settings/settingsMqtt.test.tsx',
  'test/renderer/settings/settingsNetwork.test.tsx',
  'test/renderer/settings/settingsPage.test.tsx',
  'test/renderer/settings/settingsSecrets.test.tsx',
  'test/renderer/settings/settingsUpdates.test.tsx',
  'test/renderer/places/setupDevicesPattern.test.tsx',
  'test/renderer/sound/soundWindow.test.tsx',
  'test/renderer/station/stationChoose.test.tsx',
  'test/renderer/station/stationMany.test.tsx',
  'test/renderer/station/stationMapEditing.test.tsx',
  'test/renderer/station/stationZones.test.tsx',
  'test/renderer/station/tour.test.tsx',
  'test/renderer/people/usersActivity.test.tsx',
  'test/renderer/people/usersPrograms.test.tsx',
  'test/unit/repository/ciRun.test.ts',
  'test/unit/firmware/firmwareBoards.test.ts',
  'test/unit/firmware/firmwareClock.test.ts',
  'test/unit/firmware/firmwareDevice.test.ts',
  'test/unit/firmware/firmwareFaults.test.ts',
  'test/unit/firmware/firmwareLatency.test.ts',
  'test/unit/firmware/firmwareMemory.test.ts',
  'test/unit/firmware/firmwarePanels.test.ts',
  'test/unit/firmware/firmwarePresses.test.ts',
  'test/unit/firmware/firmwareProof.test.ts',
  'test/unit/firmware/firmwareProtocol.test.ts',
  'test/unit/firmware/firmwareScreen.test.ts',
  'test/unit/firmware/firmwareSignedUpdate.test.ts',
  'test/unit/firmware/firmwareStart.test.ts',
  'test/unit/firmware/firmwareUpdate.test.ts',
  'test/unit/callbacks/fleetPicture.test.ts',
  'test/unit/screen/gallery.test.ts',
  'test/unit/files/jsonScan.test.ts',
  'test/unit/desktop/loginItem.test.ts',
  'test/unit/repository/loadsPreload.test.ts',
  'test/unit/repository/notices.test.ts',
  'test/unit/repository/readersLinear.test.ts',
  'test/unit/repository/regexLinear.test.ts',
  'test/unit/screen/screenCodes.test.ts',
  'test/unit/screen/screenCodesLayouts.test.ts',
  'test/unit/screen/screenIcons.test.ts',
  'test/unit/screen/screenLayoutEvery.test.ts',
  'test/unit/screen/screenRaster.test.ts',
  'test/unit/screen/screenSizes.test.ts',
  'test/unit/desktop/serviceFiles.test.ts',
  'test/unit/station/sideProcesses.test.ts',
  'test/unit/requests/soundSamples.test.ts',
  'test/unit/files/tablesCsv.test.ts',
  'test/unit/files/tablesWorkbook.test.ts',
  'test/unit/files/workbookLimits.test.ts',
  'test/unit/screen/tagPicture.test.ts',
  'test/unit/desktop/updaterPolicy.test.ts',
  'test/unit/files/xmlRefused.test.ts',
];

/** Files that need their own module cache, because they mock modules or check what a page loads at first use. */
export const ALONE: readonly string[] = [
  'test/integration/storage/backupRestoreKilled.test.ts',
  'test/renderer/station/devicePanelSound.test.tsx',
  'test/renderer/screen/screenDrawing.test.tsx',
  'test/renderer/screen/screenSigns.test.tsx',
  'test/renderer/sound/soundWindow.test.tsx',
  'test/renderer/station/stationMany.test.tsx',
  'test/unit/desktop/updaterPolicy.test.ts',
];

/** Files in test/shells that start processes but need only npm. The other files there need Python, curl, socat, strace or root. */
export const PROGRAMS: readonly string[] = [
  'test/shells/backupProcess.test.ts',
  'test/shells/boardSignIn.test.ts',
  'test/shells/boards.test.ts',
  'test/shells/check.test.ts',
  'test/shells/dataLost.test.ts',
  'test/shells/fleetOnly.test.ts',
  'test/shells/folderKilled.test.ts',
  'test/shells/importKilled.test.ts',
  'test/shells/keyKilled.test.ts',
  'test/shells/killLoop.test.ts',
  'test/shells/logFilesEnd.test.ts',
  'test/shells/mqttUnloaded.test.ts',
  'test/shells/pictureProcess.test.ts',
  'test/shells/restoreKilled.test.ts',
];

const CORE_NAMES = new Set(Object.values(CORE).flat());

/** Functions that return the tier of a file, by its folder below test/. */
const TIER_OF: Readonly<Record<string, (file: string) => Tier>> = {
  unit: laterOrCore,
  golden: laterOrCore,
  contract: laterOrCore,
  renderer: laterOrCore,
  integration: (file) => (CORE_NAMES.has(basename(file, '.test.ts')) ? 'core' : 'rest'),
  property: () => 'rest',
  shells: (file) => (PROGRAMS.includes(file) ? 'rest' : 'shells'),
  browser: () => 'browser',
  desktop: () => 'desktop',
  brokers: () => 'brokers',
  erp: () => 'erp',
};

const KIND_OF: Readonly<Record<string, TestKind>> = {
  unit: 'pure',
  golden: 'pure',
  contract: 'whole',
  integration: 'whole',
  property: 'whole',
  renderer: 'pages',
  shells: 'programs',
};

/**
 * Returns the tier of a file. `file` is relative to the repository, such as `test/unit/files/xml.test.ts`. Throws if its folder has no
 * tier.
 */
export function tierOf(file: string): Tier {
  const tier = TIER_OF[folderOf(file)];
  if (tier === undefined) throw new Error(`${file}: give its folder a tier in test/tiers.ts`);
  return tier(file);
}

/** Returns how Vitest runs a file in the first two tiers. Throws if its folder belongs to neither of them. */
export function kindOf(file: string): TestKind {
  const kind = ALONE.includes(file) ? 'alone' : KIND_OF[folderOf(file)];
  if (kind === undefined) throw new Error(`${file}: say in test/tiers.ts how it runs`);
  return kind;
}

function laterOrCore(file: string): Tier {
  return LATER.includes(file) ? 'rest' : 'core';
}

function folderOf(file: string): string {
  return file.split('/')[1] ?? '';
}
