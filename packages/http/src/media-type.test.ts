import assert from 'node:assert/strict';
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

  it('takes linear time', () => {
    for (const filler of [' ', ';', '"', '=', '; charset=utf-8']) {
      const long = `${JSON_TYPE}${filler.repeat(16_000)}x`;
      const startedAt = process.cpuUsage();
      for (let round = 0; round < 100; round += 1) assert.equal(isMediaType(long, JSON_TYPE), false);
      const { user, system } = process.cpuUsage(startedAt);
      assert.ok(user + system < 100_000, `${user + system} µs for ${JSON.stringify(filler)}`);
    }
  });
});
