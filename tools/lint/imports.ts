import { join, normalize, dirname, relative } from 'node:path';

/** Libraries that the page may use. */
const LIBRARIES =
  'react react/* react-dom react-dom/* react-aria-components @tanstack/* lucide-react zustand zustand/* wouter wouter/*';

/**
 * Rules about which files may import what. The last row whose `from` is a prefix of the file's path applies. `may` and `types` (types only)
 * are lists, separated by spaces, of folders, `/*.ts` for the files directly in a folder, files, packages, and `node:*`. All other imports
 * are refused.
 */
export const IMPORT_RULES: readonly { from: string; may: string; types?: string }[] = [
  {
    from: 'shared/',
    may: 'shared/ zod gs1-barcode-parser-mod jsbarcode/bin/barcodes/CODE128/CODE128B.js qrcode/lib/core/qrcode.js',
  },
  { from: 'electron/server/', may: 'shared/ electron/server/errors.ts' },
  { from: 'electron/server/ports.ts', may: '', types: 'electron/server/ports/' },
  { from: 'electron/server/ports/', may: 'shared/ electron/server/ports/ node:stream' },
  { from: 'electron/server/errors.ts', may: 'shared/' },
  {
    from: 'electron/server/scheduling/',
    may: 'electron/server/scheduling/ electron/server/errors.ts',
    types: 'shared/ electron/server/ports.ts electron/server/db/writer.ts node:stream',
  },
  { from: 'electron/server/scheduling/alarm.ts', may: '', types: 'electron/server/ports.ts' },
  { from: 'electron/server/transientMap.ts', may: '' },
  { from: 'electron/server/config.ts', may: 'shared/ electron/server/errors.ts node:*' },
  {
    from: 'electron/server/logs/',
    may: `electron/server/logs/ electron/server/files/openFolder.ts electron/server/domain/station/hiddenSecrets.ts
      electron/server/domain/station/logFileNames.ts node:fs node:fs/promises node:path`,
    types: 'electron/server/ports.ts',
  },
  {
    from: 'electron/server/logs/systemLog.ts',
    may: 'electron/server/logs/logFiles.ts pino node:path',
    types: 'electron/server/ports.ts',
  },
  {
    from: 'electron/server/files/',
    may: 'shared/ electron/server/files/ electron/server/errors.ts chokidar node:*',
    types: 'electron/server/ports.ts',
  },
  { from: 'electron/server/files/addressFile.ts', may: 'node:fs node:path', types: 'electron/server/ports.ts' },
  { from: 'electron/server/files/openFolder.ts', may: 'node:fs node:fs/promises node:path' },
  {
    from: 'electron/server/restartable.ts',
    may: '',
    types: 'electron/server/ports.ts electron/server/stationPorts.ts electron/server/config.ts',
  },
  {
    from: 'electron/server/network/',
    may: 'electron/server/network/ @serialport/* undici undici/* nodemailer/* node:*',
    types: 'electron/server/ports.ts',
  },
  {
    from: 'electron/server/network/mqttClient.ts',
    may: 'electron/server/ports/broker.ts electron/server/domain/ mqtt node:tls',
  },
  ...['systemPorts', 'sideProcesses'].map((name) => ({
    from: `electron/server/${name}.ts`,
    may: `shared/ electron/server/sideProcesses.ts electron/server/network/ electron/server/files/folderFiles.ts
      electron/server/files/firmwareFiles.ts electron/server/files/ranFolders.ts electron/server/logs/systemLog.ts electron/server/errors.ts undici node:*`,
    types: 'electron/server/ports.ts electron/server/stationPorts.ts electron/server/logs/logFiles.ts',
  })),
  ...['station', 'stationPorts', 'stationServices', 'endpointServices', 'core', 'entrances', 'turboWires'].map(
    (name) => ({
      from: `electron/server/${name}.ts`,
      may: 'shared/ electron/server/ node:*',
    }),
  ),
  { from: 'electron/server/check/', may: 'shared/ electron/server/ node:*' },
  {
    from: 'electron/server/update/',
    may: 'shared/ electron/server/update/ electron/server/db/*.ts electron/server/errors.ts zod node:*',
    types: 'electron/server/ports.ts',
  },
  { from: 'electron/server/domain/', may: 'shared/ electron/server/domain/' },
  {
    from: 'electron/server/db/',
    may: `shared/ electron/server/db/ electron/server/domain/ electron/server/errors.ts electron/server/transientMap.ts
      better-sqlite3 node:*`,
    types: 'electron/server/ports.ts',
  },
  {
    from: 'electron/server/services/',
    may: `shared/ electron/server/services/ electron/server/domain/ electron/server/db/ electron/server/errors.ts
      electron/server/scheduling/ electron/server/transientMap.ts @zxcvbn-ts/language-common node:crypto node:util node:zlib`,
    types: 'electron/server/ports.ts electron/server/core.ts',
  },
  {
    from: 'electron/server/services/tables/',
    may: 'shared/ electron/server/services/tables/ electron/server/errors.ts fflate saxes node:zlib',
    types: 'electron/server/ports.ts electron/server/scheduling/',
  },
  {
    from: 'electron/server/turbo/',
    may: 'shared/ electron/server/turbo/ electron/server/scheduling/alarm.ts node:*',
    types: 'electron/server/ports.ts electron/server/scheduling/messageTurns.ts',
  },
  {
    from: 'electron/server/turbo/frames/',
    may: `shared/ electron/server/turbo/frames/ electron/server/turbo/shelf/ electron/server/scheduling/alarm.ts
      electron/server/scheduling/messageTurns.ts ws node:*`,
    types: 'electron/server/ports.ts electron/server/turbo/types.ts',
  },
  {
    from: 'electron/server/turbo/frames/protocol/',
    may: 'shared/ electron/server/turbo/frames/protocol/ electron/server/transientMap.ts node:*',
    types: 'electron/server/ports.ts',
  },
  {
    from: 'electron/server/turbo/controllers/',
    may: `shared/ electron/server/turbo/controllers/ electron/server/turbo/frames/protocol/
      electron/server/domain/callbacks/describeSendError.ts dns-packet node:*`,
    types: 'electron/server/ports.ts',
  },
  ...['wled', 'openDisplay', 'openEPaper'].map((kind) => ({
    from: `electron/server/turbo/${kind}/`,
    may: `shared/ electron/server/turbo/${kind}/ electron/server/turbo/frames/protocol/ electron/server/turbo/controllers/
      electron/server/turbo/shelf/ electron/server/domain/callbacks/describeSendError.ts
      electron/server/scheduling/alarm.ts electron/server/scheduling/messageTurns.ts zod ws @napi-rs/canvas node:*`,
    types: 'electron/server/ports.ts electron/server/turbo/types.ts',
  })),
  {
    from: 'electron/server/simulator/',
    may: 'shared/ electron/server/simulator/ electron/server/turbo/frames/protocol/ electron/server/turbo/shelf/ node:*',
    types: 'electron/server/ports.ts electron/server/turbo/frames/transports/transport.ts',
  },
  {
    from: 'electron/server/http/',
    may: `shared/ electron/server/http/ electron/server/services/ electron/server/errors.ts electron/server/scheduling/alarm.ts electron/server/scheduling/messageTurns.ts electron/server/transientMap.ts express express-rate-limit
      express-static-gzip helmet zod saxes @node-oauth/oauth2-server swagger-ui-dist @napi-rs/canvas pkijs asn1js node:*`,
    types: 'electron/server/ports.ts electron/server/mqtt/switch.ts',
  },
  {
    from: 'electron/server/mqtt/',
    may: `shared/ electron/server/mqtt/ electron/server/services/ electron/server/ports/broker.ts electron/server/errors.ts
      electron/server/scheduling/ node:crypto`,
    types: 'electron/server/ports.ts electron/server/core.ts electron/server/db/*.ts',
  },
  {
    from: 'electron/server/copier/',
    may: `shared/ electron/server/copier/ electron/server/db/*.ts electron/server/errors.ts electron/server/scheduling/
      electron/server/services/tables/index.ts electron/server/http/compat/orderDocument.ts better-sqlite3 @napi-rs/canvas`,
    types: 'electron/server/ports.ts',
  },
  {
    from: 'electron/turboSim/',
    may: `electron/turboSim/ electron/server/simulator/ electron/server/turbo/frames/transports/ electron/server/systemPorts.ts
      electron/server/errors.ts ws node:*`,
    types: 'electron/server/ports.ts',
  },
  {
    from: 'electron/headless/',
    may: `electron/headless/ electron/server/files/addressFile.ts electron/server/check/checkStart.ts electron/server/station.ts electron/server/systemPorts.ts electron/server/logs/systemLog.ts electron/server/config.ts
      electron/server/errors.ts node:module node:*`,
  },
  {
    from: 'electron/main/',
    may: `shared/ electron/main/ electron/server/check/checkStart.ts electron/server/station.ts electron/server/systemPorts.ts electron/server/logs/systemLog.ts
      electron/server/logs/logFiles.ts electron/server/logs/logFolder.ts electron/server/config.ts
      electron/server/errors.ts electron/server/sideProcesses.ts electron/server/files/addressFile.ts electron/server/update/
      electron/headless/service/quoting.ts electron original-fs electron-updater electron-updater/out/providers/Provider.js undici node:*`,
  },
  { from: 'electron/preload/', may: 'electron' },
  { from: 'renderer/', may: `shared/ renderer/ ${LIBRARIES}` },
  ...Object.entries({
    features: 'features shop import kit station words scan sound',
    import: 'import shop kit station words',
    shop: 'shop kit station words sound',
    scan: 'scan kit words',
    sound: 'sound kit station words',
    kit: 'kit words',
    station: 'station words',
    words: 'words',
  }).map(([folder, others]) => ({
    from: `renderer/src/${folder}/`,
    may: [
      'shared/',
      'renderer/src/remembered.ts',
      'renderer/src/storage.ts',
      'renderer/src/useAct.ts',
      LIBRARIES,
      ...others.split(' ').map((each) => `renderer/src/${each}/`),
    ].join(' '),
    // Types for the page's canvas context.
    types: folder === 'station' ? 'renderer/src/shop/screen/canvasBoxes.ts' : '',
  })),
  {
    from: 'renderer/src/features/help/HelpPage.tsx',
    may: `shared/ renderer/src/features/ renderer/src/shop/ renderer/src/kit/ renderer/src/station/ renderer/src/words/ docs/glossary.md ${LIBRARIES}`,
  },
  { from: 'renderer/src/features/help/tasks.ts', may: 'renderer/src/features/help/ docs/help.md' },
  { from: 'renderer/src/scan/zxingWorker.ts', may: 'renderer/src/scan/ zxing-wasm/*' },
];

