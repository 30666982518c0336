/** What is built for browsers, for programs to carry along. */
export interface BrowserAssets {
  /** The output folder, next to the source that reads it. */
  folder: string;
  /** By their paths from the root. */
  files: Map<string, string>;
  /** What they were made of, by paths from the root. */
  inputs: string[];
}
