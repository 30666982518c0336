import assert from 'node:assert/strict';
import { createForger, forgedTokens } from '@gatehouse/auth-core/testing';
import type { ServiceName, Target } from './target.ts';

/** A path of each service that accepts a bearer token. */
const OPENED = {
  core: '/ping/auth',
  portal: '/account/profile',
  admin: '/admin/user-session?limit=1',
} as const satisfies Record<ServiceName, string>;

const SERVICES = ['core', 'portal', 'admin'] as const;

/** Tokens that each differ from a genuine one in one way. */
export function forgedTokensAreRefused(given: () => Target): void {
  let target: Target;
  let genuine: string;
  before(async () => {
    target = given();
    const { admin } = target.stack.facts;
    genuine = (await target.logIn(admin.Email, admin.Password)).Token;
  });

  for (const service of SERVICES) {
    it(`refuses three hundred forged tokens on ${service}`, async () => {
      const keys = target.signingKeys();
      const withToken = (token: string) =>
        target.to(service, { method: 'GET', path: OPENED[service], headers: bearer(token) });
      for (const token of [genuine, createForger(genuine, keys).signed({})]) {
        assert.equal((await withToken(token)).status, 200, 'what is genuine opens it');
      }
      const { invalid, expired } = forgedTokens(genuine, keys);
      assert.ok(invalid.length >= 200, `${invalid.length} forgeries`);
      for (const { name, token } of [...invalid, ...expired]) {
        // Whitespace around a header's value is not part of it (RFC 9110 §5.5).
        if (token !== token.trim()) continue;
        const { status, headers, json } = await withToken(token);
        if (token.length > 16_000) assert.equal(status, 431, name);
        else {
          assert.equal(status, 401, name);
          assert.match(String(json['code']), /^token_(invalid|expired)$/, name);
          assert.match(
            headers['www-authenticate'] ?? '',
            /^Bearer realm="gatehouse", error="invalid_token"/,
            name,
          );
        }
      }
    });
  }
}

/** Headers carry Latin-1. Other characters of a forgery are sent as their UTF-8 bytes. */
function bearer(token: string): { authorization: string } {
  const text = Buffer.from(token).toString('latin1');
  // oxlint-disable-next-line no-control-regex -- what Node's client would not send
  return { authorization: `Bearer ${text.replaceAll(/[\u0000-\u0008\u000a-\u001f\u007f]/g, '%')}` };
}
