import assert from 'node:assert/strict';
import { chooseLocale } from './site-routes.ts';

describe('chooseLocale', () => {
  const choose = (accepted?: string, asked?: string): string =>
    chooseLocale(['en', 'de', 'pt-BR'], { asked, accepted });

  for (const [accepted, asked, expected] of [
    [undefined, undefined, 'en'],
    ['', undefined, 'en'],
    ['de-AT,de;q=0.9,en;q=0.8', undefined, 'de'],
    ['fr,en;q=0.4,de;q=0.7', undefined, 'de'],
    ['de;q=0,en', undefined, 'en'],
    ['fr-FR', undefined, 'en'],
    ['PT-br', undefined, 'pt-BR'],
    ['pt', undefined, 'pt-BR'],
    ['en', 'de', 'de'],
    ['de', 'xx', 'de'],
    ['de', '../../etc/passwd', 'de'],
    [';;;,,,;q=,*', '', 'en'],
  ] as const) {
    it(`selects ${expected} for ${JSON.stringify(accepted)}, requested ${JSON.stringify(asked)}`, () => {
      assert.equal(choose(accepted, asked), expected);
    });
  }
});
