import assert from 'node:assert/strict';
import { jsonFault } from './json-fault.ts';

describe('jsonFault', () => {
  for (const [text, fault] of [
    ['', 'end'],
    ['[', 'end'],
    ['{"a": [1, 2', 'end'],
    ['{"a": "cut', 'end'],
    ['[1,2,]', { line: 1, column: 6 }],
    ['{"a":1,}', { line: 1, column: 8 }],
    ['{"a":1\n "b":2}', { line: 2, column: 2 }],
    ['[{"a":1}\r\n{"b":2}]', { line: 2, column: 1 }],
    ['[1]\n[2]', { line: 2, column: 1 }],
    ['{"a":"x\ny"}', { line: 1, column: 6 }],
    ["{'a':1}", { line: 1, column: 2 }],
    ['[nul]', { line: 1, column: 2 }],
    ['[01]', { line: 1, column: 2 }],
    ['{"a" 1}', { line: 1, column: 6 }],
    ['{1: 2}', { line: 1, column: 2 }],
    ['\u00a0[]', { line: 1, column: 1 }],
  ] as const) {
    it(`finds the syntax error in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(jsonFault(text), fault);
    });
  }

  it('finds no error in valid JSON', () => {
    for (const text of [
      '1',
      '"a"',
      ' [] ',
      '{"a":{"b":[1,-2.5e+3,true,null,"\\"\\u00e4"]},"c":{}}',
      '[[],[{}]]',
    ])
      assert.equal(jsonFault(text), undefined, text);
  });
});
