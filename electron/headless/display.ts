import { connect } from 'node:net';
import { join } from 'node:path';

const CONNECT_LIMIT_MS = 2_000;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns why no window can be shown here, or undefined if one can. On Windows and macOS, a program that a user starts always has a
 * display.
 */
export async function whyNoDisplay(environment: Environment): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const displays = [...waylandOf(environment), ...xOf(environment)];
  if (displays.length === 0) return 'there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set';
  for (const display of displays) if (await answers(display.where)) return undefined;
  return `the display ${displays.map(({ name }) => name).join(' and ')} does not answer`;
}

type Where = { path: string } | { host: string; port: number };

function waylandOf(environment: Environment): { name: string; where: Where }[] {
  const name = environment['WAYLAND_DISPLAY'];
  if (name === undefined || name === '') return [];
  const folder = environment['XDG_RUNTIME_DIR'] ?? '';
  return [{ name, where: { path: name.startsWith('/') ? name : join(folder, name) } }];
}

/** Returns the name and the address of the X display in DISPLAY, such as `:0`, `:0.0` or `host:10.0`. See X(7). */
function xOf(environment: Environment): { name: string; where: Where }[] {
  const name = environment['DISPLAY'];
  if (name === undefined || name === '') return [];
  const [, host = '', number = ''] = /^(.*):(\d+)(?:\.\d+)?$/.exec(name) ?? [];
  const isLocal = host === '' || host === 'unix';
  const socket = { path: join('/tmp/.X11-unix', `X${number}`) };
  return [{ name, where: isLocal ? socket : { host, port: 6_000 + Number(number) } }];
}

function answers(where: Where): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(where);
    const end = (is: boolean) => (): void => {
      socket.destroy();
      resolve(is);
    };
    socket.setTimeout(CONNECT_LIMIT_MS, end(false));
    socket.once('connect', end(true));
    socket.once('error', end(false));
  });
}
