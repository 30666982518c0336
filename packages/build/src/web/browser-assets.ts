/** Files that are built for browsers, to be included in programs. */
export interface BrowserAssets {
  /** The output folder, next to the source that reads it. */
  folder: string;
  /** The file contents, by path from the root. */
  files: Map<string, string>;
  /** The source files, as paths from the root. */
  inputs: string[];
}
