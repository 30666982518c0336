import { during } from '@gatehouse/runtime/testing';
import { everyRawRequestIsAnswered } from './raw/every-raw-request.ts';
import { rawConnectionsHarmNothing } from './raw/raw-connections.ts';
import { secretsStayWhereTheyBelong } from './secrets.ts';
import { slowClients } from './raw/slow-clients.ts';
import { startTarget } from './target.ts';

describe('attacks', function () {
  this.timeout(180_000);
  const target = during(() => startTarget());

  const slow = slowClients(target);
  describe('slow clients', slow.keepNobodyWaiting);
  describe('raw connections', () => rawConnectionsHarmNothing(target));
  describe('raw requests are answered', () => everyRawRequestIsAnswered(target));
  describe('secrets', () => secretsStayWhereTheyBelong(target));
  describe('slow clients, at the end,', slow.areCutOff);
});
