/** A block of an event stream; without `data` it is not an event. */
export interface Block {
  event: string | undefined;
  data: string | undefined;
  id: string | undefined;
}

/** Gatehouse's blocks have a few hundred characters. */
const LENGTH_MAX = 1_048_576;

/**
 * The blocks of a stream of server-sent events (HTML, section "Server-sent events"), including comments, which show
 * that the connection is alive.
 */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<Block> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    if (rest.length > LENGTH_MAX) throw new Error('the stream is none of events');
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) yield readBlock(block);
  }
}

function readBlock(block: string): Block {
  const found: Block = { event: undefined, data: undefined, id: undefined };
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, '');
    const name = line.slice(0, colon);
    if (name === 'data') found.data = found.data === undefined ? value : `${found.data}\n${value}`;
    else if (name === 'event' || name === 'id') found[name] = value;
  }
  return found;
}
