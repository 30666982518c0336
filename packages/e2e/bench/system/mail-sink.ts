import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail server that accepts every mail and stores none. */
export interface MailSink {
  url: string;
  /** How many mails have arrived. */
  readonly count: number;
  /** Resolves when this many mails have arrived. Rejects after `seconds`. */
  reach(count: number, seconds: number): Promise<void>;
  /** Called with the recipient of each mail that arrives. */
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
  // A client that disconnects is not an error of the sink.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo; // the server listens on a port
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
