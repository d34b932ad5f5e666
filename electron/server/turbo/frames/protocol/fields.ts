import type { Reader, ByteWriter } from './wire.ts';

/**
 * A field of a message: how to write and read it, and its text in the protocol documentation. Uses methods instead of function properties,
 * so that fields of any type fit into one list.
 */
export type Field<T> = {
  /** Type on the wire, only for the protocol documentation. */
  readonly wire: string;
  /** The forms of a union, for the protocol documentation. */
  readonly variants?: { readonly [form: string]: Fields };
  /** Whether the field is a credential, which must not appear in logs. */
  readonly isSecret?: true;
  /** Whether the field was added to the end of an existing message. If the value is absent and nothing follows, nothing is written. */
  readonly isAdded?: true;
  write(out: ByteWriter, value: T): void;
  /** Reads the value. Sets `from.failed` if the bytes are invalid. */
  read(from: Reader): T;
};

export type Fields = { readonly [name: string]: Field<unknown> };

type AddedField = { readonly isAdded: true };

/** Plain object with a value for each of the fields. */
export type BodyOf<F extends Fields> = {
  -readonly [K in keyof F as F[K] extends AddedField ? never : K]: F[K] extends Field<infer T> ? T : never;
} & { -readonly [K in keyof F as F[K] extends AddedField ? K : never]?: F[K] extends Field<infer T> ? T : never };

export const u8: Field<number> = { wire: 'u8', write: (out, value) => out.u8(value), read: (from) => from.u8() };
export const u16: Field<number> = { wire: 'u16', write: (out, value) => out.u16(value), read: (from) => from.u16() };
export const u32: Field<number> = { wire: 'u32', write: (out, value) => out.u32(value), read: (from) => from.u32() };
export const i8: Field<number> = { wire: 'i8', write: (out, value) => out.i8(value), read: (from) => from.i8() };

export const bool: Field<boolean> = {
  wire: 'bool',
  write: (out, value) => out.u8(value ? 1 : 0),
  read: (from) => from.u8() !== 0,
};

/** A color as 0xRRGGBB. */
export const rgb: Field<number> = {
  wire: 'rgb',
  write(out, value) {
    out.u8((value >> 16) & 0xff);
    out.u8((value >> 8) & 0xff);
    out.u8(value & 0xff);
  },
  read: (from) => from.u8() * 0x10000 + from.u8() * 0x100 + from.u8(),
};

/** Text of at most 255 bytes of UTF-8; longer text is cut between two characters. */
export const text8: Field<string> = {
  wire: 'text8',
  write: (out, value) => out.text8(value),
  read: (from) => from.text8(),
};

export const text16: Field<string> = {
  wire: 'text16',
  write: (out, value) => out.text16(value),
  read: (from) => from.text16(),
};

export const bytes16: Field<Uint8Array> = {
  wire: 'bytes16',
  write: (out, value) => out.bytes16(value),
  read: (from) => from.bytes16(),
};

const HEX_PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0').toUpperCase());

/** A DeviceID, `FFFFFF:EEEEEE` in upper case, as six bytes in written order. */
export const deviceId: Field<string> = {
  wire: 'deviceId',
  write(out, value) {
    for (let at = 0; at < 13; at += at === 4 ? 3 : 2) {
      out.u8(hexDigit(value.charCodeAt(at)) * 16 + hexDigit(value.charCodeAt(at + 1)));
    }
  },
  read: (from) =>
    `${readPair(from)}${readPair(from)}${readPair(from)}:${readPair(from)}${readPair(from)}${readPair(from)}`,
};

/** Creates a field for one of a few small numbers. Any other number is malformed. */
export function numberOf<const T extends number>(choices: readonly [T, ...T[]]): Field<T> {
  return {
    wire: `u8: ${choices.join(' or ')}`,
    write: (out, value) => out.u8(value),
    read(from) {
      const value = from.u8();
      const choice = choices.find((one) => one === value);
      if (choice === undefined) from.failed = true;
      return choice ?? choices[0];
    },
  };
}

