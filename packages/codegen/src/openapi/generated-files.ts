import { clientTypes, operationTypes } from './client-types.ts';
import { gatewayPaths } from './gateway-paths.ts';
import { DOCUMENT_FILE, mergedDocument } from './merged-document.ts';

/** What the build writes from the routes, by path from the root: git ignores these files. */
export function generatedFiles(): Map<string, string> {
  const document = mergedDocument();
  return new Map([
    [DOCUMENT_FILE, `${JSON.stringify(document, null, 2)}\n`],
    ...clientTypes(document),
    ...operationTypes(document),
    ...gatewayPaths(),
  ]);
}
