import assert from 'node:assert/strict';
import { ConfigError, mailPublicKeyOf } from '@gatehouse/runtime';
import { v7 as uuid } from 'uuid';
import { eventTypes, mailingTypes, mailKindOf } from './contracts.ts';
import { createEventReader, newEvent, newMailEvent, schemaOf, type AnyEvent } from './event.ts';
import { mailContents } from './mail-content.ts';
import { createSeal, createUnseal } from './seal.ts';

const read = createEventReader();
const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const registered = newEvent('account.registered', { UserId: uuid() }, { traceId: 'a1b2' });

describe('events', () => {
  it('reads what it wrote, byte for byte', () => {
    assert.deepEqual(read(bytes(registered)), registered);
    assert.deepEqual([registered.specversion, registered.traceid], ['1.0', 'a1b2']);
  });

  it('binds the data to the type at compile time', () => {
    // @ts-expect-error -- a session's end names its session
    newEvent('session.ended', { UserId: uuid() });
    // @ts-expect-error -- there is no such event
    newEvent('account.sneezed', { UserId: uuid() });
  });

  for (const [what, content, reason] of [
    ['text', Buffer.from('hello'), /not JSON/],
    ['null', bytes(null), /CloudEvent/],
    ['another version', bytes({ ...registered, specversion: '2.0' }), /CloudEvent 1.0/],
    ['an unknown type', bytes({ ...registered, type: 'account.sneezed' }), /unknown event type/],
    ['a name every object has', bytes({ ...registered, type: 'constructor' }), /unknown event type/],
    ['data that is missing', bytes({ ...registered, data: {} }), /\/data\/UserId is required/],
    ['an id that is none', bytes({ ...registered, id: 'x' }), /\/id must be a UUID/],
    ['a trace with a line break', bytes({ ...registered, traceid: 'a\r\nBcc: b' }), /\/traceid/],
  ] as const)
    it(`refuses ${what}`, () => {
      const fault = read(content);
      assert.ok(typeof fault === 'string');
      assert.match(fault, reason);
    });

  it('ignores fields added by newer versions', () => {
    const newer = { ...registered, extra: 1, data: { ...registered.data, Extra: 1 } };
    assert.deepEqual(read(bytes(newer)), registered);
  });

  it('has a schema for every type, and a content for every mail', () => {
    for (const type of eventTypes) assert.equal(schemaOf(type).properties.type.const, type);
    const kinds = new Set(mailingTypes.map((type) => mailKindOf(type)));
    assert.deepEqual(kinds, new Set(Object.keys(mailContents)));
  });
});

describe('createSeal', () => {
  const unseal = createUnseal('k'.repeat(32));
  const seal = createSeal(mailPublicKeyOf('k'.repeat(32)));
  const code = { Code: 'ABCD1234', CodeId: uuid(), CodeExpiresAt: new Date().toISOString() };
  const content = { Email: 'ann@example.com', Locale: 'en', ...code };
  const event = newMailEvent(seal, 'account.verification-requested', { UserId: uuid() }, content);

  it('encrypts the code and the address', () => {
    const text = JSON.stringify(event) + Buffer.from(event.data.Mail, 'base64url').toString('latin1');
    assert.doesNotMatch(text, /ABCD1234|ann@|example/);
    assert.deepEqual(unseal.open(event.id, event.data.Mail), content);
    assert.equal(createUnseal('l'.repeat(32)).open(event.id, event.data.Mail), undefined);
  });

  it('opens only for its own event, unchanged', () => {
    assert.equal(unseal.open(uuid(), event.data.Mail), undefined);
    const changed = Buffer.from(event.data.Mail, 'base64url');
    changed.writeUInt8(changed.readUInt8(20) ^ 1, 20);
    for (const text of [changed.toString('base64url'), event.data.Mail.slice(0, -4), '', 'x'])
      assert.equal(unseal.open(event.id, text), undefined);
  });

  it('refuses an invalid key', () => {
    for (const key of ['', 'k'.repeat(32), 'k'.repeat(64)]) assert.throws(() => createSeal(key), ConfigError);
  });

  it('results in a valid event', () => assert.deepEqual(read(bytes(event)), event satisfies AnyEvent));

  it('requires the content of the kind of mail', () => {
    const { Email, Locale } = content;
    // @ts-expect-error -- a mail with a code needs the code
    newMailEvent(seal, 'account.verification-requested', { UserId: uuid() }, { Email, Locale });
  });
});
