import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { callbackAt, PRESETS, settingsFor } from './presets.ts';

const ADDRESSES = {
  grafana: 'https://grafana.example.com',
  gitlab: 'https://gitlab.example.com',
  'oauth2-proxy': 'https://wiki.example.com',
  nextcloud: 'https://cloud.example.com',
};

describe('the settings that the console shows for an application', () => {
  for (const preset of PRESETS) {
    if (preset === 'custom') continue;
    it(`are those of docs/applications/${preset}.md`, () => {
      const page = new URL(`../../../../../docs/applications/${preset}.md`, import.meta.url);
      const documented = new Set(readFileSync(page, 'utf8').split('\n'));
      const shown = settingsFor(preset, {
        issuer: 'https://auth.example.com',
        pagesUrl: 'https://auth.example.com',
        clientId: '0198a2f4-6f3c-7a10-9c2e-5f1d2b7c9e01',
        secret: 'gcs_…',
        redirectUri: callbackAt(preset, ADDRESSES[preset]),
        isPublic: false,
      });
      assert.deepEqual(
        shown.split('\n').filter((line) => !documented.has(line)),
        [],
      );
    });
  }
});