/** Creates a field for one of a closed list of words, stored as its index. An index beyond the list is malformed. */
export function oneOf<const T extends string>(choices: readonly [T, ...T[]]): Field<T> {
  return {
    wire: `u8: ${choices.map((choice, place) => `${place} = ${choice}`).join(', ')}`,
    write: (out, value) => out.u8(choices.indexOf(value)),
    read(from) {
      const choice = choices[from.u8()];
      if (choice === undefined) from.failed = true;
      return choice ?? choices[0];
    },
  };
}

/**
 * Creates an optional field: a byte that indicates whether a value follows, then the value. At the very end of a payload, the byte can be
 * omitted.
 */
export function optional<T>(field: Field<T>): Field<T | undefined> {
  return {
    wire: `optional ${field.wire}`,
    write(out, value) {
      out.u8(value === undefined ? 0 : 1);
      if (value !== undefined) field.write(out, value);
    },
    read: (from) => (from.atEnd() || from.u8() === 0 ? undefined : field.read(from)),
  };
}

/** Creates an optional field at the end of an existing message. If the value is absent, the bytes of the message do not change. */
export function added<T>(field: Field<T>): Field<T | undefined> & AddedField {
  return { ...optional(field), isAdded: true, ...(field.isSecret === true ? { isSecret: true } : {}) };
}

/** Marks a field whose value must not appear in logs. The encoding stays the same. */
export function secret<T>(field: Field<T>): Field<T> {
  return { ...field, isSecret: true };
}

/** Creates a list field: a count byte, then that many values. */
export function list<T>(field: Field<T>): Field<readonly T[]> {
  return {
    wire: `list of ${field.wire}`,
    write(out, values) {
      const count = Math.min(values.length, 0xff);
      out.u8(count);
      for (let at = 0; at < count; at++) field.write(out, values[at] as T); // `at` is below the length
    },
    read(from) {
      const values: T[] = [];
      for (let left = from.u8(); left > 0 && !from.failed; left--) values.push(field.read(from));
      return values;
    },
  };
}

export type FormOf<V extends { readonly [form: string]: Fields }> = {
  [K in keyof V & string]: { form: K } & BodyOf<V[K]>;
}[keyof V & string];

/** Creates a union field: a byte that selects one of several forms, then the fields of that form. */
export function union<const V extends { readonly [form: string]: Fields }>(variants: V): Field<FormOf<V>> {
  const forms = Object.entries(variants).map(([form, fields]) => ({ form, codec: fieldsCodec(fields) }));
  return {
    variants,
    wire: `u8: ${forms.map(({ form }, place) => `${place} = ${form}`).join(', ')}, then the fields of that form`,
    write(out, value) {
      const place = forms.findIndex(({ form }) => form === value.form);
      out.u8(place);
      forms[place]?.codec.write(out, value);
    },
    read(from) {
      const chosen = forms[from.u8()];
      if (chosen === undefined) from.failed = true;
      // The fields of a form make its body: the types above guarantee it.
      return { form: chosen?.form, ...chosen?.codec.read(from) } as FormOf<V>;
    },
  };
}

type Body = { [name: string]: unknown };

/** Creates a codec that writes and reads the fields of a body in declaration order. */
export function fieldsCodec(fields: Fields): { write(out: ByteWriter, body: Body): void; read(from: Reader): Body } {
  const names = Object.keys(fields);
  const codecs = Object.values(fields);
  return {
    write(out, body) {
      let { length } = codecs;
      while (codecs[length - 1]?.isAdded === true && body[names[length - 1] ?? ''] === undefined) length--;
      for (let at = 0; at < length; at++) codecs[at]?.write(out, body[names[at] ?? '']);
    },
    read(from) {
      const body: Body = {};
      for (let at = 0; at < codecs.length; at++) {
        const value = codecs[at]?.read(from);
        if (value !== undefined || codecs[at]?.isAdded !== true) body[names[at] ?? ''] = value;
      }
      return body;
    },
  };
}

function readPair(from: Reader): string {
  return HEX_PAIRS[from.u8()] ?? '';
}

/** Returns the value of a hexadecimal digit, 0 to 15. Upper and lower case letters differ by one bit. */
function hexDigit(code: number): number {
  return code & 0x40 ? (code & 7) + 9 : code & 15;
}
