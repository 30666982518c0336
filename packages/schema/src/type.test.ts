import assert from 'node:assert/strict';
import { Type as TypeBox } from 'typebox';
import { compile } from './check.ts';
import { Type } from './type.ts';

/** Schemas by the builders of either. */
function schemasBy(make: typeof Type): Record<keyof typeof Type, object> {
  const options = { description: 'what it is' };
  const text = make.String({ ...options, maxLength: 3 });
  return {
    Array: make.Array(text, { ...options, maxItems: 2 }),
    Boolean: make.Boolean({ ...options, default: true }),
    Integer: make.Integer({ ...options, minimum: 1 }),
    Literal: make.Array(make.Union([make.Literal('x', options), make.Literal(1), make.Literal(false)])),
    Null: make.Null(options),
    Number: make.Number({ ...options, maximum: 1 }),
    Object: make.Object({ a: text, b: make.Optional(text), c: make.Null() }, { minProperties: 1 }),
    Optional: make.Object({
      only: make.Optional(make.Object({ a: make.Optional(make.Unsafe({ ...text })) })),
    }),
    Record: make.Record(make.String(), text),
    String: text,
    Union: make.Union([text, make.Null()], options),
    Unknown: make.Unknown(options),
    Unsafe: make.Unsafe({ type: 'string', enum: ['a'] }),
  };
}

describe('Type', () => {
  const ours = schemasBy(Type);
  const theirs = schemasBy(TypeBox);

  for (const name of Object.keys(Type) as (keyof typeof Type)[]) {
    it(`writes ${name} as TypeBox does, field by field`, () => {
      assert.equal(JSON.stringify(ours[name]), JSON.stringify(theirs[name]));
    });
  }

  it('leaves a schema required that was made optional elsewhere, or copied from an optional one', () => {
    const text = Type.String();
    const optional = Type.Optional(text);
    const check = compile(Type.Object({ text, optional, copy: Type.Unsafe({ ...optional }) }), {
      unknownFields: 'drop',
    });
    assert.deepEqual(
      check({})?.map(({ pointer }) => pointer),
      ['/text', '/copy'],
    );
  });
});
