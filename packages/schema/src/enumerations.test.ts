import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { compile } from './check.ts';
import { Enum, Integers, NameOf, OneOf } from './enumerations.ts';
import { Nullable, Timestamp, Uuid } from './fields.ts';

const id = '01900000-0000-7000-8000-00000000000a';

describe('schema types', () => {
  it('accept one of several words exactly, or null if allowed', () => {
    const Result = Enum(['Invited', 'Reinvited'], { default: 'Invited' });
    const check = compile(Type.Object({ One: Result, Other: Nullable(Result) }), { unknownFields: 'drop' });
    assert.equal(check({ One: 'Reinvited', Other: null }), undefined);
    assert.deepEqual(check({ One: 'invited', Other: '' }), [
      { pointer: '/One', message: 'must be one of Invited, Reinvited', code: 'unknown_value' },
      { pointer: '/Other', message: 'must be one of Invited, Reinvited, null', code: 'unknown_value' },
    ]);
    assert.ok(check({ One: null, Other: null }));
  });

  it('accept null or a value of the type', () => {
    const Named = Type.Object({ Id: Uuid() }, { title: 'Thing' });
    const schema = Type.Object({ At: Nullable(Timestamp()), Thing: Nullable(Named) });
    const check = compile(schema, { unknownFields: 'refuse' });
    assert.equal(check({ At: null, Thing: null }), undefined);
    assert.equal(check({ At: '2026-01-31T09:30:00Z', Thing: { Id: id } }), undefined);
    assert.ok(check({ At: 'never', Thing: null }));
    assert.ok(check({ At: null, Thing: { Id: null } }));
    const described = { type: ['string', 'null'], format: 'uuid', description: 'whose' };
    assert.deepEqual(Nullable(Uuid(), { description: 'whose' }), described);
  });

  it('normalize identifiers everywhere', () => {
    const Id = id.toUpperCase();
    const given = { Id, None: null, Items: [{ Id }], Either: Id, Text: 'ABC' };
    const Either = Type.Union([Type.Integer(), Uuid()]);
    const Items = Type.Array(Type.Object({ Id: Uuid() }));
    const schema = Type.Object({ Id: Uuid(), None: Nullable(Uuid()), Items, Either, Text: Type.String() });
    assert.equal(compile(schema, { unknownFields: 'drop' })(given), undefined);
    assert.deepEqual(given, { Id: id, None: null, Items: [{ Id: id }], Either: id, Text: 'ABC' });
    const path = { id: Id };
    compile(Type.Object({ id: Uuid() }), { unknownFields: 'refuse', coerce: true })(path);
    assert.equal(path.id, id);
  });

  it('read a numbered value by number or case-insensitive name', () => {
    const Status = { Normal: 1, Deactivated: 4 };
    const inBody = compile(Type.Object({ Status: OneOf(Status) }), { unknownFields: 'drop' });
    const read = (value: unknown, check = inBody) => {
      const body = { Status: value };
      return check(body) ?? body.Status;
    };
    const values = [4, 'Deactivated', 'dEACTIVATED'].map((value) => read(value));
    assert.deepEqual(values, [4, 4, 4]);
    const message = 'must be one of the numbers or names 1 Normal, 4 Deactivated';
    for (const wrong of [0, 2, 4.5, '4', '', 'toString', 'Normal ', null, true, [4], { Normal: 1 }])
      assert.deepEqual(read(wrong), [{ pointer: '/Status', message, code: 'unknown_value' }]);
    const inPath = compile(Type.Object({ Status: OneOf(Status) }), { unknownFields: 'drop', coerce: true });
    assert.deepEqual([read('4', inPath), read('normal', inPath)], [4, 1]);
  });

  it('read a name case-insensitively', () => {
    const check = compile(Type.Object({ Role: NameOf(['User', 'Admin']) }), { unknownFields: 'drop' });
    for (const name of ['Admin', 'admin', 'ADMIN']) {
      const body = { Role: name };
      assert.equal(check(body), undefined, name);
      assert.deepEqual(body, { Role: 'Admin' });
    }
    for (const wrong of ['', 'Admin ', 'Administrator', 'toString', 1, null, ['Admin']])
      assert.equal(check({ Role: wrong })?.[0]?.pointer, '/Role', JSON.stringify(wrong));
  });

  it('describe the numbers of a set', () => {
    const two = { enum: [1, 7], type: 'integer', description: '1 Normal, 7 Expired' };
    assert.deepEqual(Integers({ Normal: 1, Expired: 7 }), two);
    const one = { enum: [1], type: 'integer', description: '1 Normal', title: 'Status' };
    assert.deepEqual(Integers({ Normal: 1 }, 'Status'), one);
  });
});
