/**
 * The import rules as a matrix: a row for each importing file, and the layers and packages that it may import. All
 * other imports are refused. The files need not exist, because the rules match paths only.
 */

/** A file from each layer, with the path under which other files import it. */
export const LAYERS: Readonly<Record<string, string>> = {
  shared: 'shared/api/device.ts',
  ports: 'electron/server/ports.ts',
  stationPorts: 'electron/server/stationPorts.ts',
  core: 'electron/server/core.ts',
  errors: 'electron/server/errors.ts',
  config: 'electron/server/config.ts',
  addressFile: 'electron/server/files/addressFile.ts',
  systemPorts: 'electron/server/systemPorts.ts',
  sideProcesses: 'electron/server/sideProcesses.ts',
  domain: 'electron/server/domain/commands/commandQueue.ts',
  database: 'electron/server/db/database.ts',
  repositories: 'electron/server/db/repositories/outbox.ts',
  services: 'electron/server/services/orders/index.ts',
  noun: 'electron/server/services/orders/launch.ts',
  protocol: 'electron/server/turbo/frames/protocol/messages.ts',
  transport: 'electron/server/turbo/frames/transports/transport.ts',
  connection: 'electron/server/turbo/types.ts',
  turbos: 'electron/server/turbo/connectedTurbos.ts',
  wled: 'electron/server/turbo/wled/strip.ts',
  simulator: 'electron/server/simulator/simulator.ts',
  endpoints: 'electron/server/http/endpoints/devices.ts',
  compat: 'electron/server/http/compat/lenientFields.ts',
  mqtt: 'electron/server/mqtt/topics.ts',
  broker: 'electron/server/ports/broker.ts',
  copier: 'electron/server/copier/copyJob.ts',
  station: 'electron/server/station.ts',
  headless: 'electron/headless/main.ts',
  main: 'electron/main/window.ts',
  preload: 'electron/preload/preload.ts',
  turboSim: 'electron/turboSim/options.ts',
  frame: 'renderer/src/app/frame/Rail.tsx',
  feature: 'renderer/src/features/orders/OrdersPage.tsx',
  pick: 'renderer/src/features/pick/BigButton.tsx',
  import: 'renderer/src/import/ImportPage.tsx',
  shop: 'renderer/src/shop/timeline/Timeline.tsx',
  live: 'renderer/src/station/live/store.ts',
  kit: 'renderer/src/kit/button/Button.tsx',
  words: 'renderer/src/words/texts.ts',
  test: 'test/helpers/seeded.ts',
};

export const PACKAGES =
  'zod react express mqtt better-sqlite3 pino undici ws electron node:fs node:crypto node:http node:child_process node:worker_threads node:module';

const NODE = 'node:fs node:crypto node:http node:child_process';

type Row = { file: string; may: string; mayType?: string; packages?: string };

