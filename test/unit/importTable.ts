/**
 * The table of who may import whom, as examples: what a file of each folder may import, of what it may import types
 * only, and what not. Files need not exist: the rules are about names.
 */

/** Names are parted by white space. */
export const TABLE: { file: string; may: string; mayType: string; mayNot: string }[] = [
  {
    file: 'shared/api/x.ts',
    may: `
      ./device.ts ./pictures/sheet.json ../screen/content.ts zod jsbarcode/bin/barcodes/CODE128/CODE128B.js
      qrcode/lib/core/qrcode.js`,
    mayType: '',
    mayNot: `
      ../../electron/server/errors.ts ../../electron/server/ports.ts ../../renderer/src/main.tsx
      ../../test/helpers/seeded.ts #shared/api/device.ts node:fs react express jsbarcode qrcode
      jsbarcode/bin/JsBarcode.js qrcode/lib/browser.js`,
  },
  {
    file: 'shared/screen/glyphs/x.ts',
    may: './drawnCodes.ts ../bits.ts ../../lib/text.ts zod',
    mayType: '',
    mayNot: '../../../electron/server/errors.ts ../../../renderer/src/main.tsx node:zlib electron',
  },
  {
    file: 'electron/server/domain/x.ts',
    may: '#shared/api/device.ts ./commandQueue.ts',
    mayType: '',
    mayNot: `
      ../errors.ts ../ports.ts ../db/repositories.ts ../services/base/index.ts ../turbo/protocol/messages.ts
      ../simulator/simulator.ts ../http/problem.ts ../station.ts node:crypto zod better-sqlite3`,
  },
  {
    file: 'electron/server/db/x.ts',
    may: '#shared/api/station.ts ../domain/commandQueue.ts ../errors.ts ./repositories.ts ./repositories/commands.ts',
    mayType: '../ports.ts',
    mayNot: `
      ../services/base/index.ts ../turbo/fleet.ts ../simulator/simulator.ts ../http/app.ts ../station.ts
      ../config.ts ../systemPorts.ts express zod pino node:module`,
  },
  {
    file: 'electron/server/db/repositories/x.ts',
    may: '#shared/api/callback.ts ../../domain/commandQueue.ts ../database.ts ./commands.ts better-sqlite3',
    mayType: '../../ports.ts',
    mayNot:
      '../../services/base/index.ts ../../turbo/fleet.ts ../../http/app.ts ../../station.ts ../../../main/main.ts',
  },
  {
    file: 'electron/server/services/x.ts',
    may: `
      #shared/api/device.ts ../domain/commandQueue.ts ../db/repositories.ts ../db/repositories/outbox.ts
      ../errors.ts ./base/index.ts node:crypto`,
    mayType: '../ports.ts',
    mayNot: `
      ../http/problem.ts ../turbo/fleet.ts ../turbo/protocol/messages.ts ../simulator/simulator.ts
      ../station.ts ../config.ts ../systemPorts.ts better-sqlite3 express pino node:fs node:http
      node:child_process electron`,
  },
  {
    file: 'electron/server/services/orders/x.ts',
    may: './launch.ts ../commands/index.ts ../setup.ts ../../db/repositories/outbox.ts ../../errors.ts',
    mayType: '../../ports.ts',
    mayNot: '../commands/moves.ts ../commands/commands.ts ../../http/problem.ts ../../station.ts',
  },
  {
    file: 'electron/server/turbo/x.ts',
    may: '#shared/screen/content.ts ./fleet.ts ./protocol/messages.ts ./transports/transport.ts node:zlib',
    mayType: '../ports.ts',
    mayNot: `
      ../errors.ts ../domain/commandQueue.ts ../db/repositories.ts ../services/base/index.ts ../http/app.ts
      ../simulator/simulator.ts ../station.ts ../config.ts ../systemPorts.ts express better-sqlite3
      electron`,
  },
  {
    file: 'electron/server/turbo/transports/x.ts',
    may: './transport.ts ../link.ts ../protocol/frame.ts ws node:net',
    mayType: '../../ports.ts',
    mayNot: `
      ../../errors.ts ../../domain/commandQueue.ts ../../db/repositories.ts ../../services/base/index.ts
      ../../http/app.ts ../../simulator/simulator.ts ../../station.ts express`,
  },
  {
    file: 'electron/server/simulator/x.ts',
    may: '#shared/screen/content.ts ./device.ts ../turbo/protocol/messages.ts node:crypto',
    mayType: '../ports.ts ../turbo/transports/transport.ts',
    mayNot: `
      ../turbo/fleet.ts ../turbo/transports/loopback.ts ../errors.ts ../domain/commandQueue.ts
      ../db/repositories.ts ../services/simulation/index.ts ../http/app.ts ../station.ts ../systemPorts.ts express
      better-sqlite3`,
  },
  {
    file: 'electron/server/http/x.ts',
    may: `
      #shared/api/problem.ts ../services/access/index.ts ../errors.ts ./router.ts ./endpoints/devices.ts
      ./compat/lenientFields.ts ./openapi/documents.ts ./reference/files.ts express zod helmet pkijs asn1js
      node:http`,
    mayType: '../ports.ts',
    mayNot: `
      ../db/repositories.ts ../db/repositories/outbox.ts ../domain/commandQueue.ts ../turbo/fleet.ts
      ../simulator/simulator.ts ../station.ts ../config.ts ../systemPorts.ts better-sqlite3 pino electron`,
  },
  {
    file: 'electron/server/http/endpoints/x.ts',
    may: `
      #shared/api/problem.ts ../../services/access/index.ts ../../errors.ts ../endpoint.ts
      ../compat/lenientFields.ts express-rate-limit`,
    mayType: '../../ports.ts',
    mayNot: `
      ../../db/repositories.ts ../../domain/commandQueue.ts ../../turbo/fleet.ts ../../simulator/simulator.ts
      ../../station.ts better-sqlite3`,
  },
  {
    file: 'electron/server/ports.ts',
    may: '#shared/screen/content.ts',
    mayType: '',
    mayNot: './errors.ts ./station.ts ./services/base/index.ts ./turbo/fleet.ts node:fs pino',
  },
  {
    file: 'electron/server/errors.ts',
    may: '#shared/api/problem.ts',
    mayType: '',
    mayNot: './ports.ts ./http/problem.ts node:fs',
  },
  {
    file: 'electron/server/config.ts',
    may: './errors.ts node:path',
    mayType: '',
    mayNot: './ports.ts ./station.ts ./systemPorts.ts ./services/settings/index.ts ../headless/main.ts zod',
  },
  {
    file: 'electron/server/addressFile.ts',
    may: 'node:fs node:path',
    mayType: './ports.ts',
    mayNot: './errors.ts ./station.ts ./db/database.ts ../main/main.ts node:http electron',
  },
  {
    file: 'electron/server/systemPorts.ts',
    may: './errors.ts pino undici undici/lib/dispatcher/agent.js node:crypto',
    mayType: './ports.ts ./stationPorts.ts',
    mayNot: `
      ./services/base/index.ts ./turbo/fleet.ts ./simulator/simulator.ts ./http/app.ts ./db/repositories.ts ./config.ts
      express electron`,
  },
  {
    file: 'electron/server/sideProcesses.ts',
    may: 'node:child_process node:os',
    mayType: './ports.ts',
    mayNot: './services/base/index.ts ./db/repositories.ts ./copier/copier.ts ./config.ts node:worker_threads electron',
  },
  {
    file: 'electron/server/restartable.ts',
    may: '',
    mayType: './ports.ts ./stationPorts.ts ./config.ts',
    mayNot: './errors.ts ./systemPorts.ts ./services/base/index.ts ./db/database.ts node:fs electron',
  },
  {
    file: 'electron/server/copier/x.ts',
    may: '#shared/api/backup.ts ./copyJob.ts ../db/migrations.ts ../errors.ts better-sqlite3',
    mayType: '../ports.ts',
    mayNot: `
      ../services/base/index.ts ../http/app.ts ../station.ts ../db/repositories/commits.ts ../turbo/fleet.ts node:fs
      node:child_process node:worker_threads ../sideProcesses.ts electron`,
  },
  {
    file: 'electron/server/station.ts',
    may: `
      #shared/api/station.ts ./ports.ts ./errors.ts ./db/database.ts ./services/base/index.ts ./turbo/fleet.ts
      ./turbo/transports/loopback.ts ./simulator/simulator.ts ./http/app.ts ./http/endpoints/access.ts
      node:http`,
    mayType: '',
    mayNot: `
      ../headless/main.ts ../main/main.ts ../../renderer/src/main.tsx ../../test/helpers/seeded.ts
      electron express node:worker_threads`,
  },
  {
    file: 'electron/turboSim/x.ts',
    may: `
      ../server/simulator/simulator.ts ../server/turbo/transports/stream.ts ../server/systemPorts.ts ../server/errors.ts
      ./options.ts ws node:net`,
    mayType: '../server/ports.ts',
    mayNot:
      '../server/station.ts ../server/services/base/index.ts ../server/db/database.ts ../server/http/app.ts electron express',
  },
  {
    file: 'electron/headless/x.ts',
    may: `
      ../server/station.ts ../server/systemPorts.ts ../server/config.ts ../server/errors.ts ./main.ts
      node:path`,
    mayType: '',
    mayNot: `
      ../server/ports.ts ../server/services/base/index.ts ../server/db/database.ts ../server/turbo/fleet.ts
      ../server/http/app.ts ../main/main.ts ../../renderer/src/main.tsx electron express`,
  },
  {
    file: 'electron/headless/x.mjs',
    may: './main.ts ./launch.ts node:module',
    mayType: '',
    mayNot: 'electron ../server/ports.ts ../main/main.ts vite electron-vite',
  },
  {
    file: 'electron/main/x.ts',
    may: `
      electron electron-updater #shared/api/reducer.ts ../server/station.ts ../server/systemPorts.ts
      ../server/config.ts ../server/errors.ts ../server/sideProcesses.ts ../server/addressFile.ts ./window.ts undici
      node:path`,
    mayType: '',
    mayNot: `
      ../server/ports.ts ../preload/preload.ts ../../shared/api/reducer.ts
      ../server/services/base/index.ts ../server/db/database.ts ../server/turbo/fleet.ts ../headless/main.ts
      ../../renderer/src/main.tsx express`,
  },
  {
    file: 'electron/preload/x.ts',
    may: 'electron',
    mayType: '',
    mayNot: './other.ts ../main/window.ts ../server/config.ts #shared/api/station.ts node:fs',
  },
  {
    file: 'renderer/src/features/station/x.tsx',
    may: 'react zustand #shared/api/station.ts ./DeviceTile.tsx ../../station/store.ts ./x.module.css',
    mayType: '',
    mayNot: `
      ../../../../electron/server/errors.ts ../../../../shared/api/station.ts
      ../../../../test/helpers/seeded.ts electron node:fs express better-sqlite3`,
  },
];