const FEATURES = 'renderer/src/features/';
const FRAME = 'renderer/src/app/';
/**
 * Features of the page that may use other features. A feature without a row may use none. Code for several pages belongs in `shop/`. Only
 * `app/` may import all features.
 */
const FEATURE_PAIRS: Readonly<Record<string, readonly string[]>> = {
  kiosk: ['pick'],
  setupDevices: ['pick'],
};

/** Folders in which each subfolder is a noun. Other code may import only the `index.ts` of a noun. */
const NOUNS = ['electron/server/services/'];
/** Modules that a rule with `node:*` does not allow, because they could load code past this table. */
const LOADERS = new Set(['node:module', 'node:vm', 'node:worker_threads']);

const RULES = IMPORT_RULES.map(({ from, may, types = '' }) => ({
  from,
  may: may.split(/\s+/),
  types: types.split(/\s+/),
}));

/** Explains why a file may not import a module, or returns undefined if it may. `file` is a path from the root. */
export function refusalOf(file: string, specifier: string, isType: boolean): string | undefined {
  const rule = RULES.filter(({ from }) => file.startsWith(from)).at(-1);
  // Type declarations for packages import the package itself.
  if (rule === undefined || file.endsWith('.d.ts')) return undefined;
  const isLocal = specifier.startsWith('.') || specifier.startsWith('#');
  const path = specifier.replace(/\?\w+$/, '').replace(/^#/, '');
  const wanted = specifier.startsWith('.')
    ? normalize(join(dirname(file), path)).replaceAll('\\', '/')
    : normalize(path);
  const isNamed = (names: readonly string[]): boolean => names.some((name) => covers(name, wanted));
  if (!isNamed(rule.may) && !(isType && isNamed(rule.types))) {
    return `Files of ${rule.from} may not import ${isLocal ? wanted : specifier}: tools/lint/imports.ts has the table.`;
  }
  const isShared = wanted.startsWith('shared/');
  if (isShared && file.startsWith('shared/') !== specifier.startsWith('.')) return 'Import shared as #shared/….';
  for (const folder of NOUNS) {
    const [noun, part] = wanted.startsWith(folder) ? wanted.slice(folder.length).split('/') : [];
    if (part !== undefined && part !== 'index.ts' && !file.startsWith(`${folder}${noun}/`)) {
      return `${folder}${noun}/ shows index.ts to others; the rest is its own.`;
    }
  }
  const [own, other] = [featureOf(file), featureOf(wanted)];
  if (other === undefined || other === own || file.startsWith(FRAME)) return undefined;
  if (own !== undefined && FEATURE_PAIRS[own]?.includes(other) === true) return undefined;
  return `${own ?? file} may not use the feature ${other}: tools/lint/imports.ts has the pairs that are allowed.`;
}

function featureOf(path: string): string | undefined {
  return path.startsWith(FEATURES) ? path.slice(FEATURES.length).split('/')[0] : undefined;
}

function covers(name: string, wanted: string): boolean {
  if (name === '') return false;
  if (name.endsWith('/*.ts')) return dirname(wanted) === dirname(name);
  if (name.endsWith('*')) return wanted.startsWith(name.slice(0, -1)) && !LOADERS.has(wanted);
  return name.endsWith('/') ? wanted.startsWith(name) : wanted === name;
}

type Source = { type: string; value?: unknown };
type Declaration = {
  source?: Source | null;
  importKind?: string;
  exportKind?: string;
  specifiers?: { importKind?: string; exportKind?: string }[];
};
export type Context = { filename: string; cwd: string; report(problem: { node: unknown; message: string }): void };

/** Lint rule that enforces the table. */
export const imports = {
  create(context: Context) {
    const file = relative(context.cwd, context.filename).replaceAll('\\', '/');
    const check = (source: Source | null | undefined, isType: boolean): void => {
      if (typeof source?.value !== 'string') return;
      const message = refusalOf(file, source.value, isType);
      if (message !== undefined) context.report({ node: source, message });
    };
    const checkDeclaration = ({ source, importKind, exportKind, specifiers = [] }: Declaration): void =>
      check(
        source,
        importKind === 'type' ||
          exportKind === 'type' ||
          (specifiers.length > 0 &&
            specifiers.every((each) => each.importKind === 'type' || each.exportKind === 'type')),
      );
    return {
      ImportDeclaration: checkDeclaration,
      ExportNamedDeclaration: checkDeclaration,
      ExportAllDeclaration: checkDeclaration,
      ImportExpression: ({ source }: Declaration) => check(source, false),
      TSImportType: ({ source }: Declaration) => check(source, true),
    };
  },
};
