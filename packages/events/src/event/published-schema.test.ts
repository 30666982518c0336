import assert from 'node:assert/strict';
import { mailPublicKeyOf } from '@gatehouse/runtime';
import { Ajv, Ajv2020 } from '@gatehouse/schema/testing';
import { v7 as uuid } from 'uuid';
import { eventTypes } from './contracts.ts';
import { newEvent, newMailEvent, publishedSchemaOf } from './event.ts';
import { createSeal } from './seal.ts';

for (const [draft, Validator] of [
  ['draft 7', Ajv],
  ['draft 2020-12', Ajv2020],
] as const)
  describe(`published schemas in a validator of ${draft} with nothing added`, () => {
    const ajv = new Validator();
    for (const type of eventTypes)
      it(`${type} compiles, without sealed fields`, () => {
        const schema = publishedSchemaOf(type);
        assert.equal(ajv.compile(schema)({}), false);
        assert.doesNotMatch(JSON.stringify(schema), /Mail|seal|format/);
      });

    it('accept published events, with and without a mail', () => {
      const event = newEvent('account.password-changed', { UserId: uuid(), Reason: 'by its owner' });
      const content = { Email: 'ann@example.com', Locale: 'en', At: new Date().toISOString() };
      const seal = createSeal(mailPublicKeyOf('k'.repeat(32)));
      const mailing = newMailEvent(seal, event.type, event.data, content);
      const validate = ajv.compile(publishedSchemaOf(event.type));
      for (const one of [event, mailing]) assert.equal(validate(JSON.parse(JSON.stringify(one))), true);
      for (const data of [{}, { UserId: 'x' }, { UserId: uuid(), Reason: 'a\u0000b' }])
        assert.equal(validate({ ...event, data }), false, JSON.stringify(data));
    });
  });
