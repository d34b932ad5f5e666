import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { loadMicroPython, type MicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const FIRMWARE = join(ROOT, 'resources', 'firmware');
const WASM = join(ROOT, 'node_modules', '@micropython', 'micropython-webassembly-pyscript', 'micropython.wasm');

/**
 * Globals in which the MicroPython package keeps the state of an interpreter. To run several interpreters, they are swapped on every call.
 */
const SHARED = [
  'Module',
  'proxy_js_ref',
  'proxy_js_ref_next',
  'proxy_js_ref_map',
  'proxy_js_map',
  'proxy_js_existing',
  'pyProxyFinalizationRegistry',
] as const;
const scope: Record<string, unknown> = globalThis;

/** A real MicroPython interpreter with the firmware in its file system. It runs only during calls. */
export type Interpreter = {
  /** Runs a program, whose output goes to `printed`. A Python exception becomes an Error with the traceback. */
  run(code: string): void;
  /** Returns a global function, which can be called repeatedly. */
  find(name: string): (...args: unknown[]) => unknown;
  /** Returns a view of the interpreter's memory, which is valid until the interpreter runs again. */
  bytes(address: number, length: number): Uint8Array;
  printed(): string[];
};

let compiled: Promise<WebAssembly.Module> | undefined;
let loading: Promise<unknown> = Promise.resolve();

/**
 * Starts an interpreter whose programs can import `modules`, which are written in JavaScript. `updates` contains additional files by path.
 */
export function startInterpreter(
  modules: Record<string, object>,
  updates: ReadonlyMap<string, Uint8Array> = new Map(),
): Promise<Interpreter> {
  const started = loading.then(() => start(modules, updates));
  loading = started.catch(() => undefined);
  return started;
}

async function start(modules: Record<string, object>, updates: ReadonlyMap<string, Uint8Array>): Promise<Interpreter> {
  const module = await (compiled ??= WebAssembly.compile(readFileSync(WASM)));
  const lines: string[] = [];
  const { instantiate } = WebAssembly;
  let memory: WebAssembly.Memory | undefined;
  // Compile the module only once, and capture its memory, which the package does not expose.
  WebAssembly.instantiate = (async (_: unknown, imports: object) => {
    const instance = await instantiate(module, imports);
    const exported = Object.values(instance.exports);
    memory = exported.find((each) => each instanceof WebAssembly.Memory);
    exported.filter(isTable).forEach(rememberFunctions);
    return { instance, module };
  }) as never;
  let python: MicroPython;
  try {
    python = await loadMicroPython({ heapsize: 192 * 1_024, stdout: (line: string) => void lines.push(line) });
  } finally {
    WebAssembly.instantiate = instantiate;
  }
  // Disable the registry, which frees objects in the current interpreter, even if they belong to a different one.
  scope['pyProxyFinalizationRegistry'] = { register: () => undefined };
  const mine = SHARED.map((name) => scope[name]);
  function enter<Answer>(work: () => Answer): Answer {
    SHARED.forEach((name, index) => (scope[name] = mine[index]));
    try {
      return work();
    } finally {
      SHARED.forEach((name, index) => (mine[index] = scope[name]));
    }
  }
  enter(() => {
    for (const [path, text] of firmwareFiles()) {
      if (text === undefined) python.FS.mkdir(path);
      else python.FS.writeFile(path, text);
    }
    const folders = new Set<string>();
    for (const [path, bytes] of updates) {
      const names = path.split('/').slice(0, -1);
      for (const [index] of names.entries()) {
        const folder = `/${names.slice(0, index + 1).join('/')}`;
        if (!folders.has(folder)) python.FS.mkdir(folder);
        folders.add(folder);
      }
      python.FS.writeFile(`/${path}`, bytes);
    }
    for (const [name, functions] of Object.entries(modules)) python.registerJsModule(name, functions);
  });
  return {
    run: (code) => void enter(() => python.runPython(code)),
    find(name) {
      const found = enter(() => python.globals.get(name)) as (...args: unknown[]) => unknown;
      return (...args) => enter(() => found(...args));
    },
    bytes: (address, length) => new Uint8Array(memory?.buffer ?? new ArrayBuffer(0), address, length),
    printed: () => lines,
  };
}

type FunctionTable = { get(index: number): unknown };

function isTable(exported: unknown): exported is FunctionTable {
  return typeof exported === 'object' && exported !== null && 'get' in exported;
}

/**
 * Caches the functions of a table, because the table never changes. Without the cache, a sixth of the time goes into look-ups, one per
 * call.
 */
function rememberFunctions(table: FunctionTable): void {
  const found: unknown[] = [];
  const get = table.get.bind(table);
  table.get = (index) => (found[index] ??= get(index));
}

/** Lists the folders and files of the firmware, as they are on a board. Folders have no text. */
export function firmwareFiles(): (readonly [path: string, text: string | undefined])[] {
  const paths = readdirSync(FIRMWARE, { recursive: true, encoding: 'utf8' }).toSorted();
  return [
    ...paths.map((path) => {
      const whole = join(FIRMWARE, path);
      return [`/${path}`, statSync(whole).isDirectory() ? undefined : readFileSync(whole, 'utf8')] as const;
    }),
    ...['virtual.py', 'chip.py', 'wired.py'].map(
      (name) => [`/${name}`, readFileSync(join(import.meta.dirname, name), 'utf8')] as const,
    ),
  ];
}
