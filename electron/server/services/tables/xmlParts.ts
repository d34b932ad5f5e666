import { SaxesParser } from 'saxes';
import type { InParts } from '#shared/lib/station/inParts.ts';
import { damaged } from './refusals.ts';

/** Receives elements and text. The names of elements and attributes have no namespace prefixes. */
export type XmlHandler = {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(name: string): void;
};

/** Incremental XML parser. */
export type XmlParts = {
  write(chunk: Uint8Array): InParts<void>;
  /** Ends the document. Throws `invalid` if the document is incomplete. */
  end(): void;
};

/** Number of bytes to parse per step. A step takes about 1 ms. */
const CHUNK = 8 * 1024;
/** Maximum number of characters in one text, comment or tag. The parser can need thirty times as much memory. */
const MAX_PIECE = 1_048_576;
const MAX_DEPTH = 64;
/** Maximum number of attributes of an element, because the parser keeps them until the tag ends. */
const MAX_ATTRIBUTES = 256;

/**
 * Creates a parser for the XML in a workbook: UTF-8 or UTF-16, without a DTD. `name` is the file name for messages. The parser throws
 * `invalid` for other documents.
 */
export function xmlParts(name: string, handler: XmlHandler): XmlParts {
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false });
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let depth = 0;
  let attributes = 0;
  let written = 0;
  let done = 0;

  const fail = (what: string): never => {
    throw damaged(`${name} ${what}`);
  };
  const finishPiece = (): void => {
    done = written;
  };

  parser.on('error', () => fail('is not valid XML'));
  parser.on('doctype', () => fail('has a document type'));
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (!/^(?:utf-?8|utf-?16(?:le|be)?|us-ascii)$/i.test(encoding)) fail('has an unusual encoding');
  });
  parser.on('opentagstart', () => {
    attributes = 0;
    depth += 1;
    if (depth > MAX_DEPTH) fail('is nested too deeply');
  });
  parser.on('attribute', () => {
    finishPiece();
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES) fail('has too many attributes');
  });
  parser.on('opentag', ({ name: full, attributes: all }) => {
    finishPiece();
    handler.open(localName(full), all);
  });
  parser.on('closetag', ({ name: full }) => {
    finishPiece();
    depth -= 1;
    handler.close(localName(full));
  });
  for (const event of ['text', 'cdata'] as const) {
    parser.on(event, (text) => {
      finishPiece();
      handler.text(text);
    });
  }
  for (const event of ['comment', 'processinginstruction'] as const) parser.on(event, finishPiece);

  function decode(chunk?: Uint8Array): string {
    try {
      decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      return fail('has bytes that are not characters');
    }
  }

  return {
    *write(chunk) {
      const text = decode(chunk);
      for (let at = 0; at < text.length; at += CHUNK) {
        const part = text.slice(at, at + CHUNK);
        written += part.length;
        parser.write(part);
        if (written - done > MAX_PIECE) fail('has a text that is too long');
        yield;
      }
    },
    end() {
      parser.write(decode());
      parser.close();
    },
  };
}

function encodingOf(chunk: Uint8Array | undefined): string {
  const [first, second] = chunk ?? [];
  if (first === 0xff || second === 0) return 'utf-16le';
  return first === 0xfe || first === 0 ? 'utf-16be' : 'utf-8';
}

function localName(full: string): string {
  const at = full.indexOf(':');
  return at < 0 ? full : full.slice(at + 1);
}
