import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { compile } from './check.ts';
import { Closed, Email, Integers, OneOf, Text, Uuid } from './fields.ts';

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

  it('reads one schema in different ways, each as it was asked to', () => {
    const schema = Type.Object({ N: Type.Integer({ default: 7 }) });
    const body = compile(schema, { unknownFields: 'drop' });
    const answer = compile(schema, { unknownFields: 'refuse' });
    const query = compile(schema, { unknownFields: 'drop', coerce: true });
    const value = { N: 1, Extra: 1 };
    assert.equal(answer(value)?.length, 1);
    assert.equal(body(value), undefined);
    assert.deepEqual(value, { N: 1 });
    assert.deepEqual([body({ N: '1' })?.length, query({ N: '1' })], [1, undefined]);
    assert.deepEqual([body({})?.length, query({})], [1, undefined]);
  });

  it('refuses a schema that is none, and a keyword that nobody knows', () => {
    const options = { unknownFields: 'drop' } as const;
    assert.throws(() => compile(Type.String({ minLength: -1 }), options), /schema is invalid/);
    assert.throws(() => compile(Type.String({ minimumLength: 1 }), options), /unknown keyword/);
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

  it('coerces nothing to a number without end, which no bound would hold', () => {
    const limit = Type.Integer({ minimum: 1, maximum: 200 });
    const check = compile(Type.Object({ limit }), { unknownFields: 'drop', coerce: true });
    for (const endless of ['1e999', '-1e999', 'Infinity']) {
      assert.deepEqual(
        check({ limit: endless })?.map(({ pointer }) => pointer),
        ['/limit'],
        endless,
      );
    }
    assert.equal(check({ limit: '2e2' }), undefined);
  });

  it('refuses control characters, lone surrogates and numbers outside a set', () => {
    const check = compile(Person, { unknownFields: 'drop' });
    for (const name of ['a\u0000', 'a\nb', '\ud800', ''])
      assert.ok(check({ Name: name }), JSON.stringify(name));
    const status = compile(Integers({ A: 1, B: 2 }), { unknownFields: 'refuse' });
    assert.equal(status(2), undefined);
    assert.ok(status(3));
  });

  it('takes bare identifiers alone, as what keeps them does', () => {
    const check = compile(Type.Object({ Id: Uuid() }), { unknownFields: 'drop' });
    const id = '01900000-0000-7000-8000-00000000000a';
    for (const right of [id, id.toUpperCase()]) assert.equal(check({ Id: right }), undefined);
    for (const wrong of [`urn:uuid:${id}`, `{${id}}`, `${id}\n`, id.replaceAll('-', ''), ` ${id}`]) {
      assert.deepEqual(check({ Id: wrong }), [{ pointer: '/Id', message: 'must be a UUID' }]);
    }
  });

  it('reads one of a numbered set by its number or its name, whatever the case', () => {
    const Status = { Normal: 1, Deactivated: 4 };
    const inBody = compile(Type.Object({ Status: OneOf(Status) }), { unknownFields: 'drop' });
    const read = (value: unknown, check = inBody) => {
      const body = { Status: value };
      return check(body) ?? body.Status;
    };
    assert.deepEqual(
      [4, 'Deactivated', 'dEACTIVATED'].map((value) => read(value)),
      [4, 4, 4],
    );
    for (const wrong of [0, 2, 4.5, '4', '', 'toString', 'Normal ', null, true, [4], { Normal: 1 }]) {
      assert.deepEqual(read(wrong), [
        { pointer: '/Status', message: 'must be one of 1 Normal, 4 Deactivated, by number or name' },
      ]);
    }
    const inPath = compile(Type.Object({ Status: OneOf(Status) }), { unknownFields: 'drop', coerce: true });
    assert.deepEqual([read('4', inPath), read('normal', inPath)], [4, 1]);
  });

  it('refuses an unknown or no field in what is closed, and drops it elsewhere', () => {
    const Filter = Closed({ Name: Type.Optional(Type.String()), Age: Type.Optional(Type.Integer()) });
    const check = compile(Type.Object({ Filter: Type.Optional(Filter) }), { unknownFields: 'drop' });
    const body = { Filter: { Name: 'Ann' }, Other: 1 };
    assert.equal(check(body), undefined);
    assert.deepEqual(body, { Filter: { Name: 'Ann' } });
    const message = 'is not a known field';
    for (const [filter, pointers] of [
      ['{"name":"Ann"}', ['/Filter/name']],
      ['{"Name":"Ann","A/B~":1,"C":2}', ['/Filter/A~1B~0', '/Filter/C']],
      ['{"Name":"Ann","__proto__":{}}', ['/Filter/__proto__']],
    ] as const) {
      const given = { Filter: JSON.parse(filter) as object };
      assert.deepEqual(
        check(given),
        pointers.map((pointer) => ({ pointer, message })),
      );
    }
    assert.deepEqual(
      check({ Filter: {} })?.map(({ pointer }) => pointer),
      ['/Filter'],
    );
  });
});
