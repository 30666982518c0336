import { createPublisher, type AnyEvent } from '@gatehouse/events';
import { testBroker } from '@gatehouse/events/testing';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually, testLog } from '@gatehouse/runtime/testing';
import * as outbox from '../outbox/outbox.ts';
import { startRelay } from '../outbox/relay.ts';
import { claimDue, type DueMail } from '../mail/mail-deliveries.ts';
import { inTransaction, type Db } from '../postgres/connect.ts';
import type { ServiceName } from '../schema/grants.ts';
import { testDatabase } from './database.ts';

/** A database and a broker, as a worker has them: what is committed to the outbox is published. */
export async function testOutbox(worker: ServiceName) {
  const { db, connect, drop } = await testDatabase();
  const own = connect({ as: worker, poolMax: 10 });
  const broker = await testBroker();
  const publisher = createPublisher({ url: broker.url, log: testLog(), topology: broker.topology });
  await eventually(() => publisher.isReady());
  const relay = startRelay({ db, publisher, log: testLog() });
  const wake = (): void => relay.wake();
  return {
    ...{ db, own, broker, wake },
    /** Commits an event to the outbox, as an operation does. */
    publish: async <Event extends AnyEvent>(event: Event): Promise<Event> => {
      await inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, [event]));
      wake();
      return event;
    },
    close: async (): Promise<void> => {
      await relay.stop();
      await publisher.close();
      await broker.drop();
      await drop();
    },
  };
}

/** Claims a mail that is due, like a mail worker; `undefined` if it is not due. */
export async function claimMail(db: Db, id: string, holdSeconds = 15): Promise<DueMail | undefined> {
  const mails = await claimDue(db, { limit: 1000, holdSeconds, takesOver: true, own: [] });
  return mails.find((mail) => mail.id === id);
}
