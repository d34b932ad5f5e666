/**
 * Which command runs a test file. Each file belongs to one tier: `core` is `npm test`, `core` and `rest` together are
 * `npm run test:all`, and every other tier is a section of `.ci/run`, because it needs more than npm.
 */
export const TIERS = ['core', 'rest', 'shells', 'browser', 'desktop', 'brokers', 'erp'] as const;
export type Tier = (typeof TIERS)[number];

/** How Vitest runs a file of the first two tiers (vitest.config.ts). */
export const KINDS = ['pure', 'whole', 'pages', 'alone', 'programs'] as const;
export type TestKind = (typeof KINDS)[number];

/** Files of test/integration in the first tier: what matters most of each noun, over HTTP. */
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

/** Files in other folders for the second tier, as they take long or cover a detail. */
export const LATER: readonly string[] = [
  'test/contract/openapiValid.test.ts',
  'test/renderer/callbacksMqtt.test.tsx',
  'test/renderer/connectController.test.tsx',
  'test/renderer/devicePanelComposer.test.tsx',
  'test/renderer/devicePanelEditors.test.tsx',
  'test/renderer/devicePanelForm.test.tsx',
  'test/renderer/devicePanelHistory.test.tsx',
  'test/renderer/devicePanelSound.test.tsx',
  'test/renderer/placesBulk.test.tsx',
  'test/renderer/placesNew.test.tsx',
  'test/renderer/placesImport.test.tsx',
  'test/renderer/labels.test.tsx',
  'test/renderer/placesNames.test.tsx',
  'test/renderer/ordersImport.test.tsx',
  'test/renderer/queriesConcerned.test.tsx',
  'test/renderer/screenDrawing.test.tsx',
  'test/renderer/screenSigns.test.tsx',
  'test/renderer/settingsAccount.test.tsx',
  'test/renderer/settingsConnections.test.tsx',
  'test/renderer/settingsMqtt.test.tsx',
  'test/renderer/settingsNetwork.test.tsx',
  'test/renderer/settingsPage.test.tsx',
  'test/renderer/settingsSecrets.test.tsx',
  'test/renderer/settingsUpdates.test.tsx',
  'test/renderer/setupDevicesPattern.test.tsx',
  'test/renderer/soundWindow.test.tsx',
  'test/renderer/stationChoose.test.tsx',
  'test/renderer/stationMany.test.tsx',
  'test/renderer/stationMapEditing.test.tsx',
  'test/renderer/stationZones.test.tsx',
  'test/renderer/tour.test.tsx',
  'test/renderer/usersActivity.test.tsx',
  'test/renderer/usersPrograms.test.tsx',
  'test/unit/ciRun.test.ts',
  'test/unit/firmwareBoards.test.ts',
  'test/unit/firmwareClock.test.ts',
  'test/unit/firmwareDevice.test.ts',
  'test/unit/firmwareFaults.test.ts',
  'test/unit/firmwareLatency.test.ts',
  'test/unit/firmwareMemory.test.ts',
  'test/unit/firmwarePanels.test.ts',
  'test/unit/firmwarePresses.test.ts',
  'test/unit/firmwareProof.test.ts',
  'test/unit/firmwareProtocol.test.ts',
  'test/unit/firmwareScreen.test.ts',
  'test/unit/firmwareSignedUpdate.test.ts',
  'test/unit/firmwareStart.test.ts',
  'test/unit/firmwareUpdate.test.ts',
  'test/unit/fleetPicture.test.ts',
  'test/unit/gallery.test.ts',
  'test/unit/jsonScan.test.ts',
  'test/unit/loginItem.test.ts',
  'test/unit/notices.test.ts',
  'test/unit/readersLinear.test.ts',
  'test/unit/regexLinear.test.ts',
  'test/unit/screenCodes.test.ts',
  'test/unit/screenCodesLayouts.test.ts',
  'test/unit/screenIcons.test.ts',
  'test/unit/screenLayoutEvery.test.ts',
  'test/unit/screenRaster.test.ts',
  'test/unit/screenSizes.test.ts',
  'test/unit/serviceFiles.test.ts',
  'test/unit/sideProcesses.test.ts',
  'test/unit/soundSamples.test.ts',
  'test/unit/tablesCsv.test.ts',
  'test/unit/tablesWorkbook.test.ts',
  'test/unit/tagPicture.test.ts',
  'test/unit/updaterPolicy.test.ts',
  'test/unit/xmlRefused.test.ts',
];

/** They mock modules, or check what a page loads at first use: each has its own module cache. */
export const ALONE: readonly string[] = [
  'test/integration/backupRestoreKilled.test.ts',
  'test/renderer/devicePanelSound.test.tsx',
  'test/renderer/screenDrawing.test.tsx',
  'test/renderer/screenSigns.test.tsx',
  'test/renderer/soundWindow.test.tsx',
  'test/renderer/stationMany.test.tsx',
  'test/unit/updaterPolicy.test.ts',
];

/** Files of test/shells that start processes, but need npm only. The others need Python, curl, socat, strace or root. */
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

const CORE_FILES = new Set(
  Object.values(CORE).flatMap((names) => names.map((name) => `test/integration/${name}.test.ts`)),
);

/** By the folder below test/. */
const TIER_OF: Readonly<Record<string, (file: string) => Tier>> = {
  unit: laterOrCore,
  golden: laterOrCore,
  contract: laterOrCore,
  renderer: laterOrCore,
  integration: (file) => (CORE_FILES.has(file) ? 'core' : 'rest'),
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

/** `file` is relative to the repository: `test/unit/xml.test.ts`. Throws if its folder has no tier. */
export function tierOf(file: string): Tier {
  const tier = TIER_OF[folderOf(file)];
  if (tier === undefined) throw new Error(`${file}: give its folder a tier in test/tiers.ts`);
  return tier(file);
}

/** How a file of the first two tiers runs. Throws for a folder that belongs to none of them. */
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
