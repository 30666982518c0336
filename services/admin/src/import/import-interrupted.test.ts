import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { publishSessions } from '@gatehouse/accounts';
import { inTransaction, userSessions } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { cast } from '../testing/cast.ts';

const PATH = '/admin/account/import';

describe('an import of many accounts', () => {
  const { admin, app, boss, login, member, sql } = cast({});

  /** A domain that only this test uses, for counting. */
  const someDomain = () => `${newId().slice(-12)}.example`;
  const count = async (domain: string) =>
    (await sql('select id from account where email_key like ?', [`%@${domain}`])).length;
  const HEAD = () =>
    `POST ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${boss.Token}\r\nContent-Type: application/x-ndjson\r\n`;
  const portOf = () => Number(new URL(admin().url).port);

  it('accepts large bodies, in constant memory', async () => {
    const domain = someDomain();
    const rows = 20_000;
    const pad = 'x'.repeat(90);
    let sent = 0;
    const text = Buffer.from(
      Array.from({ length: rows }, (_, at) => `{"Email":"p${at}@${domain}","DisplayName":"${pad}"}\n`).join(
        '',
      ),
    );
    const socket = connect(portOf(), '127.0.0.1');
    socket.write(`${HEAD()}Content-Length: ${text.length}\r\nConnection: close\r\n\r\n`);
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    const begun = process.memoryUsage().heapUsed;
    let most = 0;
    while (sent < text.length) {
      const isTaken = socket.write(text.subarray(sent, sent + 65_536));
      sent += 65_536;
      if (!isTaken) await new Promise((resolve) => socket.once('drain', resolve));
      most = Math.max(most, process.memoryUsage().heapUsed - begun);
    }
    await eventually(() => socket.closed, 20);
    assert.match(answer, /^HTTP\/1.1 200 [^]*"Imported":20000,/);
    assert.equal(await count(domain), rows);
    assert.ok(most < 150_000_000, `${most} bytes more were held`);
  });

  it('keeps committed accounts when the client disconnects, and continues when sent again', async () => {
    const domain = someDomain();
    const line = (at: number) => `{"Email":"p${at}@${domain}"}\n`;
    const lines = Array.from({ length: 1200 }, (_, at) => line(at));
    const socket = connect(portOf(), '127.0.0.1');
    socket.write(`${HEAD()}Content-Length: 1000000\r\n\r\n${lines.slice(0, 1100).join('')}`);
    await eventually(async () => (await count(domain)) === 1000);
    socket.destroy();
    await sleep(50);
    assert.equal(await count(domain), 1000);
    const { body } = await boss.imports(lines.join('')).expect(200);
    assert.deepEqual([body.Imported, body.Skipped, body.Failed], [200, 1000, 0]);
  });

  for (const [name, revoke, answer] of [
    [
      'is disabled',
      'update account set is_disabled = true where id = ?',
      /^HTTP\/1.1 401 [^]*session_deactivated/,
    ],
    ['is an administrator no more', `update account set role = 'User' where id = ?`, /^HTTP\/1.1 403 /],
  ] as const) {
    it(`stops reading from a caller who ${name}`, async () => {
      const domain = someDomain();
      const person = await member({ role: 'Admin' });
      const session = await login(person);
      const socket = connect(portOf(), '127.0.0.1');
      let answered = '';
      socket.on('data', (chunk: Buffer) => (answered += chunk.toString()));
      const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${session.Token}\r\n`;
      const kind = 'Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n';
      const piece = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
      socket.write(`${head}${kind}${piece(`{"Email":"before@${domain}"}\n`.repeat(500))}`);
      await eventually(async () => (await count(domain)) === 1);
      await sql(revoke, [person.id]);
      const { db } = app();
      const touched = await inTransaction(db, NO_DEADLINE, (tx) => userSessions.renewCopies(tx, [person.id]));
      await publishSessions(app(), touched);
      await sleep(300);
      socket.write(piece(`{"Email":"chief@${domain}","Role":"Admin"}\n`) + piece(''));
      await eventually(() => answered !== '');
      assert.match(answered, answer);
      socket.destroy();
      assert.equal(await count(domain), 1);
    });
  }

  it('reports its progress when Postgres fails midway, and completes when sent again', async () => {
    const domain = someDomain();
    const lines = Array.from({ length: 1200 }, (_, at) => `{"Email":"p${at}@${domain}"}\n`);
    await app().db.raw(`
      create function fail_late() returns trigger language plpgsql as $$ begin
        if new.email = 'p700@${domain}' then raise exception 'no disk' using errcode = '53100'; end if;
        return new;
      end $$;
      create trigger fail_late before insert on account for each row execute function fail_late()`);
    try {
      const { body, headers } = await boss.imports(lines.join('')).expect(503);
      assert.equal(body.code, 'unavailable');
      assert.match(body.detail, /500 accounts imported, all lines up to 500 processed/);
      assert.ok(headers['retry-after']);
    } finally {
      await app().db.raw('drop function fail_late cascade');
    }
    assert.equal(await count(domain), 500);
    const { body } = await boss.imports(lines.join('')).expect(200);
    assert.deepEqual([body.Imported, body.Skipped], [700, 500]);
  });
});
