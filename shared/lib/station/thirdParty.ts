/** Third-party software in our packages. */
export type ThirdParty = {
  name: string;
  /** Version of the software. Empty if only the program that contains it has a version. */
  version: string;
  /** License as an SPDX expression. */
  licence: string;
  /** Address of the source. */
  url: string;
  /** Package URL. Empty if there is none. */
  purl: string;
  /** The package that contains the software in compiled form. Empty if the software is a package itself. */
  inside: string;
};

/** Content of `/notices.json` of the built page. `text` is an index in `texts`, because many license texts are identical. */
export type Notices = { packages: readonly (ThirdParty & { text: number })[]; texts: readonly string[] };
