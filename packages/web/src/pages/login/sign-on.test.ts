import assert from 'node:assert/strict';
import type { Return } from './destination.ts';
import { beginSignOn, takeSignOn } from './sign-on.ts';

const LOGIN_URL = 'https://admin.example.com/auth/corp/login';

describe('a sign-on from the login page', () => {
  const newTab = () => {
    const kept = new Map<string, string>();
    return {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => void kept.set(name, text),
      removeItem: (name: string) => void kept.delete(name),
    };
  };
  const begin = (tab: ReturnType<typeof newTab>, back: Return = {}, keep = false): string => {
    const url = new URL(beginSignOn(LOGIN_URL, { back, keep, locale: 'de' }, tab));
    assert.equal(`${url.origin}${url.pathname}`, LOGIN_URL);
    const state = url.searchParams.get('state') ?? '';
    assert.match(state, /^[0-9a-f]{64}$/);
    assert.deepEqual(
      [...url.searchParams],
      [
        ['pages', 'true'],
        ['state', state],
        ['locale', 'de'],
      ],
    );
    return state;
  };

  it('has the provider authenticate the user again on request', () => {
    const login = { back: { returnUrl: '/profile/data' }, keep: false, locale: 'en', isFresh: true };
    const { searchParams } = new URL(beginSignOn(LOGIN_URL, login, newTab()));
    assert.equal(searchParams.get('fresh'), 'true');
  });

  it('is accepted once, by the tab that started it', () => {
    const tab = newTab();
    const back = { returnUrl: 'https://app.example.com/', state: 'of the app', codeChallenge: 'y' };
    const said = { HandoverCode: 'x', State: begin(tab, back, true) };
    assert.deepEqual(takeSignOn(said, newTab), { error: 'invalid_attempt' });
    assert.deepEqual(
      takeSignOn(said, () => tab),
      { code: 'x', keep: true, back },
    );
    assert.deepEqual(
      takeSignOn(said, () => tab),
      { error: 'invalid_attempt' },
    );
  });

  it('is not accepted from a link with a foreign code, which has no effect', () => {
    const tab = newTab();
    const State = begin(tab);
    const others = begin(newTab());
    for (const forged of [{}, { State: '' }, { State: others }, { State: 'undefined' }]) {
      const signOn = takeSignOn({ HandoverCode: 'x', ...forged }, () => tab);
      assert.deepEqual(signOn, { error: 'invalid_attempt' }, JSON.stringify(forged));
    }
    assert.deepEqual(
      takeSignOn({ HandoverCode: 'x', State }, () => tab),
      { code: 'x', keep: false, back: {} },
    );
  });

  it('reports why there is no code', () => {
    const tab = newTab();
    const said = { SignOnError: 'access_denied', State: begin(tab, { returnUrl: '/profile' }) };
    assert.deepEqual(
      takeSignOn(said, () => tab),
      { error: 'access_denied', back: { returnUrl: '/profile' } },
    );
  });

  it('is ignored if the URL has no parameters of one', () => {
    assert.equal(takeSignOn({ Email: 'ann@example.com', State: 'x' }, newTab), undefined);
  });
});
