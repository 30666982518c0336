/**
 * A value that the database cannot store, such as text with U+0000. Retrying does not help: HTTP responds with 400, a
 * queue consumer parks the message.
 */
export class Unstorable extends Error {
  override name = 'Unstorable';
}
