import { jsonIn } from '@gatehouse/runtime';
import { compile, Optional, Type, Uuid, type Static, type TObject, type TSchema } from '@gatehouse/schema';
import { ApiError } from '../errors.ts';

/** The query parameters of a list: `query: Type.Object({ ...pagingQuery(), status: … })`. */
export function pagingQuery() {
  return {
    limit: Type.Integer({
      minimum: 1,
      maximum: 200,
      default: 50,
      description: 'Maximum number of items to return. Defaults to 50.',
    }),
    cursor: Optional.String({
      maxLength: 1000,
      description: 'The `NextCursor` of the previous page. Omit it to get the first page.',
    }),
  };
}

/** The response of a list; `NextCursor` is present if there are more items. */
export function Page<T extends TSchema>(item: T) {
  return Type.Object({ Items: Type.Array(item), NextCursor: Optional.String() });
}

export function countQuery() {
  return {
    count: Optional.Boolean({
      description: 'Whether to return `Count`, the number of items on all pages together',
    }),
  };
}

export function CountedPage<T extends TSchema>(item: T) {
  return Type.Object({
    ...Page(item).properties,
    Count: Optional.Integer({
      description:
        'Number of items on all pages, up to 10000. Absent without `count`, and if counting takes too long.',
    }),
    CountIsExact: Optional.Boolean({
      description: 'Whether `Count` is the exact number; false if there are more',
    }),
  });
}

export function countFields(counted: Counted | undefined): {
  Count?: number;
  CountIsExact?: boolean;
} {
  return counted === undefined ? {} : { Count: counted.count, CountIsExact: counted.isExact };
}

/** Pages by keys of this shape, whose field names tell lists apart. A cursor is the key of a page’s last item. */
export function createPaging<S extends TObject>(keySchema: S) {
  type Key = Static<S>;
  const check = compile(keySchema, { unknownFields: 'refuse' });
  return {
    /** The key after which to continue. @throws {ApiError} 400 for anything that is not a cursor of this list. */
    read(cursor: string | undefined): Key | undefined {
      if (cursor === undefined) return undefined;
      const key = jsonIn(Buffer.from(cursor, 'base64url').toString('utf8'));
      if (check(key) === undefined) return key as Key; // just checked
      const message = 'must be the NextCursor of a previous page of this list';
      const fault = { pointer: '/query/cursor', message, code: 'unknown_cursor' } as const;
      throw new ApiError('invalid_request', 'Invalid cursor', { errors: [fault] });
    },

    /** The cursor that continues after a key, for lists that determine the next key themselves. */
    cursor: (key: Key): string => encode(key),

    /** A page of up to `limit + 1` rows; an extra row means that there are more. */
    page<Row, Item>(
      rows: readonly Row[],
      limit: number,
      { key, item }: { key: (row: Row) => Key; item: (row: Row) => Item },
    ): { Items: Item[]; NextCursor?: string } {
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        Items: shown.map(item),
        ...(rows.length > limit && last !== undefined && { NextCursor: encode(key(last)) }),
      };
    },
  };
}

/** The number of rows of a list: exactly, or at least this many. */
type Counted = { count: number; isExact: boolean };

/** Divides a list into pages by ids, newest first; the name of the id distinguishes the cursors of different lists. */
export function pagingById(name: string) {
  const paging = createPaging(Type.Object({ [name]: Uuid() }));
  return {
    answer: async <Row, Item>(
      { limit, cursor, count }: { limit: number; cursor?: string; count?: boolean },
      list: {
        /** `nextBeforeId`: where the next page begins; `undefined` at the end. */
        find: (page: {
          beforeId: string | undefined;
          max: number;
        }) => Promise<{ rows: readonly Row[]; nextBeforeId: string | undefined }>;
        /** `undefined` if counting takes too long. Without it, the list cannot be counted. */
        count?: () => Promise<Counted | undefined>;
        items: (rows: readonly Row[]) => Item[] | Promise<Item[]>;
      },
    ) => {
      const beforeId = paging.read(cursor)?.[name];
      const [{ rows, nextBeforeId }, counted] = await Promise.all([
        list.find({ beforeId, max: limit }),
        count === true ? list.count?.() : undefined,
      ]);
      return {
        Items: await list.items(rows),
        ...(nextBeforeId !== undefined && { NextCursor: paging.cursor({ [name]: nextBeforeId }) }),
        ...countFields(counted),
      };
    },
  };
}

function encode(key: unknown): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}
