import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail server that takes every mail and keeps none. */
export interface MailSink {
  url: string;
  /** How many mails came so far. */
  readonly count: number;
  /** Resolves when that many have come; `seconds` is how long at most. */
  reach(count: number, seconds: number): Promise<void>;
  /** Calls back with the address of each mail that comes, until stopped. */
  onMail: (to: string) => void;
  close(): Promise<void>;
}

export async function startMailSink(): Promise<MailSink> {
  let count = 0;
  let reached = (): void => {};
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 50,
    onData: (stream, session, done) => {
      stream.resume();
      stream.on('end', () => {
        count += 1;
        sink.onMail(session.envelope.rcptTo[0]?.address ?? '');
        reached();
        done(null);
      });
    },
  });
  // A client that went away is no error of the sink's.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo; // it listens on TCP
  const sink: MailSink = {
    url: `smtp://127.0.0.1:${port}`,
    get count() {
      return count;
    },
    reach: (wanted, seconds) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(
          () => reject(new Error(`${count} of ${wanted} mails came within ${seconds} s`)),
          seconds * 1000,
        );
        reached = () => {
          if (count < wanted) return;
          clearTimeout(late);
          resolve();
        };
        reached();
      }),
    onMail: () => {},
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return sink;
}
