import { connect } from 'amqplib';

/** The bytes that a list within a list adds: its tag and its length. */
const LEVEL_BYTES = 5;
const BYTE_ARRAY = 'x'.charCodeAt(0);
const LIST = 'A'.charCodeAt(0);

/**
 * Publishes a message with a header of nested lists, deeper than the driver itself can write: the driver gets a header
 * of bytes of the same size, which are replaced on their way to the broker.
 */
export async function publishNested(
  url: string,
  message: { exchange: string; key: string; content: Buffer; levels: number },
): Promise<void> {
  const { exchange, key, content, levels } = message;
  const connection = await connect(url);
  try {
    const channel = await connection.createConfirmChannel();
    const { stream } = connection.connection as unknown as { stream: { write(bytes: Buffer): boolean } }; // the driver's own
    const write = stream.write.bind(stream);
    const placeholder = Buffer.alloc(levels * LEVEL_BYTES, 'z');
    let isReplaced = false;
    stream.write = (bytes) => {
      const at = bytes.indexOf(placeholder);
      if (at >= 0) {
        isReplaced = true;
        // The tag and length before the bytes become those of the outermost list.
        if (bytes[at - LEVEL_BYTES] !== BYTE_ARRAY) throw new Error('the header is not written as expected');
        bytes[at - LEVEL_BYTES] = LIST;
        for (let level = 0; level < levels; level += 1) {
          bytes[at + level * LEVEL_BYTES] = LIST;
          bytes.writeUInt32BE((levels - level - 1) * LEVEL_BYTES, at + level * LEVEL_BYTES + 1);
        }
      }
      return write(bytes);
    };
    channel.publish(exchange, key, content, { headers: { deep: placeholder } });
    await channel.waitForConfirms();
    if (!isReplaced) throw new Error('the header was not found on its way');
  } finally {
    await connection.close();
  }
}
