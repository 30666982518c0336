import assert from 'node:assert/strict';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createBrowserSessions } from './browser-session.ts';
import { browserKeysOf, portalSecretOf, readPortalSecret, tokenKeysOf } from '../tokens/token-keys.ts';
import { TEST_SECRET } from '../testing/index.ts';

describe('browser sessions', () => {
  const keys = browserKeysOf(tokenKeysOf(TEST_SECRET));
  const sessions = createBrowserSessions(keys);
  const session = { accountId: randomUUID(), sessionId: randomUUID() };
  const value = sessions.issue('pages', session);
  const signed = (text: string) =>
    `${text}.${createHmac('sha256', keys.pages ?? '')
      .update(text)
      .digest('base64url')}`;

  it('reads what it issued, which is the same every time', () => {
    assert.equal(value, signed(`1.pages.${session.accountId}.${session.sessionId}`));
    assert.equal(sessions.issue('pages', session), value);
    assert.deepEqual(sessions.read('pages', value), session);
  });

  it('reads one with an end until then, and not with another', () => {
    let now = 1_700_000_000_000;
    const timed = createBrowserSessions(keys, { now: () => now });
    const ending = { ...session, endsAt: 1_700_000_060 };
    const short = timed.issue('pages', ending);
    assert.equal(short, signed(`1.pages.${session.accountId}.${session.sessionId}.1700000060`));
    assert.deepEqual(timed.read('pages', short), ending);
    assert.equal(timed.read('pages', short.replace('.1700000060.', '.1700000061.')), undefined);
    assert.equal(timed.read('pages', short.replace('.1700000060.', '.')), undefined);
    now += 60_000;
    assert.equal(timed.read('pages', short), undefined);
    assert.deepEqual(timed.read('pages', value), session);
    for (const endsAt of [0, -1, 1.5, Number.NaN, Infinity, 17_000_000_000])
      assert.throws(() => timed.issue('pages', { ...session, endsAt }), TypeError);
  });

  it('refuses a value with any one character changed, left out or doubled', () => {
    for (let at = 0; at < value.length; at += 1) {
      const [before, one = '', behind] = [value.slice(0, at), value[at], value.slice(at + 1)];
      for (const other of [one === 'A' ? 'B' : 'A', one === '0' ? '1' : '0', '.', '', one + one, '\u0101']) {
        if (other === one) continue;
        assert.equal(sessions.read('pages', before + other + behind), undefined, `${at} ${other}`);
      }
    }
  });

  it('refuses every other shape, also under a good MAC', () => {
    const { accountId, sessionId } = session;
    for (const text of [
      '',
      `2.pages.${accountId}.${sessionId}`,
      `1.console.${accountId}.${sessionId}`,
      `1.pages.${accountId}`,
      `1.pages.${accountId}.${sessionId}.${sessionId}`,
      `1.pages.${accountId}.${sessionId}.`,
      `1.pages.${accountId}.${sessionId}.0999999999`,
      `1.pages.${accountId}.${sessionId}.99999999999`,
      `1.pages.${accountId}.${sessionId}.9999999999.9999999999`,
      `1.pages.${accountId.toUpperCase()}.${sessionId}`,
      `1.pages.${accountId}.${sessionId} `,
      ` 1.pages.${accountId}.${sessionId}`,
      `1.pages.${accountId}.${'0'.repeat(36)}`,
      `1.__proto__.${accountId}.${sessionId}`,
    ]) {
      assert.equal(sessions.read('pages', signed(text)), undefined, text);
    }
    const mac = value.slice(-43);
    for (const text of [
      `${value}=`,
      `"${value}"`,
      `${value}\n`,
      `${value}.${mac}`,
      value.slice(0, -43),
      mac,
    ]) {
      assert.equal(sessions.read('pages', text), undefined, text);
    }
    assert.equal(sessions.read('pages', '1.pages.'.repeat(1_000_000)), undefined);
  });

  it('keeps the purposes apart, each with a key of its own', () => {
    const ofConsole = sessions.issue('console', session);
    assert.deepEqual(sessions.read('console', ofConsole), session);
    assert.equal(sessions.read('pages', ofConsole), undefined);
    assert.equal(sessions.read('console', value), undefined);
    const { accountId, sessionId } = session;
    assert.equal(sessions.read('console', signed(`1.console.${accountId}.${sessionId}`)), undefined);
  });

  it('are invalid with another TOKEN_SECRET', () => {
    const others = createBrowserSessions(browserKeysOf(tokenKeysOf(`${TEST_SECRET}!`)));
    assert.equal(others.read('pages', value), undefined);
  });

  it('of the pages are Portal’s too, those of the console are not', () => {
    const portal = createBrowserSessions(browserKeysOf(readPortalSecret(portalSecretOf(TEST_SECRET))));
    assert.deepEqual(portal.read('pages', value), session);
    assert.equal(portal.issue('pages', session), value);
    assert.equal(portal.read('console', sessions.issue('console', session)), undefined);
    assert.throws(() => portal.issue('console', session), /no key/);
  });

  it('refuse invalid ids', () => {
    assert.throws(() => sessions.issue('pages', { ...session, accountId: 'a-1' }), TypeError);
    assert.throws(
      () => sessions.issue('pages', { ...session, sessionId: `${session.sessionId}.` }),
      TypeError,
    );
    const odd = randomBytes(40).toString('latin1');
    assert.equal(sessions.read('pages', odd), undefined);
  });
});
