import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { compile } from './check.ts';
import { Email, Integers, Text } from './fields.ts';

const Person = Type.Object({ Name: Text(5), Email: Type.Optional(Email()) });

describe('compile', () => {
  it('names every problem by its pointer', () => {
    const check = compile(Type.Object({ A: Text(3), B: Type.Array(Email()) }), { unknownFields: 'drop' });
    assert.deepEqual(check({ B: ['x'] }), [
      { pointer: '/A', message: 'is required' },
      { pointer: '/B/0', message: 'must be an email address' },
    ]);
  });

  it('drops fields that the schema does not name, prototype names too', () => {
    const body = JSON.parse('{"Name":"Ann","Role":"Admin","__proto__":{"x":1},"constructor":1}') as object;
    assert.equal(compile(Person, { unknownFields: 'drop' })(body), undefined);
    assert.deepEqual(Object.keys(body), ['Name']);
  });

  it('refuses an answer with a field too many, at any depth', () => {
    const check = compile(Type.Object({ Items: Type.Array(Person) }), { unknownFields: 'refuse' });
    assert.equal(check({ Items: [{ Name: 'Ann' }] }), undefined);
    assert.deepEqual(check({ Items: [{ Name: 'Ann', PasswordHash: 'x' }] }), [
      { pointer: '/Items/0/PasswordHash', message: 'is not a known field' },
    ]);
  });

  it('does not coerce bodies', () => {
    const check = compile(Type.Object({ N: Type.Integer(), T: Type.String() }), { unknownFields: 'drop' });
    assert.equal(check({ N: '1', T: 1 })?.length, 2);
  });

  it('coerces queries and fills in defaults', () => {
    const check = compile(Type.Object({ n: Type.Integer({ default: 7 }), b: Type.Boolean() }), {
      unknownFields: 'drop',
      coerce: true,
    });
    const query: Record<string, unknown> = { b: 'true' };
    assert.equal(check(query), undefined);
    assert.deepEqual(query, { b: true, n: 7 });
  });

  it('refuses control characters, lone surrogates and numbers outside a set', () => {
    const check = compile(Person, { unknownFields: 'drop' });
    for (const name of ['a\u0000', 'a\nb', '\ud800', ''])
      assert.ok(check({ Name: name }), JSON.stringify(name));
    const status = compile(Integers({ A: 1, B: 2 }), { unknownFields: 'refuse' });
    assert.equal(status(2), undefined);
    assert.ok(status(3));
  });
});
