import type { JsonObject } from '../../contract/documents.ts';
import { ODD_VALUES, TEXTS } from './hostile.ts';

/** Values that are likely to be valid, by field or parameter name. Purely random values would be rejected early. */
export type Pools = Readonly<Record<string, readonly unknown[]>>;

/** The field in answers for each path parameter whose name differs. */
const CALLED: Readonly<Record<string, string>> = { DeviceID: 'deviceid', seqID: 'sequenceid' };

/** Random choices, determined by the seed. */
export type Dice = {
  /** Returns a uniformly distributed number in [0, 1). */
  fraction(): number;
  chance(part: number): boolean;
  pick<T>(list: readonly T[]): T;
};

export function createDice(fraction: () => number): Dice {
  return {
    fraction,
    chance: (part) => fraction() < part,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new Error('There is nothing to pick from.');
      return list[Math.floor(fraction() * list.length)] as T;
    },
  };
}

export type Values = {
  /**
   * Returns a value that a schema allows. `name` is the name of the field or parameter. Values are usually taken from `about`, an existing
   * object.
   */
  valueOf(schema: JsonObject, name: string, about?: JsonObject): unknown;
  /** Returns the value with restricted fields limited to their allowed values. */
  confined(value: unknown, name: string): unknown;
  /** Removes, moves, adds or retypes one part of a value. */
  mutated(value: unknown): unknown;
};

export function createValues(parts: {
  dice: Dice;
  pools: Pools;
  /** The only values allowed for these fields. */
  only: Pools;
}): Values {
  const { dice, pools, only } = parts;
  const { chance, fraction, pick } = dice;

  function valueOf(schema: JsonObject, name: string, about: JsonObject = {}): unknown {
    const known = about[CALLED[name] ?? name];
    if (known !== undefined && chance(0.8)) return known;
    const all = only[name];
    if (all !== undefined) return pick(all);
    if (schema['nullable'] === true && chance(0.1)) return null;
    const pool = pools[name];
    if (pool !== undefined && chance(0.7)) return pick(pool);
    const alternatives = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(alternatives)) return valueOf(pick(alternatives as JsonObject[]), name, about);
    if (Array.isArray(schema['enum'])) return pick(schema['enum'] as unknown[]);
    switch (schema['type']) {
      case 'object':
        return objectOf(schema, about);
      case 'array':
        return Array.from({ length: Math.floor(fraction() * 4) }, () =>
          valueOf((schema['items'] ?? {}) as JsonObject, name),
        );
      case 'boolean':
        return chance(0.5);
      case 'integer':
      case 'number':
        return numberOf(schema);
      case 'string':
        return textOf(schema);
      default:
        return pick(ODD_VALUES);
    }
  }

  function objectOf(schema: JsonObject, about: JsonObject): JsonObject {
    const properties = (schema['properties'] ?? {}) as Record<string, JsonObject>;
    const required = (schema['required'] ?? []) as string[];
    // Keep few of the optional fields, some of them, or nearly all.
    const part = pick([0.1, 0.3, 0.9]);
    const kept = Object.entries(properties).filter(([name]) => required.includes(name) || chance(part));
    return Object.fromEntries(kept.map(([name, property]) => [name, valueOf(property, name, about)]));
  }

  function numberOf(schema: JsonObject): number {
    const least = Number(schema['minimum'] ?? 0);
    const most = Math.min(Number(schema['maximum'] ?? 1_000), least + 1_000_000);
    const number = pick([least, most, least + (most - least) * fraction() ** 4]);
    return schema['type'] === 'integer' ? Math.round(number) : number;
  }

  function textOf(schema: JsonObject): string {
    const text = pick(TEXTS);
    const least = Number(schema['minLength'] ?? 0);
    return (text.length < least ? text.padEnd(least, 'x') : text).slice(0, Number(schema['maxLength'] ?? Infinity));
  }

  function confined(value: unknown, name: string): unknown {
    const all = only[name];
    if (all !== undefined) return pick(all);
    if (Array.isArray(value)) return value.map((part) => confined(part, ''));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, confined(part, key)]));
  }

  function mutated(value: unknown): unknown {
    if (Array.isArray(value) && value.length > 0) {
      const at = Math.floor(fraction() * value.length);
      return chance(0.2) ? [...(value as unknown[]), pick(ODD_VALUES)] : value.with(at, mutated(value[at]));
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return pick(ODD_VALUES);
    const names = Object.keys(value);
    if (names.length === 0 || chance(0.1))
      return { ...value, [pick(['api', 'line1', '__proto__x', ''])]: pick(ODD_VALUES) };
    const name = pick(names);
    if (chance(0.3)) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
    return { ...value, [name]: mutated((value as JsonObject)[name]) };
  }

  return { valueOf, confined, mutated };
}
