import type { Controller, ControllerParts } from '../networkLinks.ts';
import { OpenEPaperLink, type OpenEPaperLinkOptions } from './openEPaperLink.ts';

/** The access point at an address. */
export function createOpenEPaper(
  parts: ControllerParts & Pick<OpenEPaperLinkOptions, 'clock' | 'ids' | 'log'>,
): Controller {
  let link: OpenEPaperLink | undefined;
  return {
    connect(host) {
      link = new OpenEPaperLink(host, { ...parts, url: parts.wish.url });
      return link;
    },
    // A name and nothing else: another address is another controller.
    change: () => undefined,
    problems: () => link?.problems ?? [],
  };
}
