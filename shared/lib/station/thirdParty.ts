/** Third-party software in our packages. */
export type ThirdParty = {
  name: string;
  /** Empty if only the program that contains the part has a version. */
  version: string;
  /** SPDX expression. */
  licence: string;
  /** Address of its source. */
  url: string;
  /** Package URL. Empty: none. */
  purl: string;
  /** The package that contains the software in compiled form. Empty: the software is a package itself. */
  inside: string;
};

/** `/notices.json` of the built page. `text`: index in `texts`, because many license texts are identical. */
export type Notices = { packages: readonly (ThirdParty & { text: number })[]; texts: readonly string[] };
