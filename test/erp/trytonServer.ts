import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

const DATABASE = 'shop';
const USER = 'admin';
const PASSWORD = 'password-of-the-shop';
const READY = /Running on http:\/\/127\.0\.0\.1:(\d+)/;

export type Tryton = {
  readonly url: string;
  /** Environment variables that the connector needs. */
  readonly env: Record<string, string>;
  start(): Promise<void>;
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void>;
  call<T>(method: string, ...params: unknown[]): Promise<T>;
  /** Calls a method with these values in Tryton's context. */
  callIn<T>(context: Record<string, unknown>, method: string, ...params: unknown[]): Promise<T>;
  expireSessions(): void;
};

/** Creates a real Tryton server, as packaged by Debian, on SQLite and with the module stock. This takes ten seconds. */
export function createTryton(folder: string): Tryton {
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'trytond.conf');
  const file = join(folder, `${DATABASE}.sqlite`);
  const passwords = join(folder, 'password');
  writeFileSync(passwords, PASSWORD);
  // The server accepts the database only if the file exists.
  writeFileSync(file, '');
  configure(0);
  run('trytond-admin', [
    '-c',
    config,
    '-d',
    DATABASE,
    '-u',
    'stock',
    '--activate-dependencies',
    '--email',
    'shop@localhost',
  ]);

  let port = 0;
  let child: ChildProcess | undefined;
  let session: { headers: Record<string, string>; context: Record<string, unknown> } | undefined;

  function configure(at: number): void {
    writeFileSync(config, `[database]\nuri = sqlite://\npath = ${folder}\n[web]\nlisten = 127.0.0.1:${at}\n`);
  }

  function run(program: string, args: string[]): void {
    const { status, stderr, error } = spawnSync(program, args, {
      env: { ...process.env, TRYTONPASSFILE: passwords },
      encoding: 'utf8',
    });
    if (error !== undefined)
      throw new Error(`${program} cannot be started: install tryton-modules-stock. ${error.message}`);
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr.slice(-2_000)}`);
  }

  async function post<T>(headers: Record<string, string>, method: string, params: unknown[]): Promise<T | undefined> {
    const answer = await fetch(`${server.url}${DATABASE}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ id: 1, method, params }),
    });
    if (answer.status === 401) return undefined;
    const { result, error } = (await answer.json()) as { result: T; error?: unknown };
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error).slice(0, 1_000)}`);
    return result;
  }

  async function signIn(): Promise<NonNullable<typeof session>> {
    const login = await post<[number, string]>({}, 'common.db.login', [USER, { password: PASSWORD }, 'en']);
    if (login === undefined) throw new Error('Tryton does not take the password.');
    const headers = { authorization: `Session ${Buffer.from(`${USER}:${login.join(':')}`).toString('base64')}` };
    const context = await post<Record<string, unknown>>(headers, 'model.res.user.get_preferences', [true, {}]);
    return { headers, context: context ?? {} };
  }

  const server: Tryton = {
    get url() {
      return `http://127.0.0.1:${port}/`;
    },
    get env() {
      return { TRYTON_URL: server.url, TRYTON_DB: DATABASE, TRYTON_USER: USER, TRYTON_PASSWORD: PASSWORD };
    },
    start: () =>
      new Promise((resolve, reject) => {
        const started = spawn('trytond', ['-c', config, '-d', DATABASE, '-v'], { stdio: ['ignore', 'ignore', 'pipe'] });
        child = started;
        const end = (): void => void started.kill('SIGKILL');
        process.once('exit', end);
        started.once('close', () => process.off('exit', end));
        let log = '';
        started.stderr.setEncoding('utf8').on('data', (text: string) => {
          log = (log + text).slice(-4_000);
          const ready = READY.exec(log)?.[1];
          if (ready === undefined) return;
          // Keep the port for restarts after a kill.
          port = Number(ready);
          configure(port);
          resolve();
        });
        started.once('error', reject);
        started.once('close', () => reject(new Error(`trytond ended before it was ready: ${log}`)));
      }),
    kill: () =>
      new Promise((resolve) => {
        if (child === undefined || child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('close', () => resolve());
        child.kill('SIGKILL');
      }),
    call: (method, ...params) => server.callIn({}, method, ...params),
    async callIn<T>(context: Record<string, unknown>, method: string, ...params: unknown[]): Promise<T> {
      for (;;) {
        session ??= await signIn();
        const result = await post<T>(session.headers, method, [...params, { ...session.context, ...context }]);
        if (result !== undefined) return result;
        session = undefined;
      }
    },
    expireSessions() {
      const database = new Database(file, { timeout: 10_000 });
      database.prepare('DELETE FROM ir_session').run();
      database.close();
    },
  };
  return server;
}
