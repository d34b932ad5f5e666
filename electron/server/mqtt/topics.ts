/** The topics of one station, as specified in section 18 of the contract. */
export type Topics = ReturnType<typeof topicsOf>;

/** Version of the topics, contained in the topic `info`. Stations show only stations with the same version. */
export const PROTOCOL = 1;

/**
 * Target of a command. `id` is decoded, and empty if the payload contains the target. `place` means that the payload names the device or
 * the place. `result` is the topic for the response.
 */
export type CommandTarget = { kind: 'device' | 'place' | 'order' | 'sequence'; id: string; result: string };

/** First level of Home Assistant's topics. */
const DISCOVERY = 'homeassistant';

/** Characters to percent-encode in a topic level. */
const UNSAFE = /[%/+#\p{Cc}]/gu;

/** Encodes an id as a single topic level. */
export function encodeLevel(id: string): string {
  return id.replace(UNSAFE, (character) => encodeURIComponent(character));
}

/** The device, order, batch or article of a retained state. `id` is decoded. */
export type StateTarget = { kind: 'device' | 'order' | 'batch' | 'stock'; id: string };

/** Topic levels below `devices` and `orders` that are neither a device nor an order. */
const COMMAND_LEVELS: ReadonlySet<string> = new Set(['set', 'result']);

/** Whether a message on `devices/{level}` or `orders/{level}` is a command or the response to one. */
export function isCommandLevel(level: string): boolean {
  return COMMAND_LEVELS.has(level);
}

/** Encodes an order number. If it equals a command level, also encodes its first character. */
function encodeOrder(number: string): string {
  if (!COMMAND_LEVELS.has(number)) return encodeLevel(number);
  return `%${number.charCodeAt(0).toString(16)}${number.slice(1)}`;
}

/** Decodes an id. Returns undefined if the level is not an encoded id. */
export function decodeLevel(level: string): string | undefined {
  try {
    const id = decodeURIComponent(level);
    // The MQTT client replaces invalid UTF-8 with U+FFFD, so reject such ids.
    return id === '' || id.includes('\uFFFD') ? undefined : id;
  } catch {
    return undefined;
  }
}

/** Returns the topics of a station. `prefix` consists of one or more levels. */
export function topicsOf({ prefix, station }: { prefix: string; station: string }) {
  const base = `${prefix}/${station}`;
  const resultOf = (path: string): string => `${base}/${path}/result`;

  function commandOf(topic: string): CommandTarget | undefined {
    if (!topic.startsWith(`${base}/`)) return undefined;
    const [noun = '', level = '', verb, ...more] = topic.slice(base.length + 1).split('/');
    if (more.length > 0) return undefined;
    if (level === 'set' && verb === undefined) {
      if (noun === 'orders') return { kind: 'order', id: '', result: resultOf('orders') };
      if (noun === 'devices') return { kind: 'place', id: '', result: resultOf('devices') };
    }
    const id = decodeLevel(level);
    if (id === undefined) return undefined;
    if (noun === 'devices' && verb === 'set') return { kind: 'device', id, result: resultOf(`devices/${level}`) };
    if (noun === 'sequences' && verb === 'launch')
      return { kind: 'sequence', id, result: resultOf(`sequences/${level}`) };
    return undefined;
  }

  /**
   * Returns the device, order, batch or article whose state is at this topic. Returns undefined for other topics, such as those of commands
   * and responses.
   */
  function stateOf(topic: string): StateTarget | undefined {
    if (!topic.startsWith(`${base}/`)) return undefined;
    const [noun, level = '', ...more] = topic.slice(base.length + 1).split('/');
    if (more.length > 0) return undefined;
    const id = decodeLevel(level) ?? '';
    if (noun === 'stock') return { kind: 'stock', id };
    if (noun === 'batches') return { kind: 'batch', id };
    if (isCommandLevel(level)) return undefined;
    if (noun === 'devices') return { kind: 'device', id };
    return noun === 'orders' ? { kind: 'order', id } : undefined;
  }

  return {
    base,
    availability: `${base}/availability`,
    info: `${base}/info`,
    events: `${base}/events`,
    device: (id: string) => `${base}/devices/${encodeLevel(id)}`,
    order: (number: string) => `${base}/orders/${encodeOrder(number)}`,
    batch: (id: number) => `${base}/batches/${id}`,
    stock: (sku: string) => `${base}/stock/${encodeLevel(sku)}`,
    callbacks: (family: string) => `${base}/callbacks/${family}`,
    /** Returns the topic for a message from this station to itself. `mark` is a random text. */
    echo: (mark: string) => `${base}/echo/${mark}`,
    newOrder: `${base}/orders/set`,
    newOrderResult: resultOf('orders'),
    /** Topic filters for commands. */
    commands: [`${base}/devices/+/set`, `${base}/devices/set`, `${base}/orders/set`, `${base}/sequences/+/launch`],
    /** Topic filters for retained states, which are cleared when the device, order, batch or article is removed. */
    states: [`${base}/devices/+`, `${base}/orders/+`, `${base}/batches/+`, `${base}/stock/+`],
    /** Topic filters for all retained topics below `base`. */
    own: [
      `${base}/availability`,
      `${base}/info`,
      `${base}/devices/+`,
      `${base}/orders/+`,
      `${base}/batches/+`,
      `${base}/stock/+`,
    ],
    commandOf,
    stateOf,
    /** Returns why a response must not be sent to this topic, or undefined if it can be. */
    refusalOfResponse: (topic: string): string | undefined => refusalOfResponse(topic, { prefix, base }),
    discovery: (deviceId: string) => `${DISCOVERY}/device/${station}_${deviceId.replace(/[^A-Za-z0-9]/g, '')}/config`,
    discoveryStatus: `${DISCOVERY}/status`,
  };
}

/** Topic levels that a response topic must not have, because stations or other programs read them as commands or states. */
const TAKEN_LEVELS: ReadonlySet<string> = new Set(['set', 'launch', 'info', 'availability', 'events']);

/** Prefix of stations whose setting was not changed. */
const USUAL_PREFIX = 'pickstation';

/** Nouns with a level for each device, order and so on, below a prefix and a station. */
const PUBLISHED: ReadonlySet<string> = new Set(['devices', 'orders', 'batches', 'stock', 'callbacks', 'echo']);
/** Nouns with topics such as `devices/{id}/result`. */
const ANSWERING: ReadonlySet<string> = new Set(['devices', 'sequences']);

/** Whether a station with another prefix could publish on this topic. A prefix and a station have at least one level each. */
function isLikeStation(topic: string): boolean {
  const levels = topic.split('/');
  const [noun = '', thing, verb] = levels.slice(-3);
  if (levels.length > 4 && ANSWERING.has(noun) && verb === 'result') return true;
  return levels.length > 3 && PUBLISHED.has(thing ?? '');
}

/** Whether this path below the station is for responses to commands. `stock/result` is not, because it is the state of an article. */
function isResult(path: string): boolean {
  return /^(?:orders|devices|devices\/[^/]+|sequences\/[^/]+)\/result$/.test(path);
}

/**
 * Returns why a response must not be sent to this topic, where it would act as a command or imitate a message from a station (section 18 of
 * the contract). Returns undefined if it can be sent.
 */
function refusalOfResponse(topic: string, { prefix, base }: { prefix: string; base: string }): string | undefined {
  if (topic === '') return 'The response topic is empty.';
  if (/[+#\p{Cc}]/u.test(topic)) {
    return `A response topic must not contain the wildcards + and # or control characters, and ${JSON.stringify(topic)} does.`;
  }
  if (topic.startsWith('$')) return `A response topic must not begin with $: such topics belong to the broker.`;
  const taken = topic.split('/').find((level) => TAKEN_LEVELS.has(level));
  if (taken !== undefined) {
    return `A response topic must not have the level "${taken}", or the answer could be read as a command or a state.`;
  }
  if (topic.startsWith(`${base}/`) && isResult(topic.slice(base.length + 1))) return undefined;
  const below = [`${DISCOVERY}/`, `${prefix}/`, `${USUAL_PREFIX}/`].find((start) => topic.startsWith(start));
  if (below === undefined) {
    if (!isLikeStation(topic)) return undefined;
    return `The response topic ${JSON.stringify(topic)} reads like a topic of another station. Use a topic of your program, such as erp/answers, or one of this station that ends in /result.`;
  }
  const owner = below === `${DISCOVERY}/` ? 'Home Assistant looks for devices' : 'stations publish';
  return `A response topic must not be below ${below}, where ${owner}. Use a topic of your program, or one of this station that ends in /result.`;
}
