import type { Shape } from '../../electron/server/http/compat/bodyShape.ts';
import { readXmlBody as readBody } from '../../electron/server/http/compat/xmlBody.ts';
import { readXml as read, type XmlElement } from '../../electron/server/http/compat/xmlReader.ts';
import { whole } from '#shared/lib/inParts.ts';

export function readXml(document: string): XmlElement {
  return whole(read(document));
}

export function readXmlBody(text: string, shape: Shape): unknown {
  return whole(readBody(text, shape));
}