/** The rows of the matrix. Names are separated by spaces. */
export const TABLE: readonly Row[] = [
  { file: 'shared/api/x.ts', may: 'shared', packages: 'zod' },
  { file: 'electron/server/domain/x.ts', may: 'shared domain' },
  {
    file: 'electron/server/db/x.ts',
    may: 'shared errors domain database repositories',
    mayType: 'ports',
    packages: `better-sqlite3 ${NODE}`,
  },
  {
    file: 'electron/server/db/repositories/x.ts',
    may: 'shared errors domain database repositories',
    mayType: 'ports',
    packages: `better-sqlite3 ${NODE}`,
  },
  {
    file: 'electron/server/services/x.ts',
    may: 'shared errors domain database repositories services',
    mayType: 'ports core',
    packages: 'node:crypto',
  },
  {
    file: 'electron/server/services/orders/x.ts',
    may: 'shared errors domain database repositories services noun',
    mayType: 'ports core',
    packages: 'node:crypto',
  },
  {
    file: 'electron/server/services/commands/x.ts',
    may: 'shared errors domain database repositories services',
    mayType: 'ports core',
    packages: 'node:crypto',
  },
  {
    file: 'electron/server/turbo/x.ts',
    may: 'shared protocol transport connection turbos wled',
    mayType: 'ports',
    packages: NODE,
  },
  {
    file: 'electron/server/turbo/frames/x.ts',
    may: 'shared protocol transport',
    mayType: 'ports connection',
    packages: `ws ${NODE}`,
  },
  {
    file: 'electron/server/turbo/wled/x.ts',
    may: 'shared protocol wled',
    mayType: 'ports connection',
    packages: `zod ws ${NODE}`,
  },
  {
    file: 'electron/server/turbo/openEPaper/x.ts',
    may: 'shared protocol',
    mayType: 'ports connection',
    packages: `zod ws ${NODE}`,
  },
  {
    file: 'electron/server/simulator/x.ts',
    may: 'shared protocol simulator',
    mayType: 'ports transport',
    packages: NODE,
  },
  {
    file: 'electron/server/http/x.ts',
    may: 'shared errors services endpoints compat',
    mayType: 'ports',
    packages: `zod express ${NODE}`,
  },
  {
    file: 'electron/server/http/endpoints/x.ts',
    may: 'shared errors services endpoints compat',
    mayType: 'ports',
    packages: `zod express ${NODE}`,
  },
  {
    file: 'electron/server/mqtt/x.ts',
    may: 'shared errors services mqtt broker',
    mayType: 'ports core database',
    packages: 'node:crypto',
  },
  { file: 'electron/server/network/x.ts', may: '', mayType: 'ports', packages: `undici ${NODE}` },
  { file: 'electron/server/network/mqttClient.ts', may: 'domain broker', packages: 'mqtt' },
  {
    file: 'electron/server/copier/x.ts',
    may: 'shared errors database copier',
    mayType: 'ports',
    packages: 'better-sqlite3',
  },
  { file: 'electron/server/ports.ts', may: '', mayType: 'broker' },
  { file: 'electron/server/ports/clock.ts', may: 'shared broker' },
  { file: 'electron/server/errors.ts', may: 'shared' },
  { file: 'electron/server/config.ts', may: 'shared errors', packages: NODE },
  { file: 'electron/server/files/x.ts', may: 'shared errors addressFile', mayType: 'ports', packages: NODE },
  { file: 'electron/server/files/addressFile.ts', may: '', mayType: 'ports', packages: 'node:fs' },
  { file: 'electron/server/scheduling/alarm.ts', may: '', mayType: 'ports' },
  { file: 'electron/server/logs/logFiles.ts', may: '', mayType: 'ports', packages: 'node:fs' },
  { file: 'electron/server/logs/systemLog.ts', may: '', mayType: 'ports', packages: 'pino' },
  {
    file: 'electron/server/systemPorts.ts',
    may: 'shared errors sideProcesses',
    mayType: 'ports stationPorts',
    packages: `undici ${NODE}`,
  },
  {
    file: 'electron/server/sideProcesses.ts',
    may: 'shared errors sideProcesses',
    mayType: 'ports stationPorts',
    packages: `undici ${NODE}`,
  },
  { file: 'electron/server/restartable.ts', may: '', mayType: 'ports stationPorts config' },
  {
    file: 'electron/server/station.ts',
    may: 'shared ports stationPorts core errors config addressFile systemPorts sideProcesses domain database repositories services protocol transport connection turbos wled simulator endpoints compat mqtt broker copier station',
    packages: NODE,
  },
  {
    file: 'electron/turboSim/x.ts',
    may: 'errors systemPorts transport simulator turboSim',
    mayType: 'ports',
    packages: `ws ${NODE}`,
  },
  {
    file: 'electron/headless/x.ts',
    may: 'errors config addressFile systemPorts station headless',
    packages: `${NODE} node:module`,
  },
  {
    file: 'electron/main/x.ts',
    may: 'shared errors config addressFile systemPorts sideProcesses station main',
    packages: `undici electron ${NODE}`,
  },
  { file: 'electron/preload/x.ts', may: '', packages: 'electron' },
  { file: 'renderer/src/words/x.ts', may: 'shared words', packages: 'react' },
  { file: 'renderer/src/kit/list/x.tsx', may: 'shared kit words', packages: 'react' },
  { file: 'renderer/src/station/x.ts', may: 'shared live words', packages: 'react' },
  { file: 'renderer/src/shop/device/x.tsx', may: 'shared shop live kit words', packages: 'react' },
  { file: 'renderer/src/import/x.tsx', may: 'shared import shop live kit words', packages: 'react' },
  { file: 'renderer/src/app/x.tsx', may: 'shared frame feature pick import shop live kit words', packages: 'react' },
  { file: 'renderer/src/features/orders/x.tsx', may: 'shared feature import shop live kit words', packages: 'react' },
  { file: 'renderer/src/features/kiosk/x.tsx', may: 'shared pick import shop live kit words', packages: 'react' },
];
