import assert from 'node:assert/strict';
import { parseManifests } from './manifests.ts';

/** Files in base64, by the Secret that holds them and their names. */
export type Secrets = Record<string, Record<string, string>>;

/** The Secrets that deploy/kubernetes/secrets.sh prints. */
export function readPrintedSecrets(printed: string): Secrets {
  return Object.fromEntries(
    parseManifests(printed).map((manifest) => {
      assert.equal(manifest.kind, 'Secret');
      // The output of the script.
      return [manifest.metadata.name, (manifest as unknown as { data: Record<string, string> }).data];
    }),
  );
}
