/** What is built for browsers, for programs to carry along. */
export interface BrowserAssets {
  /** Where it is built to: beside the source that reads it. */
  folder: string;
  /** By their paths from the root. */
  files: Map<string, string>;
  /** What they were made of, by paths from the root. */
  inputs: string[];
}
