import { newAccount, newToken, someAddress } from '@gatehouse/accounts/testing';
import { callsOver } from '@gatehouse/http/testing';
import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import { startCore } from './index.ts';

/** Core with a static token that manages persons, and functions for persons and faces. */
export async function startPersons(...options: Parameters<typeof startCore>) {
  const core = await startCore(...options);
  const calls = callsOver(core.http, someAddress());
  const { id: tokenId, Token: token } = await newToken(core.app);
  const as = (method: 'get' | 'post' | 'put' | 'delete') => (path: string, body?: object) =>
    calls.call(method, path, token, body);
  const [get, post, put, remove] = [as('get'), as('post'), as('put'), as('delete')];
  const addPerson = async (name = someName()): Promise<string> => {
    const { body } = await post('/person', { Name: name }).expect(201);
    return body.Id as string;
  };
  const countsOf = async (id: string): Promise<Counts> => {
    const { body } = await get(`/person/${id}`).expect(200);
    return body.FaceMatchCounts as Counts;
  };
  return {
    ...core,
    tokenId,
    token,
    call: calls.call,
    loggedIn: async (role: 'User' | 'Guest' | 'Admin') => {
      const person = await newAccount(core.app, { role });
      return { ...person, ...(await core.login(person.email)) };
    },
    get,
    post,
    put,
    remove,
    addPerson,
    addFace: async (person: string, more: object = {}) => {
      const given = { SourceId: newId(), Similarity: 0.8, ...more };
      const { body } = await post(`/person/${person}/face`, given).expect(201);
      return body as { Id: string; SourceId: string; FaceMatchType: number };
    },
    countsOf,
    checkCounts: async (): Promise<void> => {
      const sql = `select p.id, array[p.automatch, p.probable_match, p.not_match, p.confirmed_match, p.blurry] as counts,
           array(select count(m.face_id)::integer
                 from generate_series(1, 5) as n left join face_match m on m.person_id = p.id and m.type = n
                 group by n order by n) as rows
         from person p`;
      const counted = await core.sql<{ counts: number[]; rows: number[] }>(sql);
      for (const { counts, rows } of counted) assert.deepEqual(counts, rows);
    },
    facesOf: async (person: string, type: number | string) => {
      const { body } = await get(`/person/${person}/${type}?limit=200`).expect(200);
      return body.Items as { Id: string; SourceId: string; FaceMatchType: number }[];
    },
  };
}

type Counts = Record<'Automatch' | 'ProbableMatch' | 'NotMatch' | 'ConfirmedMatch' | 'Blurry', number>;

let names = 0;

export function someName(): string {
  return `Person ${++names} of ${newId()}`;
}
