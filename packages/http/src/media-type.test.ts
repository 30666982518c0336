import assert from 'node:assert/strict';
import { cpuMsOf } from '@gatehouse/runtime/testing';
import { isMediaType } from './media-type.ts';

describe('isMediaType', () => {
  const JSON_TYPE = 'application/json';

  for (const right of [
    JSON_TYPE,
    'Application/JSON',
    `${JSON_TYPE};`,
    ` ${JSON_TYPE} ; charset=utf-8 `,
    `${JSON_TYPE};charset="UTF-8"`,
    `${JSON_TYPE}; charset=utf8`,
    `${JSON_TYPE}; charset = utf-8;`,
    `${JSON_TYPE}; charset=US-ASCII`,
    `${JSON_TYPE}; odata=verbose; charset=utf-8`,
  ])
    it(`takes ${right}`, () => assert.equal(isMediaType(right, JSON_TYPE), true));

  for (const wrong of [
    undefined,
    '',
    ';',
    ',',
    'application/jsonp',
    `x${JSON_TYPE}`,
    `${JSON_TYPE}, ${JSON_TYPE}`,
    `${JSON_TYPE}; charset=latin1`,
    `${JSON_TYPE}; charset="utf-8`,
    `${JSON_TYPE}; charset=utf-8=utf-8`,
    `${JSON_TYPE}; charset`,
    `${JSON_TYPE}; odata=verbose; charset=utf-16`,
  ])
    it(`refuses ${wrong}`, () => assert.equal(isMediaType(wrong, JSON_TYPE), false));

  it('takes linear time', async () => {
    for (const filler of [' ', ';', '"', '=', '; charset=utf-8']) {
      const long = `${JSON_TYPE}${filler.repeat(16_000)}x`;
      const ms = await cpuMsOf(() => {
        for (let round = 0; round < 100; round += 1) assert.equal(isMediaType(long, JSON_TYPE), false);
      });
      assert.ok(ms < 100, `${ms} ms for ${JSON.stringify(filler)}`);
    }
  });
});
