import { NO_TRACING, spanning, type Log, type Tracing } from '@gatehouse/runtime';
import { carriesMail, type AnyEvent } from './event/event.ts';
import type { QueueDepth } from './broker/queue-depths.ts';
import { Sender } from './broker/sender.ts';
import { faceTopologyOf, topologyOf, type Topology } from './broker/topology.ts';

export interface Publisher {
  /**
   * Resolves once the broker has the event safe; one that sends a mail must have reached the mail's queue.
   *
   * @throws {Unavailable} when it has not within 5 s; the event may be out all the same.
   */
  publish(event: AnyEvent): Promise<void>;
  isReady(): boolean;
  /**
   * How full the queues of mails and of faces are.
   *
   * @throws {Unavailable} without a connection.
   */
  queueDepths(): Promise<QueueDepth[]>;
  close(): Promise<void>;
}

/** Connects in the background and reconnects by itself; without a connection `publish` fails at once. */
export function createPublisher(options: {
  url: string;
  /** Who may sign the broker's certificate, as PEM; without it the authorities that Node trusts. */
  ca?: string | undefined;
  log: Log;
  /** The process's name, for the broker's list of connections. */
  name?: string;
  topology?: Topology;
  confirmMs?: number;
  tracing?: Tracing | undefined;
}): Publisher {
  const { tracing = NO_TRACING, topology = topologyOf() } = options;
  const sender = new Sender({ ...options, topology, name: `${options.name ?? 'gatehouse'} publisher` });
  return {
    publish: (event) => {
      const span = tracing.resume('outbox publish', 'producer', event.traceparent, {
        'messaging.system': 'rabbitmq',
        'messaging.operation.type': 'send',
        'gatehouse.event': event.type,
      });
      return spanning(tracing, span, () =>
        sender.send(topology.exchange, event.type, Buffer.from(JSON.stringify(event)), {
          persistent: true,
          mandatory: carriesMail(event),
          contentType: 'application/cloudevents+json',
          messageId: event.id,
          type: event.type,
          ...(span && { headers: { traceparent: span.traceparent } }),
        }),
      );
    },
    isReady: () => sender.isReady,
    queueDepths: () => sender.depthsOf([topology, faceTopologyOf()].flatMap(queuesIn)),
    close: () => sender.close(),
  };
}

function queuesIn({ queue, delays, dead }: Topology): string[] {
  return [queue, ...delays.map((delay) => delay.queue), dead];
}
