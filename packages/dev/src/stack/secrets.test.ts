import assert from 'node:assert/strict';
import { environment } from './secrets.ts';

describe('environment', () => {
  it("merges settings: the stack's own over the caller's over the defaults", () => {
    const ISSUER = 'https://mine.example';
    const merged = environment({ ISSUER, PORT: '1' }, { ISSUER: 'a', MAIL_FROM: 'b' }, { PORT: '8081' });
    assert.deepEqual(merged, { ISSUER, MAIL_FROM: 'b', PORT: '8081' });
  });

  it('treats NAME and NAME_FILE as one setting', () => {
    const caller = { TOKEN_SECRET: 'mine', DATABASE_URL_FILE: '/run/other-database' };
    const DATABASE_URL = 'postgres://x';
    const merged = environment(caller, { TOKEN_SECRET_FILE: '/secrets/token' }, { DATABASE_URL });
    assert.deepEqual(merged, { TOKEN_SECRET: 'mine', DATABASE_URL });
  });

  it('does not let an empty variable hide a setting', () =>
    assert.deepEqual(environment({ ISSUER: '' }, { ISSUER: 'a' }, {}), { ISSUER: 'a' }));
});
