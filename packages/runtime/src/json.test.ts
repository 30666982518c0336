import assert from 'node:assert/strict';
import { jsonFault } from './json.ts';

describe('jsonFault', () => {
  for (const [text, column] of [
    ['', 1],
    ['{"a" 1}', 6],
    ['{"a":1,}', 8],
    ['{"a":[1,2}', 10],
    ['{"a":"x', 6],
    ['{"a":"\\x"}', 6],
    ['{"a":"\\u12g4"}', 6],
    ['{"a":01}', 7],
    ['{"a":tru}', 6],
    ['{"a":1}}', 8],
    ['{"a":{"b":[{}]}, "c":-1.5e3, "d":"\\"}", "e":null ] }', 50],
  ] as const)
    it(`finds it in ${JSON.stringify(text)}`, () => {
      assert.throws(() => JSON.parse(text));
      assert.equal(jsonFault(text).place, `line 1, column ${column}`);
    });

  it('counts lines of every kind', () => {
    for (const text of ['{"a":1\n "b":2}', '{"a":1}\r\n b', '[1\n,]'])
      assert.equal(jsonFault(text).place, 'line 2, column 2', text);
  });

  it('says if the text only ends too early', () => {
    for (const text of ['', '[1,', '{"a": "cut', '{"a": "\\"cut']) assert.ok(jsonFault(text).isCutOff, text);
    for (const text of ['[1]]', '{"a": "x\ny"}', '[nul', '{"a": "\\x"}'])
      assert.ok(!jsonFault(text).isCutOff, text);
  });

  it('finds it at once in texts of a hundred kilobytes', () => {
    for (const part of ['a', '\\"', '[', '{"a":', ' ', '1', '\n', ',']) {
      const text = `{"a":"${part === '[' || part === '{"a":' ? '",' : ''}${part.repeat(102_400 / part.length)}`;
      const begun = performance.now();
      jsonFault(text);
      assert.ok(performance.now() - begun < 200, part);
    }
  });
});
