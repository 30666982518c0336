import assert from 'node:assert/strict';
import { createLog } from './log.ts';
import { eventually, testLog } from '../testing/index.ts';

/** A log whose writes are kept, each as it came. */
function keptLog(level = 'debug') {
  const writes: string[] = [];
  return { writes, log: createLog({ service: 'core', level, write: (text) => writes.push(text) }) };
}

describe('createLog', () => {
  it('writes one line of JSON for each call, whatever the text holds', () => {
    const { log, writes } = keptLog();
    log.info('two\nlines\u2028and 100 %s', { status: 200, ok: true, list: [1], none: null, gone: undefined });
    log.flush();
    const [line, ...rest] = writes.join('').split('\n');
    assert.deepEqual(rest, ['']);
    const { at, ...facts } = JSON.parse(line ?? '') as Record<string, unknown>;
    assert.equal(new Date(String(at)).toISOString(), at);
    assert.deepEqual(facts, {
      level: 'info',
      service: 'core',
      message: 'two\nlines\u2028and 100 %s',
      status: 200,
      ok: true,
      list: [1],
      none: null,
    });
  });

  it('redacts the message and the facts', () => {
    const log = testLog();
    log.warn('mail to ann@example.com', { password: 'x', to: 'ann@example.com' });
    log.flush();
    const [line] = log.lines;
    assert.equal(line?.['message'], 'mail to [redacted]');
    assert.deepEqual([line['password'], line['to']], ['[redacted]', '[redacted]']);
  });

  it('does not let a fact take the place of the line’s own fields', () => {
    const log = testLog();
    log.info('true', { message: 'false', level: 'error', service: 'other', at: 'never', stack: 'kept' });
    log.flush();
    const { at, ...line } = log.lines[0] ?? {};
    assert.notEqual(at, 'never');
    assert.deepEqual(line, { level: 'info', service: 'test', message: 'true', stack: 'kept' });
  });

  it('writes lines below its level nowhere', () => {
    const { log, writes } = keptLog('warn');
    log.info('quiet');
    log.child({ a: 1 }).debug('quiet');
    log.flush();
    assert.deepEqual(writes, []);
  });

  it('gathers lines and writes them together soon', async () => {
    const { log, writes } = keptLog();
    for (let i = 0; i < 100; i++) log.info('line', { i });
    assert.equal(writes.length, 0);
    await eventually(() => writes.length > 0);
    assert.equal(writes.length, 1);
    assert.equal(writes[0]?.split('\n').length, 101);
  });

  it('writes what is much at once, so that little is held', async () => {
    const { log, writes } = keptLog();
    await new Promise(setImmediate);
    for (let i = 0; i < 200; i++) log.info('line', { text: 'x '.repeat(500) });
    assert.ok(writes.length >= 3, `${writes.length} writes`);
  });

  it('writes an error at once, with what waits before it, in order', () => {
    const { log, writes } = keptLog();
    log.info('first');
    log.error('second', { error: new Error('why', { cause: new Error('really') }) });
    const lines = writes.join('').trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { message: string }).message),
      ['first', 'second'],
    );
    assert.match(lines[1] ?? '', /"error":\{"name":"Error","message":"why".*"cause":\{.*"message":"really"/);
  });

  it('gives a child its facts, which the line’s own facts overrule', () => {
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

  it('writes lines that come again and again among the others, in the order of the calls', async () => {
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
    const lines = log.lines.map(
      ({ at, ...line }) => (assert.equal(new Date(String(at)).toISOString(), at), line),
    );
    assert.deepEqual(
      lines,
      [0, 1, 2].flatMap((turn) => [
        { ...own, message: 'before', turn },
        { ...own, message: 'request by [redacted]', part: 'a', turn, to: '[redacted]' },
        { ...own, level: 'warn', message: 'after', turn },
      ]),
    );
  });

  it('writes no lines again and again below its level', () => {
    const { log, writes } = keptLog('warn');
    log.repeated('info', 'quiet')(',"status":200');
    log.flush();
    assert.deepEqual(writes, []);
  });

  it('never throws at its caller for a fact that cannot be read', () => {
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
    assert.deepEqual(line, {
      level: 'info',
      service: 'test',
      message: 'still there',
      before: 1,
      unloggable: 'Error: not today',
    });
  });
});
