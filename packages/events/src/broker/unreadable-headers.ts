import type { ChannelModel } from 'amqplib';

/** The part of amqplib’s connection that is used here: the unread bytes, and the method that reads the next frame. */
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
 * Treats a message with unreadable properties as one without any. amqplib decodes nested tables and lists recursively.
 * Some thousands of levels, which anyone who may publish can send, overflow its stack and break the connection at each
 * delivery, until the broker gives up on the message after fifty. No message behind it would be read meanwhile.
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
      // If amqplib has moved past the frame, the frame was complete and decoding it failed. It calls itself for more bytes:
      // an error from the inner call is not about this frame.
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

function withoutProperties(bytes: Buffer): Buffer {
  const frame = Buffer.alloc(FRAME_BYTES + CONTENT_BYTES + FLAGS_BYTES + 1);
  bytes.copy(frame, 0, 0, FRAME_BYTES + CONTENT_BYTES);
  frame.writeUInt32BE(CONTENT_BYTES + FLAGS_BYTES, 3);
  frame[frame.length - 1] = FRAME_END;
  return frame;
}
