import type { ChannelModel } from 'amqplib';

/** What we use of the driver's connection: the bytes that it has yet to read, and how it reads the next frame of them. */
interface Driver {
  rest: Buffer;
  recvFrame(): unknown;
}

const FRAME_HEADER = 2;
/** Type, channel and length of a frame (AMQP 0-9-1, 2.3.5). */
const FRAME_BYTES = 7;
/** Class, weight and the length of the content (2.3.5.2); flags and properties follow. */
const CONTENT_BYTES = 12;
const FLAGS_BYTES = 2;
const FRAME_END = 0xce;

/**
 * Has a message whose properties the driver cannot read taken for one without any. The driver decodes tables and lists
 * within each other by recursion: some thousands of levels, which whoever may publish can send and the broker passes on,
 * would overflow its stack and break the connection, again with each delivery, until the broker gives the message up
 * after fifty. Nothing behind it in the queue would be read meanwhile.
 */
export function ignoreUnreadableHeaders(connection: ChannelModel, onIgnored: (error: unknown) => void): void {
  const driver = connection.connection as unknown as Driver; // its types leave out what is internal
  const recvFrame = driver.recvFrame.bind(driver);
  let passedOn: unknown;
  driver.recvFrame = () => {
    const bytes = driver.rest;
    try {
      return recvFrame();
    } catch (error) {
      // Where the driver has gone past the frame it was whole, and decoding it is what failed. It calls itself for more
      // bytes: what the inner call has passed on is not about this call's frame.
      if (error === passedOn || driver.rest === bytes || bytes[0] !== FRAME_HEADER) {
        passedOn = error;
        throw error;
      }
      onIgnored(error);
      driver.rest = Buffer.concat([withoutProperties(bytes), driver.rest]);
      return recvFrame();
    }
  };
}

/** The same frame with no flag set, and so no property. */
function withoutProperties(bytes: Buffer): Buffer {
  const frame = Buffer.alloc(FRAME_BYTES + CONTENT_BYTES + FLAGS_BYTES + 1);
  bytes.copy(frame, 0, 0, FRAME_BYTES + CONTENT_BYTES);
  frame.writeUInt32BE(CONTENT_BYTES + FLAGS_BYTES, 3);
  frame[frame.length - 1] = FRAME_END;
  return frame;
}
