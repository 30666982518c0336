import assert from 'node:assert/strict';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createBrowserSessions } from './browser-session.ts';
import { browserKeysOf, portalSecretOf, readPortalSecret, tokenKeysOf } from '../tokens/token-keys.ts';
import { TEST_SECRET } from '../testing/index.ts';

const MAC_LENGTH = 43;

describe('browser sessions', () => {
  const keys = browserKeysOf(tokenKeysOf(TEST_SECRET));
  const sessions = createBrowserSessions(keys);
  const session = { accountId: randomUUID(), sessionId: randomUUID() };
  const value = sessions.issue('pages', session);
  const macOf = (key: Buffer | undefined, text: string) =>
    createHmac('sha256', key ?? '')
      .update(text)
      .digest('base64url');
  const signed = (text: string, purpose: 'pages' | 'console' = 'pages') =>
    keys[purpose].reduce((before: string, key) => `${before}.${macOf(key, before)}`, text);
  const named = `${session.accountId}.${session.sessionId}`;

  it('reads what it issued, which is the same every time', () => {
    assert.equal(value, signed(`2.pages.${named}`));
    assert.equal(sessions.issue('pages', session), value);
    assert.deepEqual(sessions.read('pages', value), session);
  });

  it('reads one with an end until then, and not with another', () => {
    let now = 1_700_000_000_000;
    const timed = createBrowserSessions(keys, { now: () => now });
    const ending = { ...session, endsAt: 1_700_000_060 };
    const short = timed.issue('pages', ending);
    assert.equal(short, signed(`2.pages.${named}.1700000060`));
    assert.deepEqual(timed.read('pages', short), ending);
    assert.equal(timed.read('pages', short.replace('.1700000060.', '.1700000061.')), undefined);
    assert.equal(timed.read('pages', short.replace('.1700000060.', '.')), undefined);
    now += 60_000;
    assert.equal(timed.read('pages', short), undefined);
    assert.deepEqual(timed.read('pages', value), session);
    for (const endsAt of [0, -1, 1.5, Number.NaN, Infinity, 17_000_000_000])
      assert.throws(() => timed.issue('pages', { ...session, endsAt }), TypeError);
  });

  it('say whether they were handed over, which nobody can change', () => {
    for (const end of [{}, { endsAt: 9_999_999_999 }]) {
      const over = { ...session, ...end, isHandedOver: true };
      const [marked, another] = [sessions.issue('pages', over), sessions.issue('pages', over)];
      const { cookieId, ...read } = sessions.read('pages', marked) ?? {};
      assert.deepEqual(read, over);
      assert.match(cookieId ?? '', /^[\w-]{22}$/);
      assert.notEqual(sessions.read('pages', another)?.cookieId, cookieId);
      for (const [from, to] of [
        [`.handed-over-${cookieId}`, ''],
        [`-${cookieId}`, ''],
        [cookieId, sessions.read('pages', another)?.cookieId],
      ])
        assert.equal(sessions.read('pages', marked.replace(from ?? '', to ?? '')), undefined);
    }
    // As version 1.0.0 issued it.
    const { accountId, sessionId } = session;
    const earlier = sessions.read('pages', signed(`2.pages.${named}.handed-over`));
    assert.deepEqual(earlier, { accountId, sessionId, isHandedOver: true });
    const [, text = '', macs = ''] = /^(.*?)((?:\.[\w-]{43})+)$/.exec(value) ?? [];
    assert.equal(sessions.read('pages', `${text}.handed-over${macs}`), undefined);
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

  it('refuses every other shape, also under good MACs', () => {
    const { accountId, sessionId } = session;
    const over = `2.pages.${named}.handed-over`;
    const ends = ['.', '.0999999999', '.99999999999', '.9999999999.9999999999', `-${'a'.repeat(22)}`, ' '];
    for (const text of [
      ...['', `1.pages.${named}`, `3.pages.${named}`, `2.console.${named}`, `2.__proto__.${named}`],
      ...[`2.pages.${accountId}`, `2.pages.${named}.${sessionId}`, ` 2.pages.${named}`],
      ...ends.map((end) => `2.pages.${named}${end}`),
      ...[`${over}.9999999999`, `${over}.handed-over`, `${over}-`],
      ...[`${over}-${'a'.repeat(21)}`, `${over}-${'a'.repeat(23)}`],
      ...[`2.pages.${accountId.toUpperCase()}.${sessionId}`, `2.pages.${accountId}.${'0'.repeat(36)}`],
    ])
      assert.equal(sessions.read('pages', signed(text)), undefined, text);
    const mac = value.slice(-MAC_LENGTH);
    const cut = [value.slice(0, -MAC_LENGTH), value.slice(0, -MAC_LENGTH - 1), mac];
    for (const text of [`${value}=`, `"${value}"`, `${value}\n`, `${value}.${mac}`, ...cut])
      assert.equal(sessions.read('pages', text), undefined, text);
    assert.equal(sessions.read('pages', '2.pages.'.repeat(1_000_000)), undefined);
  });

  it('refuses a cookie whose MACs are right but exchanged, or one of them twice', () => {
    const text = `2.pages.${named}`;
    const [first, second] = value.slice(text.length + 1).split('.');
    for (const macs of [[second, first], [first, first], [second, second], [first], [second]])
      assert.equal(sessions.read('pages', [text, ...macs].join('.')), undefined, macs.join('.'));
  });

  it('keeps the purposes apart, each with keys of its own', () => {
    const ofConsole = sessions.issue('console', session);
    assert.equal(ofConsole, signed(`2.console.${named}`, 'console'));
    assert.deepEqual(sessions.read('console', ofConsole), session);
    assert.equal(sessions.read('pages', ofConsole), undefined);
    assert.equal(sessions.read('console', value), undefined);
    assert.equal(sessions.read('console', signed(`2.console.${named}`)), undefined);
  });

  it('are invalid with another TOKEN_SECRET', () => {
    const others = createBrowserSessions(browserKeysOf(tokenKeysOf(`${TEST_SECRET}!`)));
    assert.equal(others.read('pages', value), undefined);
  });

  it('of the pages can be checked by Portal, but not made, and those of the console neither', () => {
    const portalKeys = browserKeysOf(readPortalSecret(portalSecretOf(TEST_SECRET)));
    const portal = createBrowserSessions(portalKeys);
    assert.deepEqual(portal.read('pages', value), session);
    const own = value.slice(0, -2 * (MAC_LENGTH + 1));
    assert.equal(portal.read('pages', `${own}.${'A'.repeat(43)}.${value.slice(-MAC_LENGTH)}`), undefined);
    assert.equal(portal.read('pages', `${own}.${value.slice(-MAC_LENGTH)}`), undefined);
    assert.equal(portal.read('console', sessions.issue('console', session)), undefined);
    assert.throws(() => portal.issue('console', session), /is missing/);
    assert.throws(() => portal.issue('pages', session), /is missing/);
    // What Portal could put together with all that it holds, also from a genuine cookie of another session.
    const others = sessions.issue('pages', { accountId: randomUUID(), sessionId: randomUUID() });
    const [, shared] = portalKeys.pages;
    for (const first of [
      macOf(shared, own),
      others.slice(-2 * MAC_LENGTH - 1, -MAC_LENGTH - 1),
      sessions.issue('console', session).slice(-MAC_LENGTH),
    ]) {
      const forged = `${own}.${first}.${macOf(shared, `${own}.${first}`)}`;
      assert.deepEqual(portal.read('pages', forged), session, 'for Portal itself it is right');
      assert.equal(sessions.read('pages', forged), undefined);
    }
  });

  it('refuse invalid ids', () => {
    assert.throws(() => sessions.issue('pages', { ...session, accountId: 'a-1' }), TypeError);
    const odd = { ...session, sessionId: `${session.sessionId}.` };
    assert.throws(() => sessions.issue('pages', odd), TypeError);
    assert.equal(sessions.read('pages', randomBytes(40).toString('latin1')), undefined);
  });
});
