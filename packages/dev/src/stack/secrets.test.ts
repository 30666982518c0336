import assert from 'node:assert/strict';
import { environment } from './secrets.ts';

describe('environment', () => {
  it("merges settings: the stack's own over the caller's over the defaults", () => {
    assert.deepEqual(
      environment(
        { ISSUER: 'https://mine.example', PORT: '1' },
        { ISSUER: 'a', MAIL_FROM: 'b' },
        { PORT: '8081' },
      ),
      { ISSUER: 'https://mine.example', MAIL_FROM: 'b', PORT: '8081' },
    );
  });

  it('treats NAME and NAME_FILE as one setting', () => {
    assert.deepEqual(
      environment(
        { TOKEN_SECRET: 'mine', DATABASE_URL_FILE: '/run/other-database' },
        { TOKEN_SECRET_FILE: '/secrets/token' },
        { DATABASE_URL: 'postgres://x' },
      ),
      { TOKEN_SECRET: 'mine', DATABASE_URL: 'postgres://x' },
    );
  });

  it('does not let an empty variable hide a setting', () => {
    assert.deepEqual(environment({ ISSUER: '' }, { ISSUER: 'a' }, {}), { ISSUER: 'a' });
  });
});
