/** Somebody else's work in our packages. */
export type ThirdParty = {
  name: string;
  /** Empty where only the program that contains it has a version. */
  version: string;
  /** SPDX expression. */
  licence: string;
  /** Where its source is. */
  url: string;
  /** Package URL; empty where it has none. */
  purl: string;
  /** The package that contains it compiled; empty: it is one itself. */
  inside: string;
};

/** `/notices.json` of the built page. `text` is an index of `texts`: many licences are the same. */
export type Notices = { packages: readonly (ThirdParty & { text: number })[]; texts: readonly string[] };
