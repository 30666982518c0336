import { redactText, Unavailable } from '@gatehouse/runtime';
import { FAILURES_HEADER, type MessageFacts } from './message-facts.ts';
import type { Sender } from '../broker/sender.ts';
import type { Topology } from '../broker/topology.ts';

/** A message that was not handled: to be retried, or given up. */
export type Failure =
  | { kind: 'retry'; afterSeconds: number; reason: string; /** Of its handler, so far. */ failures?: number }
  | { kind: 'dead'; reason: string };

const REASON_LENGTH_MAX = 500;
/** None of our messages is longer. The beginning of a longer one is enough to recognize it. */
const COPY_BYTES_MAX = 262_144;

/**
 * Puts a copy of a message into a delay queue or the dead queue; true once the copy is stored. Of the parts that the
 * sender chose, the copy contains only the content and plain words.
 */
export async function setAside(
  sender: Sender,
  topology: Topology,
  message: { content: Buffer; facts: MessageFacts },
  failure: Failure,
): Promise<boolean> {
  const { content, facts } = message;
  const common = { ...facts.identity, persistent: true, mandatory: true };
  try {
    if (failure.kind === 'dead') {
      const headers = {
        'x-reason': redacted(failure.reason),
        'x-parked-at': new Date().toISOString(),
        ...(content.length > COPY_BYTES_MAX && { 'x-cut-from-bytes': content.length }),
      };
      const copy = content.subarray(0, COPY_BYTES_MAX);
      const expiration = topology.deadSeconds * 1000;
      await sender.send('', topology.dead, copy, { ...common, headers, expiration });
    } else {
      const { queue, milliseconds } = delayFor(topology, failure.afterSeconds);
      const failures = failure.failures ?? facts.failures;
      const headers = { 'x-reason': redacted(failure.reason), [FAILURES_HEADER]: failures };
      await sender.send('', queue, content, { ...common, headers, expiration: milliseconds });
    }
    return true;
  } catch (error) {
    if (error instanceof Unavailable) return false;
    throw error;
  }
}

/**
 * The queue with the shortest sufficient delay. Messages leave a queue in order, so one with a shorter delay waits for
 * those before it; queues of increasing delays keep that wait small.
 */
function delayFor(topology: Topology, seconds: number) {
  const delay = topology.delays.find((one) => one.seconds >= seconds) ?? topology.delays.at(-1);
  if (delay === undefined) throw new Error('the topology has no delay queue');
  const wait = Number.isFinite(seconds) ? Math.min(seconds, delay.seconds) : delay.seconds;
  const milliseconds = Math.max(1, Math.round(wait * 1000));
  return { queue: delay.queue, milliseconds };
}

/** Removes addresses, which events contain only sealed: mail servers quote the recipient in errors. */
function redacted(text: string): string {
  return redactText(text.slice(0, 4 * REASON_LENGTH_MAX)).slice(0, REASON_LENGTH_MAX);
}
