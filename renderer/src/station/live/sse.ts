/** A message of a server-sent event stream. A `comment` shows only that the station is still there. */
export type SseMessage = { kind: 'event'; event: string; id: string | undefined; data: string } | { kind: 'comment' };

/**
 * Creates a parser for `text/event-stream` (HTML standard, section 9.2) that accepts text in pieces. The browser's
 * EventSource cannot be used, because it hides comments and the status of a refusal, and the page needs both.
 */
export function createSseParser(onMessage: (message: SseMessage) => void): (text: string) => void {
  let rest = '';
  let event = '';
  let id: string | undefined;
  let data: string[] = [];

  function takeLine(line: string): void {
    if (line === '') return dispatch();
    if (line.startsWith(':')) return onMessage({ kind: 'comment' });
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id') id = value;
  }

  function dispatch(): void {
    if (data.length > 0 || event !== '') {
      onMessage({ kind: 'event', event: event === '' ? 'message' : event, id, data: data.join('\n') });
    }
    event = '';
    id = undefined;
    data = [];
  }

  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) takeLine(line);
  };
}
