import assert from 'node:assert/strict';
import { inMemory as newTab } from '../testing/memory.ts';
import { beginSignOn, takeSignOn } from './sign-on.ts';
import { firstFactor, otherFactors } from './answers.ts';

const LOGIN_URL = 'https://admin.example.com/auth/corp/login';

describe('a sign-on that this tab has begun', () => {
  type Tab = ReturnType<typeof newTab>;
  const show = (tab: Tab) => void Object.assign(globalThis, { sessionStorage: tab });
  afterEach(() => void Reflect.deleteProperty(globalThis, 'sessionStorage'));
  const begin = (tab: Tab, kept: object): string => {
    show(tab);
    const url = new URL(beginSignOn(LOGIN_URL, { pages: 'true', locale: 'de' }, kept));
    assert.equal(`${url.origin}${url.pathname}`, LOGIN_URL);
    const { state = '', ...query } = Object.fromEntries(url.searchParams);
    assert.match(state, /^[0-9a-f]{64}$/);
    assert.deepEqual(query, { pages: 'true', locale: 'de' });
    return state;
  };
  const take = (tab: Tab, { code, ...said }: Record<string, string>) => {
    show(tab);
    return takeSignOn(code, said);
  };

  it('is accepted once, by that tab, with what was kept', () => {
    const tab = newTab();
    const kept = { back: { returnUrl: 'https://app.example.com/' }, keep: true };
    const said = { code: 'x', State: begin(tab, kept) };
    assert.deepEqual(take(newTab(), said), { error: 'invalid_attempt' });
    assert.deepEqual(take(tab, said), { code: 'x', kept });
    assert.deepEqual(take(tab, said), { error: 'invalid_attempt' });
  });

  it('is not accepted from a link with a foreign code, which has no effect', () => {
    const tab = newTab();
    const State = begin(tab, {});
    const others = begin(newTab(), {});
    for (const forged of [{}, { State: '' }, { State: others }, { State: 'undefined' }]) {
      const taken = take(tab, { code: 'x', ...forged });
      assert.deepEqual(taken, { error: 'invalid_attempt' }, JSON.stringify(forged));
    }
    assert.deepEqual(take(tab, { code: 'x', State }), { code: 'x', kept: {} });
  });

  it('reports why there is no code', () => {
    const tab = newTab();
    const kept = { path: '/console/audit' };
    const said = { SignOnError: 'access_denied', State: begin(tab, kept) };
    assert.deepEqual(take(tab, said), { error: 'access_denied', kept });
  });

  it('is ignored if the URL has no parameters of one', () => {
    assert.equal(take(newTab(), { Email: 'ann@example.com', State: 'x' }), undefined);
  });
});

const PASSKEY = { challenge: 'AAAA' };

describe('selection of the second factor', () => {
  it('is the authenticator app if there is one, with a passkey or a recovery code as alternatives', () => {
    const factors = { names: ['Totp', 'RecoveryCode', 'Passkey'], passkey: PASSKEY };
    assert.equal(firstFactor(factors, true), 'Totp');
    assert.deepEqual(otherFactors(factors, 'Totp'), ['RecoveryCode']);
    assert.deepEqual(otherFactors(factors, 'RecoveryCode'), ['Totp']);
  });

  it('is a passkey without an app', () => {
    const factors = { names: ['RecoveryCode', 'Passkey'], passkey: PASSKEY };
    assert.equal(firstFactor(factors, true), 'Passkey');
    assert.deepEqual(otherFactors(factors, 'Passkey'), ['RecoveryCode']);
    assert.deepEqual(otherFactors(factors, 'RecoveryCode'), []);
  });

  it('is a recovery code in a browser without passkeys', () => {
    const first = firstFactor({ names: ['RecoveryCode', 'Passkey'], passkey: PASSKEY }, false);
    assert.equal(first, 'RecoveryCode');
  });
});
