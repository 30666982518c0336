import assert from 'node:assert/strict';
import { createLog } from './log.ts';
import { eventually, testLog } from '../testing/index.ts';

function keptLog(level = 'debug') {
  const writes: string[] = [];
  return { writes, log: createLog({ service: 'core', level, write: (text) => writes.push(text) }) };
}

describe('createLog', () => {
  it('writes one line of JSON per call, for any text', () => {
    const { log, writes } = keptLog();
    const facts = { status: 200, ok: true, list: [1], none: null };
    log.info('two\nlines\u2028and 100 %s', { ...facts, gone: undefined });
    log.flush();
    const [line, ...rest] = writes.join('').split('\n');
    assert.deepEqual(rest, ['']);
    const { at, ...written } = JSON.parse(line ?? '') as Record<string, unknown>;
    assert.equal(new Date(String(at)).toISOString(), at);
    const own = { level: 'info', service: 'core', message: 'two\nlines\u2028and 100 %s' };
    assert.deepEqual(written, { ...own, ...facts });
  });

  it('redacts the message and the facts', () => {
    const log = testLog();
    log.warn('mail to ann@example.com', { password: 'x', to: 'ann@example.com' });
    log.flush();
    const [line] = log.lines;
    assert.equal(line?.['message'], 'mail to [redacted]');
    assert.deepEqual([line['password'], line['to']], ['[redacted]', '[redacted]']);
  });

  it('does not let fields of the caller overwrite standard fields', () => {
    const log = testLog();
    log.info('true', { message: 'false', level: 'error', service: 'other', at: 'never', stack: 'kept' });
    log.flush();
    const { at, ...line } = log.lines[0] ?? {};
    assert.notEqual(at, 'never');
    assert.deepEqual(line, { level: 'info', service: 'test', message: 'true', stack: 'kept' });
  });

  it('does not write lines below its level', () => {
    const { log, writes } = keptLog('warn');
    log.info('quiet');
    log.child({ a: 1 }).debug('quiet');
    log.repeated('info', 'quiet')(',"status":200');
    log.flush();
    assert.deepEqual(writes, []);
  });

  it('writes lines in batches after a short delay', async () => {
    const { log, writes } = keptLog();
    for (let i = 0; i < 100; i++) log.info('line', { i });
    assert.equal(writes.length, 0);
    await eventually(() => writes.length > 0);
    assert.equal(writes.length, 1);
    assert.equal(writes[0]?.split('\n').length, 101);
  });

  it('writes large batches at once, to limit memory', async () => {
    const { log, writes } = keptLog();
    await new Promise(setImmediate);
    for (let i = 0; i < 200; i++) log.info('line', { text: 'x '.repeat(500) });
    assert.ok(writes.length >= 3, `${writes.length} writes`);
  });

  it('writes an error at once, after the buffered lines', () => {
    const { log, writes } = keptLog();
    log.info('first');
    log.error('second', { error: new Error('why', { cause: new Error('really') }) });
    const lines = writes.join('').trimEnd().split('\n');
    const messages = lines.map((line) => (JSON.parse(line) as { message: string }).message);
    assert.deepEqual(messages, ['first', 'second']);
    assert.match(lines[1] ?? '', /"error":\{"name":"Error","message":"why".*"cause":\{.*"message":"really"/);
  });

  it('adds the fields of a child logger, which a line can override', () => {
    const log = testLog();
    const child = log.child({ a: 1, b: 1 }).child({ c: 1 });
    child.info('of the child', { b: 2 });
    log.info('of the parent');
    child.flush();
    const facts = log.lines.map(({ a, b, c }) => ({ a, b, c }));
    assert.deepEqual(facts, [
      { a: 1, b: 2, c: 1 },
      { a: undefined, b: undefined, c: undefined },
    ]);
  });

  it('writes repeated lines in the order of the calls', async () => {
    const log = testLog();
    const write = log.child({ part: 'a' }).repeated('info', 'request by ann@example.com');
    for (let turn = 0; turn < 3; turn++) {
      log.info('before', { turn });
      write(`,"turn":${turn}`, { to: 'ann@example.com', level: 'error', message: 'other' });
      log.warn('after', { turn });
      await new Promise(setImmediate);
    }
    log.flush();
    const own = { service: 'test', level: 'info' };
    for (const { at } of log.lines) assert.equal(new Date(String(at)).toISOString(), at);
    const lines = log.lines.map(({ at: _, ...line }) => line);
    const expected = [0, 1, 2].flatMap((turn) => [
      { ...own, message: 'before', turn },
      { ...own, message: 'request by [redacted]', part: 'a', turn, to: '[redacted]' },
      { ...own, level: 'warn', message: 'after', turn },
    ]);
    assert.deepEqual(lines, expected);
  });

  it('never throws for a field that cannot be read', () => {
    const log = testLog();
    const hostile = {
      get trap(): string {
        throw new Error('not today');
      },
    };
    log.info('still there', { before: 1, hostile });
    log.flush();
    const { at, ...line } = log.lines[0] ?? {};
    assert.ok(at);
    const own = { level: 'info', service: 'test', message: 'still there' };
    assert.deepEqual(line, { ...own, before: 1, unloggable: 'Error: not today' });
  });
});
