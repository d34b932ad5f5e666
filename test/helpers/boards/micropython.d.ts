declare module '@micropython/micropython-webassembly-pyscript/micropython.mjs' {
  export type MicroPython = {
    FS: {
      writeFile(path: string, text: string | Uint8Array): void;
      readFile(path: string): Uint8Array;
      readdir(path: string): string[];
      mkdir(path: string): void;
    };
    globals: { get(name: string): unknown };
    registerJsModule(name: string, module: object): void;
    runPython(code: string): unknown;
    replInit(): void;
    replProcessChar(code: number): number;
  };
  export function loadMicroPython(options: {
    heapsize?: number;
    pystack?: number;
    stdout?: ((text: string) => void) | ((byte: Uint8Array) => void);
    linebuffer?: boolean;
    stderr?: (text: string) => void;
  }): Promise<MicroPython>;
}

/** The parts of WebAssembly that the tests use. Node's types leave them to the browser's types. */
declare namespace WebAssembly {
  class Module {
    private readonly isModule: true;
  }
  class Memory {
    readonly buffer: ArrayBuffer;
  }
  type Instance = { exports: Record<string, unknown> };
  function compile(code: Uint8Array): Promise<Module>;
  let instantiate: (module: Module, imports: object) => Promise<Instance>;
}
