import type { Diagnostics } from '#shared/api/diagnostics.ts';
import type { Clock, Log } from '../../ports.ts';

type Line = Diagnostics['log'][number];

const KEPT_LINES = 200;
const MAX_CHARACTERS = 500;

/** Wraps a log and keeps its last lines in memory. Keeps no fields except the error, because other fields may contain names of people. */
export function createLogMemory(log: Log, clock: Clock): { log: Log; lines(): readonly Line[] } {
  const lines: Line[] = [];

  function keep(level: Line['level'], fields: object, message: string): void {
    const error = 'err' in fields && fields.err instanceof Error ? fields.err.message : '';
    lines.push({
      at: new Date(clock.now()).toISOString(),
      level,
      message: message.slice(0, MAX_CHARACTERS),
      error: error.slice(0, MAX_CHARACTERS),
    });
    if (lines.length > KEPT_LINES) lines.shift();
  }

  return {
    log: {
      debug: log.debug,
      info(fields, message) {
        keep('info', fields, message);
        log.info(fields, message);
      },
      warn(fields, message) {
        keep('warn', fields, message);
        log.warn(fields, message);
      },
      error(fields, message) {
        keep('error', fields, message);
        log.error(fields, message);
      },
    },
    lines: () => lines,
  };
}
