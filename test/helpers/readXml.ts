import type { Shape } from '../../electron/server/http/dialects/bodyShape.ts';
import { readXmlBody as readBody } from '../../electron/server/http/dialects/xmlBody.ts';
import { readXml as read, type InParts, type XmlElement } from '../../electron/server/http/dialects/xmlReader.ts';

/** All parts of it in one turn. */
function whole<T>(parts: InParts<T>): T {
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
  }
}

export function readXml(document: string): XmlElement {
  return whole(read(document));
}

export function readXmlBody(text: string, shape: Shape): unknown {
  return whole(readBody(text, shape));
}
