import { Type } from 'typebox';

/** Fields of the usual types that may be left out. */
export const Optional = {
  String: (options?: Parameters<typeof Type.String>[0]) => Type.Optional(Type.String(options)),
  Boolean: (options?: Parameters<typeof Type.Boolean>[0]) => Type.Optional(Type.Boolean(options)),
  Integer: (options?: Parameters<typeof Type.Integer>[0]) => Type.Optional(Type.Integer(options)),
};
