import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { compile } from './check.ts';
import { PROBLEMS_MAX } from './faults.ts';
import { Integers, NameOf, OneOf } from './enumerations.ts';
import { Email, Text, Timestamp, Uuid } from './fields.ts';
import { examine } from './testing/index.ts';

const Person = Type.Object({ Name: Text(5), Email: Type.Optional(Email()) });

describe('compile', () => {
  it('reports every problem by its JSON pointer', () => {
    const check = compile(Type.Object({ A: Text(3), B: Type.Array(Email()) }), { unknownFields: 'drop' });
    assert.deepEqual(check({ B: ['x'] }), [
      { pointer: '/A', message: 'is required', code: 'required' },
      { pointer: '/B/0', message: 'must be an email address', code: 'not_an_email' },
    ]);
  });

  it('drops unknown fields, including prototype names', () => {
    const body = JSON.parse('{"Name":"Ann","Role":"Admin","__proto__":{"x":1},"constructor":1}') as object;
    assert.equal(compile(Person, { unknownFields: 'drop' })(body), undefined);
    assert.deepEqual(Object.keys(body), ['Name']);
  });

  it('is compiled once for equal schemas, and refuses anything that is no schema', () => {
    const schema = Type.Object({ N: Type.Integer() });
    const body = compile(schema, { unknownFields: 'drop' });
    assert.equal(compile(schema, { unknownFields: 'drop', coerce: false }), body);
    assert.notEqual(compile(schema, { unknownFields: 'drop', coerce: true }), body);
    assert.notEqual(compile(Type.Object({ N: Type.Integer() }), { unknownFields: 'drop' }), body);
    const wrong = compile(Type.Unsafe({ type: 'object', required: 'N' }), { unknownFields: 'refuse' });
    assert.throws(() => wrong({}), /required value must be \["array"\]/);
  });

  it('compiles one schema with different options', () => {
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

  it('refuses an invalid schema, and an unknown keyword, on first use', () => {
    const options = { unknownFields: 'drop' } as const;
    assert.throws(() => compile(Type.String({ minLength: -1 }), options)('x'), /schema is invalid/);
    assert.throws(() => compile(Type.String({ minimumLength: 1 }), options)('x'), /unknown keyword/);
  });

  it('finds the place of a mistake in a schema', () => {
    const schema = Type.Object({ A: Type.Array(Type.String({ maxLength: 0.5 })) });
    assert.throws(() => compile(schema, { unknownFields: 'drop' })({}), /schema is invalid: maxLength/);
    assert.throws(() => examine(schema), /schema is invalid: data\/properties\/A\/items\/maxLength/);
  });

  it('coerces queries and fills in defaults', () => {
    const schema = Type.Object({ n: Type.Integer({ default: 7 }), b: Type.Boolean() });
    const check = compile(schema, { unknownFields: 'drop', coerce: true });
    const query: Record<string, unknown> = { b: 'true' };
    assert.equal(check(query), undefined);
    assert.deepEqual(query, { b: true, n: 7 });
  });

  it('does not coerce to infinity', () => {
    const limit = Type.Integer({ minimum: 1, maximum: 200 });
    const check = compile(Type.Object({ limit }), { unknownFields: 'drop', coerce: true });
    for (const endless of ['1e999', '-1e999', 'Infinity']) {
      const pointers = check({ limit: endless })?.map(({ pointer }) => pointer);
      assert.deepEqual(pointers, ['/limit'], endless);
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

  it('accepts plain UUIDs only, as Postgres does', () => {
    const check = compile(Type.Object({ Id: Uuid() }), { unknownFields: 'drop' });
    const id = '01900000-0000-7000-8000-00000000000a';
    assert.equal(check({ Id: id }), undefined);
    const problem = { pointer: '/Id', message: 'must be a UUID', code: 'not_a_uuid' };
    for (const wrong of [`urn:uuid:${id}`, `{${id}}`, `${id}\n`, id.replaceAll('-', ''), ` ${id}`])
      assert.deepEqual(check({ Id: wrong }), [problem]);
  });

  it('refuses unknown fields if configured, at any depth and by pointer', () => {
    const Filter = Type.Object({ Name: Type.Optional(Type.String()) }, { minProperties: 1 });
    const check = compile(Type.Object({ Filter: Type.Optional(Filter) }), { unknownFields: 'refuse' });
    assert.equal(check({ Filter: { Name: 'Ann' } }), undefined);
    for (const [body, pointers] of [
      ['{"Filter":{"name":"Ann"}}', ['/Filter/name']],
      ['{"Filter":{"Name":"Ann","A/B~":1,"C":2}}', ['/Filter/A~1B~0', '/Filter/C']],
      ['{"Filter":{"Name":"Ann","__proto__":{}},"filter":{}}', ['/filter', '/Filter/__proto__']],
    ] as const) {
      const problems = check(JSON.parse(body)) ?? [];
      assert.deepEqual(new Set(problems.map(({ pointer }) => pointer)), new Set(pointers));
      assert.ok(problems.every(({ code }) => code === 'unknown_field'));
    }
    const empty = { pointer: '/Filter', message: 'must have at least 1 field', code: 'too_few' };
    assert.deepEqual(check({ Filter: {} }), [empty]);
  });

  it('has a code for every kind of error', () => {
    const schema = Type.Object({
      Text: Type.String({ minLength: 2, maxLength: 3, pattern: /^a/.source }),
      Number: Type.Integer({ minimum: 1, maximum: 2 }),
      List: Type.Array(Type.Integer(), { minItems: 1, maxItems: 2 }),
      Kind: NameOf(['A']),
      At: Type.String({ format: 'date-time' }),
      Link: Type.String({ format: 'uri' }),
      Line: Text(5),
    });
    const right = { Text: 'ab', Number: 1, List: [1], Kind: 'A', At: '2026-01-01T00:00:00Z' };
    const good = { ...right, Link: 'https://x.example', Line: 'x' };
    const check = compile(schema, { unknownFields: 'refuse' });
    assert.equal(check({ ...good }), undefined);
    for (const [name, value, code] of [
      ['Text', 'a', 'too_short'],
      ['Text', 'aaaa', 'too_long'],
      ['Text', 'ba', 'malformed'],
      ['Text', 1, 'wrong_type'],
      ['Number', 0, 'too_small'],
      ['Number', 3, 'too_large'],
      ['List', [], 'too_few'],
      ['List', [1, 2, 3], 'too_many'],
      ['Kind', 'B', 'unknown_value'],
      ['At', 'today', 'not_a_date_time'],
      ['Link', 'x', 'not_a_uri'],
      ['Line', 'a\nb', 'not_plain_text'],
      ['Other', 1, 'unknown_field'],
    ] as const) {
      const problems = check({ ...good, [name]: value });
      const found = problems?.map((problem) => [problem.pointer, problem.code]);
      assert.deepEqual(found, [[`/${name}`, code]]);
    }
  });

  it('reports at most twenty problems', () => {
    const check = compile(Type.Array(Type.Integer(), { maxItems: 100 }), { unknownFields: 'drop' });
    assert.equal(check(Array.from({ length: 21 }, () => 'x'))?.length, PROBLEMS_MAX);
    assert.equal(check(Array.from({ length: 5 }, () => 'x'))?.length, 5);
  });
});

describe('the time of a check', () => {
  const Item = Type.Object({ Id: Uuid(), Kind: OneOf({ A: 1 }), Name: Type.Optional(Text(5)) });
  const Body = Type.Object({
    Items: Type.Optional(Type.Array(Item, { minItems: 1, maxItems: 500 })),
    Emails: Type.Optional(Type.Array(Email(), { maxItems: 100 })),
    Name: Type.Optional(Text(5)),
    At: Type.Optional(Timestamp()),
  });
  const fields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, 0]));
  /** The worst bodies of 100 KB, each in parsed form. */
  const hostile: Record<string, () => unknown> = {
    '34,000 empty objects': () => ({ Items: Array.from({ length: 34_000 }, () => ({})) }),
    '500 objects, all wrong': () => ({
      Items: Array.from({ length: 500 }, () => ({ Id: 'x', Kind: 'x', Name: 'too long' })),
    }),
    '50,000 numbers for texts': () => ({ Emails: Array.from({ length: 50_000 }, () => 1) }),
    '100 texts of 1,000 characters': () => ({ Emails: Array.from({ length: 100 }, () => 'ﷺ'.repeat(1000)) }),
    '15,000 unknown fields': () => fields(15_000),
    '15,000 unknown fields in an item': () => ({ Items: [fields(15_000)] }),
    '50,000 brackets': () => JSON.parse(`{"Items":${'['.repeat(50_000)}${']'.repeat(50_000)}}`) as unknown,
    'a time of 100,000 spaces': () => ({ At: ' '.repeat(100_000) }),
    'a text of 100,000 characters': () => ({ Name: '\u0000'.repeat(100_000) }),
  };

  for (const unknownFields of ['drop', 'refuse'] as const) {
    for (const [what, make] of Object.entries(hostile)) {
      it(`is short for ${what} (${unknownFields})`, () => {
        const check = compile(Body, { unknownFields });
        check(make());
        const values = Array.from({ length: 10 }, make);
        const times = values.map((value) => {
          const startedAt = process.cpuUsage();
          assert.ok((check(value)?.length ?? 0) <= PROBLEMS_MAX);
          const { user, system } = process.cpuUsage(startedAt);
          return user + system;
        });
        // Only the shortest time counts, because other processes and garbage collection lengthen the others.
        assert.ok(Math.min(...times) < 20_000, `${times.join(', ')} µs`);
      });
    }
  }
});
