import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserAssets } from './browser-assets.ts';

const FOLDER = 'packages/http/src/openapi/reference';
const PAGE = 'packages/http/src/openapi/reference-page.ts';
const SCRIPT = 'packages/build/node_modules/@scalar/api-reference/dist/browser/standalone.js';

/**
 * The script of the API reference as its authors ship it, under a name that contains a hash of its content. Empty if
 * the repository has no reference page.
 */
export function buildReference(root: string): BrowserAssets {
  if (!existsSync(join(root, PAGE))) return { folder: FOLDER, files: new Map(), inputs: [] };
  // Its last line refers to a source map, which is not served.
  const text = readFileSync(join(root, SCRIPT), 'utf8').replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { folder: FOLDER, files: new Map([[`${FOLDER}/scalar-${hash}.js`, text]]), inputs: [SCRIPT] };
}
