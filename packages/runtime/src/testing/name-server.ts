import { createSocket } from 'node:dgram';

/** What a name server answers: addresses (IPv4), any message, or nothing. */
export type NameAnswer = string[] | Buffer | undefined;

/** Starts a name server without IPv6 addresses. `answer` gets the name and the query, and may answer late. */
export async function startNameServer(
  answer: (name: string, query: Buffer) => NameAnswer | Promise<NameAnswer>,
) {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, isV6, end } = readQuestion(query);
    asked.push(name);
    void Promise.resolve(answer(name, query)).then((given) => {
      if (given === undefined) return;
      const message = Buffer.isBuffer(given) ? given : encode(query.subarray(0, end), isV6 ? [] : given);
      // The test may have closed it meanwhile.
      socket.send(message, port, address, () => {});
    });
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  return {
    address: `127.0.0.1:${port}`,
    asked,
    stop: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

/** The first question of a query (RFC 1035 §4.1.2), and where it ends. */
function readQuestion(query: Buffer): { name: string; isV6: boolean; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), isV6: query.readUInt16BE(at + 1) === 28, end: at + 5 };
}

function encode(question: Buffer, addresses: string[]): Buffer {
  const message = Buffer.from(question);
  message.writeUInt16BE(0x8180, 2);
  message.writeUInt16BE(1, 4);
  message.writeUInt16BE(addresses.length, 6);
  message.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    // A pointer to the name of the question, type A, class IN, one second, four bytes.
    const head = [0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4];
    return Buffer.from([...head, ...address.split('.').map(Number)]);
  });
  return Buffer.concat([message, ...records]);
}
