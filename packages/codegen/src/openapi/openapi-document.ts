import { format } from 'prettier';
import { mergedDocument } from './merged-document.ts';

/** The OpenAPI document of all APIs, in the folder of Core, which serves it. As a path from the root. */
export const DOCUMENT_FILE = 'services/core/src/public-openapi.json';

export function documentText(): Promise<string> {
  return format(JSON.stringify(mergedDocument()), { parser: 'json', printWidth: 110 });
}
